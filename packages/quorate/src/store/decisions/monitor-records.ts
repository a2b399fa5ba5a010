import type { Millis, QuestionStatus, StoredDecision } from '../store.ts'

/** The number of decisions of a certificate with the same kind and reason, over all runs but shadow runs. */
export interface DecisionCount {
  readonly kind: StoredDecision['kind']
  /** Null for an action. */
  readonly reason: string | null
  readonly decided: number
  /** Total rounds of their debates. */
  readonly rounds: number
}

/** A question that counts for a certificate, sampled or not. */
export interface ArrivedQuestion {
  readonly arrival: number
  readonly arrivedAt: Millis
  readonly runId: string
  readonly questionId: string
  readonly status: QuestionStatus
  /** The interchange JSON of the rounds stored so far; null: no round is stored. */
  readonly debate: string | null
}

/** How far the drift monitor has come, so that it can continue after a restart. */
export interface DriftPosition {
  readonly certificateId: string
  /** Identifies the settings with which it started. With a different key it starts again. */
  readonly key: string
  /** The last arrival that it has processed. */
  readonly arrival: number
  /** JSON. */
  readonly state: string
  readonly at: Millis
}

/** What figures for people must leave out, because they would reveal something about a hidden question. */
export interface HiddenFigures {
  /** Counts of the hidden decisions. */
  readonly counts: readonly DecisionCount[]
  /** Arrival of the oldest hidden question, decided or still in debate; null: no counted question is hidden. */
  readonly firstArrival: number | null
  /** Arrivals of hidden questions that were decided and sampled. */
  readonly sampled: readonly number[]
}

export interface MonitorStore {
  /** Changes whenever a debate or a label is stored or retracted. Results over all of them can be cached until then. */
  position(): Promise<string>
  /** Every commit of a decision, by any process, updates these counts, so reading them counts nothing. */
  counts(certificateId: string): Promise<readonly DecisionCount[]>
  /** Its cost grows with the number of items in the queue and of questions in debate. */
  hidden(of: { readonly certificateId: string; readonly now: Millis }): Promise<HiddenFigures>
  /** In order of arrival. */
  arrived(page: {
    readonly certificateId: string
    readonly after: number
    readonly limit: number
  }): Promise<readonly ArrivedQuestion[]>
  findDrift(certificateId: string): Promise<DriftPosition | null>
  /** Keeps a stored position with the same key if it is further ahead. */
  keepDrift(position: DriftPosition): Promise<void>
}
