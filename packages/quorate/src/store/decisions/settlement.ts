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
  /** Number of the question among those counted for the certificate; null: it is not counted, or it existed already. */
  readonly arrival: number | null
}

/** The stored response to a certified round of a caller's debate, for repeated requests. */
export interface CertifiedRound {
  readonly runId: string
  readonly questionId: string
  readonly round: number
  readonly decisionId: string
  /** JSON of digests of the debate, to compare debates. Null: erased with the question, because they would confirm a guess. */
  readonly digests: string | null
  /** JSON of the response. */
  readonly result: string
  readonly at: Millis
}

/** Everything that is written about a question in one commit. */
export interface Settlement {
  /** Added to its run if the run does not have it. */
  readonly question?: NewQuestion
  /** Null: the debate continues, or was decided before. The question then keeps its status. */
  readonly decision: StoredDecision | null
  readonly debate: StoredDebate
  readonly entry: LedgerEntry
  readonly certified?: CertifiedRound
  /** The number of certified rounds that the caller knows of. If the store has a different number, nothing is written. */
  readonly knownRounds?: number
  readonly review?: Review | null
  /** Id of the review item of an earlier decision on the question. It is retracted if it still waits. */
  readonly retracts?: string | null
  readonly messages?: readonly OutboxMessage[]
  /** A fence that was taken over is an error. Absent: any process may write. */
  readonly fence?: string
  /**
   * True: the operator named the certificate on the command line, so it may act without being activated. An action under any
   * other certificate that was not activated is an error.
   */
  readonly isOperatorsChoice?: boolean
}

/**
 * `known`: the store has more or fewer certified rounds of the question than the caller knew. `suspended`: the decision is an
 * action, and the policy was suspended before its commit. In both cases nothing was written.
 */
export type Settled =
  | {
      readonly kind: 'settled'
      /** Null: it was settled by an earlier attempt whose response was lost. */
      readonly row: LedgerRow | null
      /** Number of the added question among those counted for the certificate; null: not counted, or it existed already. */
      readonly arrival: number | null
    }
  | { readonly kind: 'known'; readonly certified: readonly CertifiedRound[] }
  | { readonly kind: 'suspended'; readonly suspension: PolicyEvent }
