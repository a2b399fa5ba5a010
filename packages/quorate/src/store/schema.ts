import type { StoredSession, StoredToken } from './access.ts'
import type { DriftPosition } from './decisions/monitor-records.ts'
import type { PolicyEvent } from './decisions/policy-events.ts'
import type { CertifiedRound } from './decisions/settlement.ts'
import type { StoredMessage } from './outbox.ts'
import type { StoredReview, Viewer } from './reviews/reviews.ts'
import type { SharedRun, StoredBreaker, StoredWorker } from './shared-store.ts'
import type {
  LedgerRow,
  LedgerText,
  Millis,
  Run,
  RunQuestion,
  SamplingKey,
  StoredBatch,
  StoredCall,
  StoredDebate,
  StoredDecision,
  StoredLabel,
} from './store.ts'

/** The tables as Kysely sees them. Names are in camel case here, and in snake case in the database. */
export interface Tables {
  readonly runs: StoredColumns<Run> & RunColumns
  readonly runQuestions: StoredColumns<Omit<RunQuestion, 'samplingRate'>> &
    SampledColumns &
    ArrivalColumns &
    FenceColumn
  readonly samplingKeys: StoredColumns<SamplingKey>
  readonly calls: StoredColumns<StoredCall>
  readonly debates: StoredColumns<Omit<StoredDebate, 'group'>> & DebateTableColumns
  readonly batches: StoredColumns<StoredBatch>
  readonly certificates: StoredColumns<StoredCertificate>
  readonly decisions: StoredColumns<StoredDecision> & DecisionColumns
  readonly certified: StoredColumns<CertifiedRound>
  readonly labels: StoredColumns<Required<Omit<StoredLabel, 'grades'>>> & LabelColumns
  readonly counters: { readonly name: CounterName; readonly value: number }
  readonly reviews: StoredColumns<Omit<StoredReview, 'isBlind'>> & ReviewColumns
  readonly reviewSkips: { readonly reviewer: string; readonly reviewId: string; readonly at: Millis }
  readonly reviewViewers: StoredColumns<Viewer>
  readonly reviewQueue: { readonly id: 1; readonly handedOut: number }
  readonly ledger: StoredColumns<LedgerRow>
  readonly ledgerTexts: StoredColumns<LedgerText & { readonly position: number }>
  readonly tokens: StoredColumns<StoredToken>
  readonly sessions: StoredColumns<StoredSession>
  readonly outbox: StoredColumns<StoredMessage>
  readonly policyEvents: StoredColumns<PolicyEvent>
  readonly policyArrivals: { readonly sequence: number; readonly certificateId: string; readonly arrival: number }
  readonly sharedRuns: StoredColumns<SharedRun>
  readonly callArchives: ArchivedSums
  readonly callSums: CallSumsColumns
  readonly workers: StoredColumns<StoredWorker>
  readonly breakers: StoredColumns<StoredBreaker>
  readonly decisionCounts: DecisionCountColumns
  readonly driftStates: StoredColumns<DriftPosition>
  readonly readiness: { readonly id: 1; readonly at: Millis }
  readonly quorateSchema: { readonly version: number; readonly name: string; readonly appliedAt: Millis }
}

// Rows that are parameters of prepared queries are types: an interface is not assignable to `QueryValues`, which has an index
// signature.

type FenceColumn = { readonly fence: string | null }
/** The probability is text, which keeps every digit. */
type SampledColumns = { readonly samplingRate: string | null }

/** Sequences whose numbers are assigned in order of commit. */
export type CounterName = 'labels' | 'runs'

interface RunColumns {
  readonly fence: string | null
  /** In order of commit. Ids and times come from clocks, which may differ. */
  readonly sequence: number
}

type DecisionColumns = {
  /** The kind of the debate in that round, which determines its class, for an action of profile `total`; otherwise null. */
  readonly debateKind: number | null
}

type LabelColumns = {
  /** In order of commit, so the greatest one is the latest label of a question. Ids and times come from clocks. */
  readonly sequence: number
  readonly retractedAt: Millis | null
  /** JSON. */
  readonly grades: string | null
}

/** All of them are null for a question that the monitor does not count. */
type ArrivalColumns = {
  readonly certificateId: string | null
  readonly arrival: number | null
  readonly arrivedAt: Millis | null
  /** The probability as text, which keeps every digit. */
  readonly spotCheckRate: string | null
  readonly rateMark: number | null
}

type DebateTableColumns = {
  readonly groupName: string | null
  /** Kind and reason of the decision, for filters. */
  readonly kind: StoredDecision['kind'] | null
  readonly reason: string | null
  readonly isErased: StoredFlag
  /** How many times the row was written. */
  readonly version: number
}

/** Sums over calls that were moved out of the database, from which the spend of a run is computed. */
interface ArchivedSums {
  readonly runId: string
  readonly state: StoredCall['state']
  readonly count: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: number
  readonly uncosted: number
  readonly unpriced: number
}

/** Sums over the calls of a run up to one of them, so that only later calls have to be read. */
interface CallSumsColumns {
  readonly runId: string
  /** Id of the last call. */
  readonly upTo: string
  /** The number of calls. */
  readonly calls: number
  /** JSON. */
  readonly sums: string
  /** Hash of the other columns. */
  readonly digest: string
}

type DecisionCountColumns = {
  readonly certificateId: string
  readonly kind: StoredDecision['kind']
  /** Empty for an action. */
  readonly reason: string
  readonly decided: number
  readonly rounds: number
}

/** `distance` is in billionths, `note` is JSON. */
interface ReviewColumns {
  /** Number of the review among those of its question, from 1, in the order in which they were added. */
  readonly sequence: number
  readonly isBlind: StoredFlag | null
  /**
   * The list of a free item, or `assigned` if the item is reserved for one person. Null while the item is claimed, and once
   * it is submitted or retracted.
   */
  readonly queue: StoredReview['list'] | 'assigned' | null
  /** Sort key in that list: the arrival time of the question for a blind item, the distance for an open one. */
  readonly rank: number
  /** Sort key among items of equal rank: the arrival number of the question; 0 in the open list. */
  readonly arrival: number
  /** How many times reviewers skipped it, in total. */
  readonly skips: number
}

export interface StoredCertificate {
  readonly id: string
  readonly file: string
  readonly at: Millis
  readonly runId: string | null
}

/** SQLite has no booleans, so both engines keep 0 and 1. */
export type StoredFlag = 0 | 1

export function flag(value: boolean): StoredFlag {
  return value ? 1 : 0
}

type StoredColumns<Row> = { readonly [Name in keyof Row]: Row[Name] extends boolean ? StoredFlag : Row[Name] }
