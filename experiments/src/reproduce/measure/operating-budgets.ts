import { relativeBeta } from './budgets.ts'
import type { Sweep } from './sweep.ts'

/** Ways to set the budget of one split. `pooled` is the mean multiplier over all splits, applied to this split's error. */
export const OPERATING_RULES = ['usual', 'strict', 'loose', 'fixed-1.5', 'fixed-2.5', 'pooled'] as const
export type OperatingRule = (typeof OPERATING_RULES)[number]

/** Null if the rule leaves the split without a budget. */
export type OperatingBudgets = Readonly<Record<OperatingRule, number | null>>

export function operatingBudgets({ trainError, lambda }: Sweep, pooledLambda: number | null): OperatingBudgets {
  return {
    usual: relativeBeta(lambda.usual, trainError),
    strict: relativeBeta(lambda.strict, trainError),
    loose: relativeBeta(lambda.loose, trainError),
    'fixed-1.5': relativeBeta(1.5, trainError),
    'fixed-2.5': relativeBeta(2.5, trainError),
    pooled: relativeBeta(pooledLambda, trainError),
  }
}
