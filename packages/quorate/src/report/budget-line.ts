import type { ResolvedBudget } from '@quorate/certificate'
import { exactTexts } from './number-text.ts'

/** beta 0.100 = delta 0.030 + alpha 0.050 + epsilon 0.020; a negative alpha is no part of anything. */
export function budgetLine({ beta, delta, alpha, epsilon }: ResolvedBudget): string {
  if (alpha < 0) {
    const [spent, part, other] = exactTexts([beta, delta, epsilon])
    return `beta ${spent} is less than delta ${part} + epsilon ${other}: nothing is left for alpha`
  }
  const [whole, first, second, third] = exactTexts([beta, delta, alpha, epsilon])
  return `beta ${whole} = delta ${first} + alpha ${second} + epsilon ${third}`
}
