import type { StoredSession, StoredToken } from './access.ts'
import type { DriftPosition } from './decisions/monitor-records.ts'
import type { PolicyEvent } from './decisions/policy-events.ts'
import type { Certified } from './decisions/settlement.ts'
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

/** The tables as Kysely sees them, in camel case; in the database names are in snake case. */
export interface Tables {
  readonly runs: Columns<Run> & RunColumns
  readonly runQuestions: Columns<Omit<RunQuestion, 'samplingRate'>> & SampledColumns & ArrivalColumns & FenceColumn
  readonly samplingKeys: Columns<SamplingKey>
  readonly calls: Columns<StoredCall>
  readonly debates: Columns<Omit<StoredDebate, 'group'>> & DebateColumns
  readonly batches: Columns<StoredBatch>
  readonly certificates: Columns<CertificateRow>
  readonly decisions: Columns<StoredDecision> & DecisionColumns
  readonly certified: Columns<Certified>
  readonly labels: Columns<Required<Omit<StoredLabel, 'grades'>>> & LabelColumns
  readonly counters: { readonly name: CounterName; readonly value: number }
  readonly reviews: Columns<Omit<StoredReview, 'isBlind'>> & ReviewColumns
  readonly reviewSkips: { readonly reviewer: string; readonly reviewId: string; readonly at: Millis }
  readonly reviewViewers: Columns<Viewer>
  readonly reviewQueue: { readonly id: 1; readonly handedOut: number }
  readonly ledger: Columns<LedgerRow>
  readonly ledgerTexts: Columns<LedgerText & { readonly position: number }>
  readonly tokens: Columns<StoredToken>
  readonly sessions: Columns<StoredSession>
  readonly outbox: Columns<StoredMessage>
  readonly policyEvents: Columns<PolicyEvent>
  readonly policyArrivals: { readonly sequence: number; readonly certificateId: string; readonly arrival: number }
  readonly sharedRuns: Columns<SharedRun>
  readonly callArchives: ArchivedSums
  readonly callSums: CallSumsColumns
  readonly workers: Columns<StoredWorker>
  readonly breakers: Columns<StoredBreaker>
  readonly decisionCounts: DecisionCountColumns
  readonly driftStates: Columns<DriftPosition>
  readonly readiness: { readonly id: 1; readonly at: Millis }
  readonly quorateSchema: { readonly version: number; readonly name: string; readonly appliedAt: Millis }
}

/** Types, not interfaces, as prepared queries take rows by their names. */
type FenceColumn = { readonly fence: string | null }
/** As text, which keeps every digit. */
type SampledColumns = { readonly samplingRate: string | null }

/** Numbers that are given out in the order of the commits. */
export type CounterName = 'labels' | 'runs'

interface RunColumns {
  readonly fence: string | null
  /** The order of the commits: ids and times come from clocks. */
  readonly sequence: number
}

/** A type, as prepared queries take rows by their names. */
type DecisionColumns = {
  /** Of an action of profile `total`: the kind of the debate in that round, which its class follows from. */
  readonly debateKind: number | null
}

/** A type, as prepared queries take rows by their names. */
type LabelColumns = {
  /** The order of the commits, which says which label of a question is the latest: ids and times come from clocks. */
  readonly sequence: number
  readonly retractedAt: Millis | null
  /** JSON. */
  readonly grades: string | null
}

/** All null of a question that the monitor does not count; a type, as prepared queries take rows by their names. */
type ArrivalColumns = {
  readonly certificateId: string | null
  readonly arrival: number | null
  readonly arrivedAt: Millis | null
  /** As text, which keeps every digit. */
  readonly spotCheckRate: string | null
  readonly rateMark: number | null
}

/** A type, not an interface, as prepared queries take rows by their names. */
type DebateColumns = {
  readonly groupName: string | null
  /** Of the decision, to be listed by. */
  readonly kind: StoredDecision['kind'] | null
  readonly reason: string | null
  readonly isErased: Flag
  /** How often the row was written. */
  readonly version: number
}

/** Of calls that were moved out of the database: what is needed of them for what a run has spent. */
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

/** What the calls of a run up to one of them add up to, to read only later ones. */
interface CallSumsColumns {
  readonly runId: string
  /** Id of the last call. */
  readonly upTo: string
  /** How many they are. */
  readonly calls: number
  /** JSON. */
  readonly sums: string
  /** Of the other columns. */
  readonly digest: string
}

/** A type, not an interface, as prepared queries take rows by their names. */
type DecisionCountColumns = {
  readonly certificateId: string
  readonly kind: StoredDecision['kind']
  /** Empty of an action. */
  readonly reason: string
  readonly decided: number
  readonly rounds: number
}

/** `distance` is in billionths, `note` is JSON. */
interface ReviewColumns {
  /** From 1, in the order in which reviews of its question were added. */
  readonly sequence: number
  readonly isBlind: Flag | null
  /**
   * The list that it stands in while it is free, `assigned` while only one person gets it; null while somebody holds it, and
   * once it is submitted.
   */
  readonly queue: StoredReview['list'] | 'assigned' | null
  /** Its place in that list: when the question of a blind item arrived, the distance of an open one. */
  readonly rank: number
  /** Among items of one rank: the number of the question's arrival; 0 in the open list. */
  readonly arrival: number
  /** How often anybody skipped it. */
  readonly skips: number
}

export interface CertificateRow {
  readonly id: string
  readonly file: string
  readonly at: Millis
  readonly runId: string | null
}

/** SQLite has no booleans, so both engines keep 0 and 1. */
export type Flag = 0 | 1

export function flag(value: boolean): Flag {
  return value ? 1 : 0
}

type Columns<Row> = { readonly [Name in keyof Row]: Row[Name] extends boolean ? Flag : Row[Name] }
