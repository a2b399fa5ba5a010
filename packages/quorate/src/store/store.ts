import type { DebateStatus } from '../record/debate.ts'
import type { DecisionRecord } from '../record/decision.ts'
import type { LabelRecord } from '../record/label.ts'
import type { QuestionStatus, Run, RunQuestion, SamplingKey } from '../record/run.ts'
import type { SessionStore, TokenStore } from './access.ts'
import type { CallStore } from './calls/call-records.ts'
import type { LedgerEntry, LedgerStore } from './decisions/ledger.ts'
import type { MonitorStore } from './decisions/monitor-records.ts'
import type { PolicyStore } from './decisions/policy-events.ts'
import type { AddedQuestion, Certified, Settled, Settlement } from './decisions/settlement.ts'
import type { OutboxStore } from './outbox.ts'
import type { Placed } from './placed.ts'
import type { ReviewStore } from './reviews/reviews.ts'
import type { LatestPage, ListedDebate } from './runs/listed-debates.ts'
import type { SharedStore } from './shared-store.ts'

export type { QuestionStatus, Run, RunQuestion, SamplingKey } from '../record/run.ts'
export type {
  CallOfFence,
  CallPlace,
  CallState,
  CallStore,
  CallsBefore,
  Intent,
  Outcome,
  Spend,
  StoredCall,
} from './calls/call-records.ts'
export type { LedgerEntry, LedgerRow, LedgerStore, LedgerText } from './decisions/ledger.ts'
export type { Review, ReviewStore, StoredReview } from './reviews/reviews.ts'

/**
 * What must not be lost, behind one interface with two engines. Every method that writes resolves after its commit
 * (synced to the disk, or as PostgreSQL does it): what it resolved survives kill -9 and power loss. JSON values are parsed and
 * checked on their way out too.
 */
export interface Store extends Placed {
  readonly engine: 'sqlite' | 'postgres'
  readonly runs: RunStore
  readonly calls: CallStore
  readonly batches: BatchStore
  readonly debates: DebateStore
  readonly certificates: CertificateStore
  readonly decisions: DecisionStore
  readonly labels: LabelStore
  readonly reviews: ReviewStore
  readonly ledger: LedgerStore
  readonly tokens: TokenStore
  readonly sessions: SessionStore
  readonly outbox: OutboxStore
  readonly policy: PolicyStore
  /** What workers on several machines share; null where only this machine reaches the store. */
  readonly shared: SharedStore | null
  readonly monitor: MonitorStore
  /** A consistent copy: VACUUM INTO a file (SQLite); PostgreSQL says which command to use instead. */
  backup(path: string): Promise<void>
  /** Erases the free text of one question everywhere (question, replies, arguments); digests and chains stay. */
  redact(questionId: string): Promise<Redaction>
  /**
   * Erases, as `redact` does and in runs of its own, the texts of debates written before `before`, some at a time, also
   * of those that wait for a review; deletes messages that ended before it, and sessions that are over. Old bytes are
   * overwritten in the file; its log and PostgreSQL's dead rows keep them until the engine's own upkeep.
   */
  prune(limits: { readonly before: Millis; readonly now: Millis }): Promise<Pruned>
  /** Writes a small row and commits it; rejects as any other write would. */
  checkWritable(at: Millis): Promise<void>
  close(): Promise<void>
}

export interface Redaction {
  /** Rows that held text and hold none now. */
  readonly erased: number
  /**
   * False: the text can no longer be read through the store, but old bytes of it may still lie in the database's files:
   * another process has the file open (redact again without it), or the engine is PostgreSQL (VACUUM FULL, and its
   * write-ahead log). Backups are never changed.
   */
  readonly isWiped: boolean
}

export interface Pruned {
  /** Rows that held text and hold none now. */
  readonly erased: number
  readonly messages: number
  readonly sessions: number
}

/** Times are milliseconds since 1970, given by the caller: the store reads no clock. */
export type Millis = number

/** Counts of a run; a hidden question is only in `questions`, `pending` and `hidden`. */
export interface RunFigures {
  readonly runId: string
  readonly questions: number
  readonly pending: number
  /** Debates that broke off. */
  readonly failed: number
  readonly acted: number
  readonly deferred: number
  /** Decided, but hidden from people until they are reviewed. */
  readonly hidden: number
  readonly sampled: number
  /** Sampled questions with a label. */
  readonly labelled: number
}

