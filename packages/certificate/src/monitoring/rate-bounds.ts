import { CertificateError } from '../certificate-error.ts'
import {
  ALARM_EXPONENTS,
  type Exponents,
  logCapital,
  type MonitorCounts,
  questionsOf,
  UPPER_EXPONENTS,
} from './log-capital.ts'
import { type BoundSettings, checkBoundSettings, checkSpotCheckRate } from './monitor-settings.ts'

/**
 * Lower bound on the wrong-action rate, averaged over the questions so far. It is above that average at any moment, ever,
 * with probability at most eta: it may be looked at after every question (method.md, section 10; Ville 1939).
 *
 * All rates whose capital has reached 1 / eta are excluded; capital falls as the rate rises, so they are those below
 * one number. Assumption: each question is drawn with its probability p whatever came before it; where p changed, the
 * average is the same among the questions of each p.
 */
export function wrongRateLower(counts: MonitorCounts, settings: BoundSettings): number {
  checkCounts('wrongRateLower', counts)
  checkBoundSettings('wrongRateLower', settings)
  const isExcluded = exclusion(ALARM_EXPONENTS, counts, settings)
  if (!isExcluded(0)) return 0
  return isExcluded(1) ? 1 : edge(isExcluded).below
}

/** The mirror image: it is below the average at any moment, ever, with probability at most eta. */
export function wrongRateUpper(counts: MonitorCounts, settings: BoundSettings): number {
  checkCounts('wrongRateUpper', counts)
  checkBoundSettings('wrongRateUpper', settings)
  const isExcluded = exclusion(UPPER_EXPONENTS, counts, settings)
  return isExcluded(1) ? edge((rate) => !isExcluded(rate)).above : 1
}

export function checkCounts(where: string, { asked, wrong }: MonitorCounts): void {
  for (const { spotCheckRate, questions } of asked) {
    checkSpotCheckRate(where, spotCheckRate)
    if (Number.isSafeInteger(questions) && questions >= 0) continue
    throw new CertificateError(where, 'questions', 'a whole number of at least 0', questions)
  }
  const questions = questionsOf({ asked })
  if (!(Number.isSafeInteger(wrong) && wrong >= 0 && wrong <= questions)) {
    throw new CertificateError(where, 'wrong', `a whole number in [0, ${questions}]`, wrong)
  }
}

function exclusion(exponents: Exponents, counts: MonitorCounts, { eta }: BoundSettings) {
  const line = -Math.log(eta)
  return (rate: number) => logCapital(exponents, counts, rate) >= line
}

/** Halvings of [0, 1] until neighbouring numbers near any rate that can be counted are met. */
const HALVINGS = 60

/** Both sides of the place where a predicate that holds at 0 and not at 1 changes. */
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
