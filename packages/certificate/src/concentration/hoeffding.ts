import { checkSample } from './check-sample.ts'

/**
 * Lower confidence bound on the average of `count` independent Bernoulli means, which may differ: it exceeds that
 * average with probability at most `level` (Hoeffding 1963, Theorem 1).
 *
 * mean - sqrt(log(1 / level) / (2 count)); not clamped at 0. The bound of the paper; never above Clopper-Pearson.
 */
export function hoeffdingLower(successes: number, count: number, level: number): number {
  checkSample('hoeffdingLower', successes, count, level)
  return successes / count - Math.sqrt(-Math.log(level) / (2 * count))
}