export interface RunStore {
  /** With a fence the run is its process's alone, until another takes it over; without one anybody's. */
  create(run: NewRun, questions: readonly NewRunQuestion[], fence?: string): Promise<void>
  find(id: string): Promise<Run | null>
  /** Latest first. */
  latest(filter: {
    readonly configHash: string
    readonly questionsHash: string
    readonly kind: Run['kind']
  }): Promise<Run | null>
  list(limit: number, before?: string): Promise<readonly Run[]>
  /** In order of position, from `after`, at most `limit`: runs may be large. */
  questions(
    runId: string,
    page: { readonly after: number; readonly limit: number; readonly status?: QuestionStatus },
  ): Promise<readonly RunQuestion[]>
  findQuestion(runId: string, questionId: string): Promise<RunQuestion | null>
  /** These questions in all runs. */
  asked(questionIds: readonly string[]): Promise<readonly RunQuestion[]>
  /** Of these questions, those that arrived for the certificate and count, each as it was stored. */
  arrived(certificateId: string, questionIds: readonly string[]): Promise<readonly RunQuestion[]>
  /** Whether a run that decides, and not in shadow, drew it; null: none was asked it. */
  wasSampled(questionId: string): Promise<boolean | null>
  /** The next position of an open run. A question that it has already is left as it is and given back. */
  addQuestion(runId: string, question: NewQuestion): Promise<AddedQuestion>
  /**
   * Sampled questions that arrived for a certificate and count, in the order in which they arrived, with what came of them:
   * the monitor's evidence. `after`: an arrival.
   */
  spotChecks(page: {
    readonly certificateId: string
    readonly after: number
    readonly limit: number
  }): Promise<readonly SpotCheck[]>
  /** The last arrival for a certificate, so how many questions have arrived for it; 0 before the first. */
  arrivals(certificateId: string): Promise<number>
  /** The probabilities that arrivals after `after` were sampled with, in order. */
  rates(of: { readonly certificateId: string; readonly after: number }): Promise<readonly RateChange[]>
  /**
   * A question that is `done` keeps its status, so that a write that comes late changes nothing. With a fence it is an error
   * where the run or the question was taken over.
   */
  setQuestion(runId: string, questionId: string, status: QuestionStatus, fence?: string): Promise<void>
  counts(runId: string): Promise<Readonly<Record<QuestionStatus, number>>>
  figures(runIds: readonly string[], at: FiguresAt): Promise<readonly RunFigures[]>
  finish(runId: string): Promise<void>
  /** All keys of a run, by number. Secret: for tossing coins and for the bundle, never for a list. */
  samplingKeys(runId: string): Promise<readonly SamplingKey[]>
  /** Number of the key that the latest question of a run was tossed with; null: there is none. */
  lastSamplingKey(runId: string): Promise<number | null>
  /** The next key of a run and its ledger entry, in one commit; false: the run has a key of this number. */
  addSamplingKey(key: SamplingKey, entry: LedgerEntry): Promise<boolean>
}

/** When the figures of runs are read. */
export interface FiguresAt {
  readonly now: Millis
  /** Without what is hidden from people at that time. */
  readonly hides: boolean
  /** Labels count once their reviews can no longer be undone, as in the monitor. */
  readonly undoMs: Millis
}

/** A run with its first sampling key, where it samples spot checks. */
export type NewRun = Run & { readonly samplingKey?: string | null }

export type NewQuestion = Pick<RunQuestion, 'questionId' | 'question' | 'isSpotCheck'> & Sampling & Arriving
export type NewRunQuestion = Pick<RunQuestion, 'position'> &
  Omit<NewQuestion, 'question'> & {
    /** Of many questions each is read when it is written. */
    readonly question: NewQuestion['question'] | (() => string)
  }

/** How the coin of the question was tossed. Absent: none was tossed. */
type Sampling = Partial<Pick<RunQuestion, 'samplingKey' | 'samplingRate'>>

/**
 * Whether the monitor counts the question among those of the run's certificate. Absent or null: it does not, since the
 * certificate promises nothing about it (it was calibrated on it, or the panel is another), or nothing may act. Of a run
 * that only debates, and of a shadow, nothing is counted.
 */
interface Arriving {
  readonly counted?: { readonly spotCheckRate: number; readonly at: Millis } | null
}

/** From this arrival on questions were sampled with this probability; 0: they no longer count, because the policy was suspended. */
export interface RateChange {
  readonly from: number
  readonly spotCheckRate: number
}

export interface SpotCheck {
  /** Number of the question among all that were counted for its certificate, from 1, over all runs without gaps. */
  readonly arrival: number
  readonly arrivedAt: Millis
  readonly runId: string
  readonly questionId: string
  readonly status: QuestionStatus
  /** When the last round that is known was stored; null: there is none yet. */
  readonly debatedAt: Millis | null
  /** Null until it is decided. */
  readonly decision:
    | (Pick<StoredDecision, 'id' | 'certificateId' | 'kind' | 'reason' | 'answer' | 'round' | 'at'> & {
        /** Of an action of profile `total`: the kind of the debate in that round. */
        readonly debateKind: number | null
        readonly group: string | null
      })
    | null
  /** The last that was committed of the question and not retracted; null while another reading of it is waited for. */
  readonly label: Required<Pick<StoredLabel, 'gold' | 'verdict' | 'source' | 'at'>> | null
}

