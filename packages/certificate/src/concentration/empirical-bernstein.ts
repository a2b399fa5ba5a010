import { CertificateError } from '../certificate-error.ts'
import { checkSample } from './check-sample.ts'

/**
 * Lower confidence bound on the average of `count` independent Bernoulli means, which may differ: it exceeds that
 * average with probability at most `level` (Maurer and Pontil 2009, Theorem 11: independent, not necessarily identical).
 *
 * mean - sqrt(2 v log(2 / level) / count) - 7 log(2 / level) / (3 (count - 1)), not clamped at 0. The theorem needs the
 * unbiased v = mean (1 - mean) count / (count - 1): `unbiased`. The paper prints v = mean (1 - mean), which is smaller:
 * `paper`, for reproduction only. A single observation has no variance, hence count >= 2.
 */
export function empiricalBernsteinLower(
  successes: number,
  count: number,
  level: number,
  variance: 'paper' | 'unbiased',
): number {
  checkSample('empiricalBernsteinLower', successes, count, level)
  if (!(count >= 2)) throw new CertificateError('empiricalBernsteinLower', 'count', 'at least 2', count)
  const mean = successes / count
  const spread = mean * (1 - mean) * (variance === 'paper' ? 1 : count / (count - 1))
  const cost = Math.LN2 - Math.log(level)
  return mean - Math.sqrt((2 * spread * cost) / count) - (7 * cost) / (3 * (count - 1))
}
