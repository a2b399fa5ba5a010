import type { DebateStatus } from '../record/debate.ts'
import type { DecisionRecord } from '../record/decision.ts'
import type { LabelRecord } from '../record/label.ts'
import type { QuestionSampling, QuestionStatus, Run, RunQuestion, SamplingKey } from '../record/run.ts'
import type { SessionStore, TokenStore } from './access.ts'
import type { CallStore } from './calls/call-records.ts'
import type { LedgerEntry, LedgerStore } from './decisions/ledger.ts'
import type { MonitorStore } from './decisions/monitor-records.ts'
import type { PolicyStore } from './decisions/policy-events.ts'
import type { AddedQuestion, CertifiedRound, Settled, Settlement } from './decisions/settlement.ts'
import type { OutboxStore } from './outbox.ts'
import type { ReviewStore } from './reviews/reviews.ts'
import type { LatestPage, ListedDebate } from './runs/listed-debates.ts'
import type { SharedStore } from './shared-store.ts'

export type { QuestionStatus, Run, RunQuestion, SamplingKey } from '../record/run.ts'
export type {
  CallOfFence,
  CallOutcome,
  CallPlace,
  CallState,
  CallStore,
  CallsBefore,
  Intent,
  Spend,
  StoredCall,
} from './calls/call-records.ts'
export type { LedgerEntry, LedgerRow, LedgerStore, LedgerText } from './decisions/ledger.ts'
export type { Review, ReviewStore, StoredReview } from './reviews/reviews.ts'

/** Where the data of a store is. */
export interface StorageLocation {
  /** False: the file was removed or replaced since it was opened, so every write is lost when this process ends. */
  isInPlace(): boolean
  /** Free bytes on its disk; null: the data is on another machine or in memory. */
  freeBytes(): number | null
}

/**
 * The durable state: one interface, two engines. Every method that writes resolves after its commit is durable: synced to the
 * disk by SQLite, acknowledged by PostgreSQL. A write that has resolved survives kill -9 and power loss. JSON values are
 * parsed and checked also when they are read.
 *
 * A fence is a token that the owner of a run, or of one question of a shared run, writes when it takes it over. A write that
 * names an older fence is an error, so a process that lost its work can no longer change it.
 */
export interface Store extends StorageLocation {
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
  /** The state that workers on several machines share; null for SQLite, which only one machine can reach. */
  readonly shared: SharedStore | null
  readonly monitor: MonitorStore
  /** Writes a consistent copy to a file (VACUUM INTO). On PostgreSQL it is an error that names the command to use. */
  backup(path: string): Promise<void>
  /** Erases the free text of one question everywhere (question, replies, arguments). Digests and ledger chains stay. */
  redact(questionId: string): Promise<Redaction>
  /**
   * Erases the texts of debates written before `before`, as `redact` does, but each only in its own run and a few debates in
   * a commit. Debates that wait for a review are erased too. It also deletes expired sessions, and messages that were created
   * before `before` and are no longer on their way. SQLite overwrites the old bytes in its file. The write-ahead log and
   * PostgreSQL's dead rows keep them until the engine's own maintenance.
   */
  prune(limits: { readonly before: Millis; readonly now: Millis }): Promise<Pruned>
  /** Checks that the store can be written by committing a small row. Rejects as any other write would. */
  checkWritable(at: Millis): Promise<void>
  close(): Promise<void>
}

export interface Redaction {
  /** Rows whose text was erased. */
  readonly erased: number
  /**
   * False: the text can no longer be read through the store, but its old bytes may remain in the database's files. Either
   * another process has the file open (end it and redact again), or the disk is full, or the engine is PostgreSQL (VACUUM
   * FULL removes dead rows, the write-ahead log is recycled later). Backups are never changed.
   */
  readonly isWiped: boolean
}

export interface Pruned {
  /** Rows whose text was erased. */
  readonly erased: number
  readonly messages: number
  readonly sessions: number
}

/** Milliseconds since 1970. The caller passes every time, because the store reads no clock of this process. */
export type Millis = number

