/** Questions at intake, drawn or not, and how many of them were drawn, acted on and wrong. */
export interface MonitorCounts {
  readonly questions: number
  readonly wrong: number
}

/** The exponents l_j; capital is spread evenly over them. */
export type Exponents = readonly number[]

/**
 * Of the alarm and of the lower bound: five from .1 to 1, evenly on a logarithmic scale. e^l is the ratio of the true
 * rate to beta that an exponent is best at, so these cover 1.1 to 2.7; a larger ratio is seen soon by any of them.
 */
export const ALARM_EXPONENTS: Exponents = Object.freeze([0, 1, 2, 3, 4].map((step) => 10 ** (step / 4 - 1)))

/** Of the upper bound: the mirror image, with two larger ones for the time when nothing wrong has been seen yet. */
export const UPPER_EXPONENTS: Exponents = Object.freeze([0, 1, 2, 3, 4, 5, 6].map((step) => -(10 ** (step / 4 - 1))))

/**
 * log M_n, M_n = mean over j of exp(l_j S_n - n log(1 + r (e^{l_j} - 1))), from the counts n and S_n alone: nothing is
 * summed up over time, so a stored count continues bit for bit.
 *
 * If E[X_i | past] = r_i and the mean of r_1..r_n is at most r (all l_j > 0) or at least r (all l_j < 0), M_n is at
 * most a martingale that starts at 1: log is concave, so the sum of log(1 + r_i (e^l - 1)) is at most n times the one at
 * their mean. Then P(M_n >= 1 / eta for some n) <= eta (Ville 1939).
 */
export function logCapital(exponents: Exponents, { questions, wrong }: MonitorCounts, r: number): number {
  let largest = Number.NEGATIVE_INFINITY
  for (const exponent of exponents) largest = Math.max(largest, logTerm(exponent, questions, wrong, r))
  let sum = 0
  for (const exponent of exponents) sum += Math.exp(logTerm(exponent, questions, wrong, r) - largest)
  return largest + Math.log(sum / exponents.length)
}

function logTerm(exponent: number, questions: number, wrong: number, r: number): number {
  return exponent * wrong - questions * Math.log1p(r * Math.expm1(exponent))
}