export interface StoredDebate {
  readonly runId: string
  readonly questionId: string
  /** The interchange JSON; texts null once redacted. */
  readonly debate: string
  readonly rounds: number
  readonly status: DebateStatus
  readonly at: Millis
  /** As in the JSON, to be listed by; absent: null. */
  readonly group?: string | null
}

export interface DebateStore {
  /** Across runs, latest first, after the cursor. */
  latest(page: LatestPage): Promise<readonly ListedDebate[]>
  /**
   * Writes the debate and the question's status in one commit; a later one replaces it. Of an erased question it is
   * written without its texts. Under a `fence` that was taken over it is an error.
   */
  save(debate: StoredDebate, fence?: string): Promise<void>
  find(runId: string, questionId: string): Promise<StoredDebate | null>
  /** By question id. With `mostBytes` a page ends before its texts are longer, but has one debate where there is one. */
  list(
    runId: string,
    page: { readonly after: string | null; readonly limit: number; readonly mostBytes?: number },
  ): Promise<readonly StoredDebate[]>
}

/** A batch of calls at a provider. */
export interface StoredBatch {
  readonly id: string
  /** Of single requests, such as https://api.openai.com/v1/chat/completions. */
  readonly url: string
  /** The provider's id; null until it has answered. */
  readonly remoteId: string | null
  /** Names of its requests: a JSON list of digests. */
  readonly keys: string
  readonly at: Millis
}

export interface BatchStore {
  /** Committed before anything is sent. */
  open(batch: Omit<StoredBatch, 'remoteId'>): Promise<void>
  sent(id: string, remoteId: string): Promise<void>
  forget(id: string): Promise<void>
  /** Earliest first. */
  list(): Promise<readonly StoredBatch[]>
}

export interface CertificateStore {
  /** Saving the same file again changes nothing; another file under the same id is an error. */
  save(certificate: {
    readonly id: string
    readonly file: string
    readonly at: Millis
    readonly runId: string | null
  }): Promise<void>
  find(id: string): Promise<{ readonly id: string; readonly file: string; readonly at: Millis } | null>
  /** Latest first. */
  list(limit: number): Promise<readonly { readonly id: string; readonly at: Millis }[]>
}

/** Columns of a decision, and the whole record as JSON. */
export type StoredDecision = Pick<
  DecisionRecord,
  'id' | 'runId' | 'questionId' | 'certificateId' | 'kind' | 'reason' | 'answer' | 'round' | 'isShadow' | 'at'
> & { readonly decision: string }

export interface DecisionStore {
  /** As `save`, with all that belongs to it in the same commit. */
  settle(settlement: Settlement): Promise<Settled>
  /** Of one question, by round. */
  certified(runId: string, questionId: string): Promise<readonly Certified[]>
  findById(id: string): Promise<StoredDecision | null>
  /**
   * The decision, its debate, the question's status and its ledger entry in one commit. A question that is `done` is an
   * error; the decision of one that failed is replaced, and the ledger keeps both. Texts and `fence` as in a debate's.
   */
  save(decision: StoredDecision, debate: StoredDebate, entry: LedgerEntry, fence?: string): Promise<void>
  find(runId: string, questionId: string): Promise<StoredDecision | null>
  /** Of these questions in all runs, without shadows, oldest first; with a certificate those that it made. */
  ofQuestions(of: {
    readonly questionIds: readonly string[]
    readonly certificateId?: string
  }): Promise<readonly StoredDecision[]>
  /** Of a run, how many of each kind and reason. */
  counts(runId: string): Promise<readonly (Pick<DecisionRecord, 'kind' | 'reason'> & { readonly count: number })[]>
  /** By id. */
  list(
    runId: string,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly StoredDecision[]>
}

type GivenByReview = 'verdict' | 'reviewId' | 'grades' | 'text'
/** Without a verdict it is `option`; without a review it came of none. */
export type StoredLabel = Omit<LabelRecord, GivenByReview> & Partial<Pick<LabelRecord, GivenByReview>>

/** Retracted labels are kept in the database and given to nobody. */
export interface LabelStore {
  add(label: StoredLabel): Promise<void>
  /** All of them in one commit, or none. */
  addAll(labels: readonly StoredLabel[]): Promise<void>
  /** In the order of their commits: the last one is the latest. */
  of(questionId: string): Promise<readonly StoredLabel[]>
  /** Those of a page of questions, in one query, in the order of their commits. */
  ofAll(questionIds: readonly string[]): Promise<readonly StoredLabel[]>
  /** By id. */
  list(page: {
    readonly after: string | null
    readonly limit: number
    readonly source?: StoredLabel['source']
  }): Promise<readonly StoredLabel[]>
}