/** Counts of a run. A hidden question is counted only in `questions`, `pending` and `hidden`. */
export interface RunFigures {
  readonly runId: string
  readonly questions: number
  readonly pending: number
  /** Questions whose debate failed. */
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
  /** `fence`: the first one of the run. Absent: any process may write to it. */
  create(run: NewRun, questions: readonly NewRunQuestion[], fence?: string): Promise<void>
  find(id: string): Promise<Run | null>
  /** The run that was created last. */
  latest(filter: {
    readonly configHash: string
    readonly questionsHash: string
    readonly kind: Run['kind']
  }): Promise<Run | null>
  /** Latest first. `before` is the last id of the previous page. */
  list(limit: number, before?: string): Promise<readonly Run[]>
  /** By position. `after` is the last position of the previous page; -1 starts at the first. */
  questions(
    runId: string,
    page: { readonly after: number; readonly limit: number; readonly status?: QuestionStatus },
  ): Promise<readonly RunQuestion[]>
  findQuestion(runId: string, questionId: string): Promise<RunQuestion | null>
  /** Ids of questions that begin like this and have a text in some run, in their order. */
  withText(prefix: string): Promise<readonly string[]>
  /** Every occurrence of these questions, in all runs. */
  asked(questionIds: readonly string[]): Promise<readonly RunQuestion[]>
  /** Those of these questions that the monitor counts for the certificate. */
  arrived(certificateId: string, questionIds: readonly string[]): Promise<readonly RunQuestion[]>
  /** Whether the question was sampled in a run that decides and is not a shadow run; null: it is in no such run. */
  wasSampled(questionId: string): Promise<boolean | null>
  /** Appends a question to an open run. A question that the run already has is returned unchanged. */
  addQuestion(runId: string, question: NewQuestion): Promise<AddedQuestion>
  /**
   * The monitor's evidence: sampled questions that arrived for a certificate, with their decisions and labels, in order of
   * arrival. `after` is the last arrival of the previous page.
   */
  spotChecks(page: {
    readonly certificateId: string
    readonly after: number
    readonly limit: number
  }): Promise<readonly SpotCheck[]>
  /** The last arrival for a certificate, which is also the number of questions that have arrived for it. */
  arrivals(certificateId: string): Promise<number>
  /** The probabilities with which arrivals after `after` were sampled, in order of arrival. */
  rates(of: { readonly certificateId: string; readonly after: number }): Promise<readonly RateChange[]>
  /**
   * A question that is `done` keeps its status, so a late write changes nothing. With a fence, it is an error if another
   * process has taken over the run or the question.
   */
  setQuestion(runId: string, questionId: string, status: QuestionStatus, fence?: string): Promise<void>
  counts(runId: string): Promise<Readonly<Record<QuestionStatus, number>>>
  figures(runIds: readonly string[], at: FiguresAt): Promise<readonly RunFigures[]>
  finish(runId: string): Promise<void>
  /** All keys of a run, by number. They are secret: only sampling and the bundle may read them, never a list. */
  samplingKeys(runId: string): Promise<readonly SamplingKey[]>
  /** Number of the key with which the latest question of a run was sampled; null: there is no question or no key. */
  lastSamplingKey(runId: string): Promise<number | null>
  /** Adds a key to a run, with its ledger entry in the same commit. False: the run already has a key of this number. */
  addSamplingKey(key: SamplingKey, entry: LedgerEntry): Promise<boolean>
}

/** The time at which the figures of runs are read, and for whom. */
export interface FiguresAt {
  readonly now: Millis
  /** True: leaves out what is hidden from people at that time. */
  readonly hides: boolean
  /** How long a review can be undone. As in the monitor, a label counts only after that time. */
  readonly undoMs: Millis
}

/** A run, with its first sampling key if it samples spot checks. */
export type NewRun = Run & { readonly samplingKey?: string | null }

export type NewQuestion = Pick<RunQuestion, 'questionId' | 'question' | 'isSpotCheck'> & SamplingColumns & Arriving
export type NewRunQuestion = Pick<RunQuestion, 'position'> &
  Omit<NewQuestion, 'question'> & {
    /** A function is called when the row is written, so that many questions need not be in memory at once. */
    readonly question: NewQuestion['question'] | (() => string)
  }

/** The key and the probability with which the question was sampled. Absent: sampling did not apply to it. */
type SamplingColumns = Partial<Omit<QuestionSampling, 'isSpotCheck'>>

/**
 * Whether the monitor counts the question for the run's certificate. Absent or null: it does not, because the certificate
 * promises nothing about the question (it was used for calibration, or the panel is a different one), or because nothing may
 * act. Questions of a run that only debates, and of a shadow run, are never counted.
 */
interface Arriving {
  readonly counted?: { readonly spotCheckRate: number; readonly at: Millis } | null
}

/**
 * Questions from this arrival on were sampled with this probability. A probability of 0 also means that they are not counted,
 * because the policy was suspended.
 */
export interface RateChange {
  readonly from: number
  readonly spotCheckRate: number
}

