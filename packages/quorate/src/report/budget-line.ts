import type { ResolvedBudget } from '@quorate/certificate'
import { exactTexts } from './number-text.ts'

/** beta 0.100 = delta 0.030 + alpha 0.050 + epsilon 0.020 */
export function budgetLine({ beta, delta, alpha, epsilon }: ResolvedBudget): string {
  const [whole, first, second, third] = exactTexts([beta, delta, alpha, epsilon])
  return `beta ${whole} = delta ${first} + alpha ${second} + epsilon ${third}`
}
