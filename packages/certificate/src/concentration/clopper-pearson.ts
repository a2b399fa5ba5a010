import { CertificateError } from '../certificate-error.ts'
import { betaQuantile, betaQuantileComplement } from '../special/beta-quantile.ts'
import { checkSample } from './check-sample.ts'

/**
 * Lower confidence bound on the average p of `count` independent Bernoulli means: it exceeds p with probability at most
 * `level`. BetaInv(level; successes, count - successes + 1), and 0 without successes (Clopper and Pearson 1934).
 *
 * Equal means: exact at every level. Unequal means: valid at any level < 1/4 whenever p >= .29 / count. Then
 * P(Bin(count, p) > count p) >= 1/4 (Doerr 2018), so the critical count exceeds count p + 1, and from there on the
 * binomial tail bounds the tail of every sum with the same average (Hoeffding 1956, Theorem 4). For p < .29 / count the
 * failure probability is at most -log(1 - level), and no such case can lead to an action.
 *
 * It is never below Hoeffding's bound, whose tail bound is above the binomial tail.
 */
export function clopperPearsonLower(successes: number, count: number, level: number): number {
  checkSample('clopperPearsonLower', successes, count, level)
  return successes === 0 ? 0 : betaQuantile(level, successes, count - successes + 1)
}

/** The mirror image: an upper bound that is below the average with probability at most `level`; 1 without failures. */
export function clopperPearsonUpper(successes: number, count: number, level: number): number {
  checkSample('clopperPearsonUpper', successes, count, level)
  return successes === count ? 1 : betaQuantileComplement(level, count - successes, successes + 1)
}

export interface RateInterval {
  readonly lower: number
  readonly upper: number
}

/** Two-sided interval for a rate, with half of the error on each side. `confidence` is for example .95. */
export function clopperPearsonInterval(successes: number, count: number, confidence: number): RateInterval {
  if (!(confidence > 0 && confidence < 1)) {
    throw new CertificateError('clopperPearsonInterval', 'confidence', 'in (0, 1)', confidence)
  }
  const level = (1 - confidence) / 2
  return {
    lower: clopperPearsonLower(successes, count, level),
    upper: clopperPearsonUpper(successes, count, level),
  }
}