export interface SpotCheck {
  /** Number of the question among those counted for its certificate: from 1, without gaps, across all runs. */
  readonly arrival: number
  readonly arrivedAt: Millis
  readonly runId: string
  readonly questionId: string
  readonly status: QuestionStatus
  /** When the last round was stored; null: no round is stored yet. */
  readonly debatedAt: Millis | null
  /** Null until it is decided. */
  readonly decision:
    | (Pick<StoredDecision, 'id' | 'certificateId' | 'kind' | 'reason' | 'answer' | 'round' | 'at'> & {
        /** The kind of the debate in that round, for an action of profile `total`; otherwise null. */
        readonly debateKind: number | null
        readonly group: string | null
      })
    | null
  /** The question's latest label that was not retracted; null: there is none, or another reading of it is pending. */
  readonly label: Required<Pick<StoredLabel, 'gold' | 'verdict' | 'source' | 'at'>> | null
}

export interface StoredDebate {
  readonly runId: string
  readonly questionId: string
  /** The interchange JSON. Its texts are null after a redaction. */
  readonly debate: string
  readonly rounds: number
  readonly status: DebateStatus
  readonly at: Millis
  /** The group in the JSON, for filters. Absent: read from the JSON when it is saved. */
  readonly group?: string | null
}

export interface DebateStore {
  /** Debates of all runs, latest first, after the cursor. */
  latest(page: LatestPage): Promise<readonly ListedDebate[]>
  /**
   * Writes the debate and the question's status in one commit, and replaces an earlier version of the debate. If the question
   * is erased, the debate is written without its texts. A `fence` that was taken over is an error.
   */
  save(debate: StoredDebate, fence?: string): Promise<void>
  find(runId: string, questionId: string): Promise<StoredDebate | null>
  /** By question id. `mostBytes` limits the total length of the texts of a page, which still has at least one debate. */
  list(
    runId: string,
    page: { readonly after: string | null; readonly limit: number; readonly mostBytes?: number },
  ): Promise<readonly StoredDebate[]>
}

/** A batch of calls at a provider. */
export interface StoredBatch {
  readonly id: string
  /** The URL of a single request, such as https://api.openai.com/v1/chat/completions. */
  readonly url: string
  /** The provider's id; null until it has answered. */
  readonly remoteId: string | null
  /** JSON list of digests, one for each request. */
  readonly keys: string
  readonly at: Millis
}

export interface BatchStore {
  /** Records a batch before anything is sent. */
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
  /**
   * Writes the decision, its debate, the question's status, the ledger entry and everything else that belongs to the decision
   * in one commit. A question that is `done` is an error. The decision on a question that failed is replaced, and the ledger
   * keeps both. Erased texts and `fence` are handled as in `DebateStore.save`.
   */
  settle(settlement: Settlement): Promise<Settled>
  /** The stored responses of POST /v1/certify to one question, by round. */
  certifiedRounds(runId: string, questionId: string): Promise<readonly CertifiedRound[]>
  findById(id: string): Promise<StoredDecision | null>
  find(runId: string, questionId: string): Promise<StoredDecision | null>
  /** Decisions on these questions in all runs but shadow runs, oldest first; optionally only those of one certificate. */
  ofQuestions(of: {
    readonly questionIds: readonly string[]
    readonly certificateId?: string
  }): Promise<readonly StoredDecision[]>
  /** The number of decisions of a run, by kind and reason. */
  counts(runId: string): Promise<readonly (Pick<DecisionRecord, 'kind' | 'reason'> & { readonly count: number })[]>
  /** By id. */
  list(
    runId: string,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly StoredDecision[]>
}

type GivenByReview = 'verdict' | 'reviewId' | 'grades' | 'text'
/** An absent verdict means `option`. An absent `reviewId` means that the label came from no review. */
export type StoredLabel = Omit<LabelRecord, GivenByReview> & Partial<Pick<LabelRecord, GivenByReview>>

/** Retracted labels stay in the database, but no method returns them. */
export interface LabelStore {
  /** Adds all of them in one commit, or none. One that exists is an error (`exists`). */
  addAll(labels: readonly StoredLabel[]): Promise<void>
  /** In order of commit, so the last one is the latest. */
  of(questionId: string): Promise<readonly StoredLabel[]>
  /** The labels of a page of questions, read in one query, in order of commit. */
  ofAll(questionIds: readonly string[]): Promise<readonly StoredLabel[]>
  /** By id. */
  list(page: {
    readonly after: string | null
    readonly limit: number
    readonly source?: StoredLabel['source']
  }): Promise<readonly StoredLabel[]>
}
