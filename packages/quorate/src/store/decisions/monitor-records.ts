import type { Millis, QuestionStatus, StoredDecision } from '../store.ts'

/** Decisions of a certificate that came out alike, over all runs but shadows. */
export interface DecisionCount {
  readonly kind: StoredDecision['kind']
  /** Null of an action. */
  readonly reason: string | null
  readonly decided: number
  /** Rounds held in their debates, all together. */
  readonly rounds: number
}

/** A question that counts for a certificate, sampled or not. */
export interface ArrivedQuestion {
  readonly arrival: number
  readonly arrivedAt: Millis
  readonly runId: string
  readonly questionId: string
  readonly status: QuestionStatus
  /** The interchange JSON as far as it is stored; null: no round of it is. */
  readonly debate: string | null
}

/** How far a monitor has come, to go on from after a restart. */
export interface DriftPosition {
  readonly certificateId: string
  /** What it was begun with; another one means that it restarts. */
  readonly key: string
  /** The last arrival that it has taken in. */
  readonly arrival: number
  /** JSON. */
  readonly state: string
  readonly at: Millis
}

/** What figures over the questions of a certificate must leave out for people, who could tell a hidden one from them. */
export interface HiddenFigures {
  /** Of the decisions that are hidden. */
  readonly counts: readonly DecisionCount[]
  /** Of the oldest question that is hidden, decided or still debated; null: none that counts is. */
  readonly firstArrival: number | null
  /** Arrivals of hidden questions that were decided and sampled. */
  readonly sampled: readonly number[]
}

export interface MonitorStore {
  /** Another one after each debate and label that is stored or retracted: what was made of them all may be kept till then. */
  position(): Promise<string>
  /** Kept up by every commit of a decision, whatever process makes it: nothing is counted when they are asked for. */
  counts(certificateId: string): Promise<readonly DecisionCount[]>
  /** Costs as much as there are items in the queue and questions that are debated. */
  hidden(of: { readonly certificateId: string; readonly now: Millis }): Promise<HiddenFigures>
  /** In order of arrival. */
  arrived(page: {
    readonly certificateId: string
    readonly after: number
    readonly limit: number
  }): Promise<readonly ArrivedQuestion[]>
  findDrift(certificateId: string): Promise<DriftPosition | null>
  /** One that is further under the same key is left as it is. */
  keepDrift(position: DriftPosition): Promise<void>
}
