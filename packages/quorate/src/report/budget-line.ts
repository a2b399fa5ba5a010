import type { ResolvedBudget } from '@quorate/certificate'
import { exactTexts } from './number-text.ts'

/**
 * Under the paper's rule the parts that add up to beta: beta 0.100 = delta 0.030 + alpha 0.050 + epsilon 0.020. Under the
 * sharp rule they do not: delta hardly costs any of beta. A negative alpha is no part of anything.
 */
export function budgetLine({ beta, delta, alpha, epsilon, shortfall }: ResolvedBudget): string {
  if (alpha < 0) {
    const [spent, part, other] = exactTexts([beta, delta, epsilon])
    return `beta ${spent} leaves nothing for alpha beside delta ${part} and epsilon ${other}`
  }
  const [whole, first, second, third] = exactTexts([beta, delta, alpha, epsilon])
  if (shortfall !== delta) return `beta ${whole}, which leaves alpha ${second} with delta ${first} and epsilon ${third}`
  return `beta ${whole} = delta ${first} + alpha ${second} + epsilon ${third}`
}
