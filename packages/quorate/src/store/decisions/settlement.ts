import type { OutboxMessage } from '../outbox.ts'
import type { Review } from '../reviews/reviews.ts'
import type {
  LedgerEntry,
  LedgerRow,
  Millis,
  NewQuestion,
  RunQuestion,
  StoredDebate,
  StoredDecision,
} from '../store.ts'
import type { PolicyEvent } from './policy-events.ts'

export interface AddedQuestion {
  readonly kind: 'added' | 'exists'
  readonly question: RunQuestion
  /** Its number among those that count for the certificate; null: it does not, or was there before. */
  readonly arrival: number | null
}

/** The answer to the rounds of a caller's debate, for repeated requests. */
export interface Certified {
  readonly runId: string
  readonly questionId: string
  readonly round: number
  readonly decisionId: string
  /** JSON of digests of the debate, to compare it with another. Null: erased with the question, which they would confirm. */
  readonly digests: string | null
  /** JSON of what was answered. */
  readonly result: string
  readonly at: Millis
}

/** All that is written about a question at once. */
export interface Settlement {
  /** Added to its run if that has not got it. */
  readonly question?: NewQuestion
  /** Null: the debate goes on, or was decided before; its question keeps its status. */
  readonly decision: StoredDecision | null
  readonly debate: StoredDebate
  readonly entry: LedgerEntry
  readonly certified?: Certified
  /** Certified rounds of the question that the caller knows of; with others in the store nothing is written. */
  readonly knownRounds?: number
  readonly review?: Review | null
  /** Review item of an earlier decision of the question: it is retracted if it still waits. */
  readonly retracts?: string | null
  readonly messages?: readonly OutboxMessage[]
  /** One that was taken over is an error; absent: nobody's in particular. */
  readonly fence?: string
  /**
   * True: the operator named the certificate on the command line, so that it may act without being activated. An action
   * under any other certificate that nobody activated is an error.
   */
  readonly isOperatorsChoice?: boolean
}

/**
 * `known`: there are other certified rounds of the question than was thought. `suspended`: the decision is an action, and the
 * policy was suspended before its commit. In both cases nothing was written.
 */
export type Settled =
  | {
      readonly kind: 'settled'
      /** Null: it was settled before, and its answer did not arrive. */
      readonly row: LedgerRow | null
      /** Of the question that was added, among those that count; null: it does not, or was there before. */
      readonly arrival: number | null
    }
  | { readonly kind: 'known'; readonly certified: readonly Certified[] }
  | { readonly kind: 'suspended'; readonly suspension: PolicyEvent }
