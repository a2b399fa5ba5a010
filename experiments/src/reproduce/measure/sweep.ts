import { mostActing, policyNamed, type ReadDebates, selectRelativeBudget } from '@quorate/certificate'
import { DELTA, EPSILON } from './budgets.ts'

import { finalError, splitInHalves } from './worlds.ts'

/** Largest share of the budget that may be used on the held-out training half, by name of the rule. */
export const LIMITS = { strict: 0.05, usual: 0.1, loose: 0.2 } as const
export type LimitName = keyof typeof LIMITS

/** What the training half of one split determines about its budget. */
export interface Sweep {
  /** Error after the last round. */
  readonly trainError: number
  /** The multiplier chosen under each limit; null if none qualifies and the split defers. */
  readonly lambda: Readonly<Record<LimitName, number | null>>
  /** The multiplier under the usual limit, with ties going to the larger one. */
  readonly largerLambda: number | null
}

/** The paper's choice of the budget (appendix, Training-selected lambda*) under its three limits, in one sweep. */
export function sweepBudgets(read: ReadDebates, seed: number): Sweep {
  const { train } = splitInHalves(read, seed)
  const { sweep } = selectRelativeBudget(train, { policy: policyNamed('paper'), seed, delta: DELTA, epsilon: EPSILON })
  const chosenWithin = (limit: number) => mostActing(sweep, { limit })?.lambda ?? null
  return {
    trainError: finalError(train),
    lambda: {
      strict: chosenWithin(LIMITS.strict),
      usual: chosenWithin(LIMITS.usual),
      loose: chosenWithin(LIMITS.loose),
    },
    largerLambda: mostActing(sweep, { limit: LIMITS.usual, ties: 'larger' })?.lambda ?? null,
  }
}
