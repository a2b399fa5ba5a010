import { CertificateError } from '../certificate-error.ts'
import { ALARM_EXPONENTS, type AskedAt, type Exponents, logCapital, UPPER_EXPONENTS } from './log-capital.ts'
import { type BoundSettings, checkBoundSettings, checkSpotCheckRate } from './monitor-settings.ts'

/** Questions with one probability p, and how many of them were sampled, acted on and wrong. */
export interface StretchCounts extends AskedAt {
  readonly wrong: number
}

/**
 * Lower bound on the wrong-action rate, averaged over the questions so far. The probability that it ever exceeds that
 * average, at any moment, is at most eta (`missOf` once p has changed), so it may be checked after every question (Ville
 * 1939).
 *
 * It excludes all rates whose capital has reached 1 / eta. Capital falls as the rate rises, so these are the rates
 * below one number. If p changed, there is a stretch for each p, in the order in which they first occurred, with its
 * own bound, since p is often changed because the rate did. The first stretch keeps eta, the k-th has
 * eta / (k (k + 1)), and the bounds are averaged by questions. The probability that any of these bounds ever fails is at
 * most `missOf`. Assumption: each question is sampled with its probability p, whatever came before it and however p was
 * chosen.
 */
export function wrongRateLower(stretches: readonly StretchCounts[], settings: BoundSettings): number {
  return average('wrongRateLower', stretches, settings)
}

/** The mirror image: an upper bound that is ever below the average with at most the same probability. */
export function wrongRateUpper(stretches: readonly StretchCounts[], settings: BoundSettings): number {
  return average('wrongRateUpper', stretches, settings)
}

/**
 * Upper limit of the probability that a bound of one side ever fails: eta, or 1.5 eta once p has changed
 * (1/6 + 1/12 + ... = 1/2).
 */
export function missOf(stretches: readonly AskedAt[], { eta }: BoundSettings): number {
  return stretches.length > 1 ? 1.5 * eta : eta
}

type Side = 'wrongRateLower' | 'wrongRateUpper'

function average(side: Side, stretches: readonly StretchCounts[], settings: BoundSettings): number {
  checkBoundSettings(side, settings)
  for (const stretch of stretches) checkCounts(side, stretch)
  const [first, ...others] = stretches
  if (first === undefined) return side === 'wrongRateLower' ? 0 : 1
  if (others.length === 0) return boundOf(side, first, settings)
  const total = stretches.reduce((sum, { questions }) => sum + questions, 0)
  if (total === 0) return side === 'wrongRateLower' ? 0 : 1
  return stretches.reduce((sum, stretch, at) => {
    const eta = at === 0 ? settings.eta : settings.eta / ((at + 1) * (at + 2))
    return sum + (stretch.questions / total) * boundOf(side, stretch, { eta })
  }, 0)
}

function boundOf(side: Side, stretch: StretchCounts, settings: BoundSettings): number {
  if (side === 'wrongRateUpper') {
    const isExcluded = exclusion(UPPER_EXPONENTS, stretch, settings)
    return isExcluded(1) ? edge((rate) => !isExcluded(rate)).above : 1
  }
  const isExcluded = exclusion(ALARM_EXPONENTS, stretch, settings)
  if (!isExcluded(0)) return 0
  return isExcluded(1) ? 1 : edge(isExcluded).below
}

function checkCounts(where: string, { spotCheckRate, questions, wrong }: StretchCounts): void {
  checkSpotCheckRate(where, spotCheckRate)
  if (!(Number.isSafeInteger(questions) && questions >= 0)) {
    throw new CertificateError(where, 'questions', 'a whole number of at least 0', questions)
  }
  if (!(Number.isSafeInteger(wrong) && wrong >= 0 && wrong <= questions)) {
    throw new CertificateError(where, 'wrong', `a whole number in [0, ${questions}]`, wrong)
  }
}

function exclusion(exponents: Exponents, { spotCheckRate, questions, wrong }: StretchCounts, { eta }: BoundSettings) {
  const threshold = -Math.log(eta)
  const counts = { asked: [{ spotCheckRate, questions }], wrong }
  return (rate: number) => logCapital(exponents, counts, rate) >= threshold
}

/** Bisections of [0, 1] that reach adjacent numbers near any rate that can be counted. */
const HALVINGS = 60

/** Both sides of the point where a predicate that is true at 0 and false at 1 changes. */
function edge(isBelow: (rate: number) => boolean): { readonly below: number; readonly above: number } {
  let below = 0
  let above = 1
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (below + above) / 2
    if (isBelow(middle)) below = middle
    else above = middle
  }
  return { below, above }
}
