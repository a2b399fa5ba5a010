/** Questions at intake that had the same probability p in (0, 1] of being sampled, whether they were or not. */
export interface AskedAt {
  readonly spotCheckRate: number
  readonly questions: number
}

/** Questions at intake by their p, and how many of them were sampled, acted on and wrong. */
export interface MonitorCounts {
  readonly asked: readonly AskedAt[]
  readonly wrong: number
}

export function questionsOf({ asked }: Pick<MonitorCounts, 'asked'>): number {
  return asked.reduce((sum, { questions }) => sum + questions, 0)
}

/** The exponents l_j. The capital is spread evenly over them. */
export type Exponents = readonly number[]

/**
 * Exponents of the alarm and of the lower bound: five from .1 to 1, evenly spaced on a logarithmic scale. An exponent l
 * is best if the true rate is e^l times beta, so these cover ratios from 1.1 to 2.7. All of them detect a larger ratio
 * soon.
 */
export const ALARM_EXPONENTS: Exponents = Object.freeze([0, 1, 2, 3, 4].map((step) => 10 ** (step / 4 - 1)))

/**
 * Exponents of the upper bound: the mirror image, with two of larger size for the time before anything wrong has been
 * seen.
 */
export const UPPER_EXPONENTS: Exponents = Object.freeze([0, 1, 2, 3, 4, 5, 6].map((step) => -(10 ** (step / 4 - 1))))

/**
 * log M_n, where M_n = mean over j of exp(l_j S_n - sum over i of log(1 + r_i (e^{l_j} - 1))) with r_i = p_i times
 * `rate`. It is computed from the counts alone, without sums over time, so a stored count continues bit for bit.
 *
 * If E[X_i | past] = p_i q_i and, among the questions of each p, the mean of q_i is at most `rate` (all l_j > 0) or at
 * least `rate` (all l_j < 0), then M_n is at most a martingale that starts at 1: log is concave, so the sum of
 * log(1 + p q_i (e^l - 1)) over such a group is at most its value with every q_i replaced by their mean. Then
 * P(M_n >= 1 / eta for some n) <= eta (Ville 1939).
 */
export function logCapital(exponents: Exponents, counts: MonitorCounts, rate: number): number {
  // Plain loops, since monitors call this after every question.
  const terms = new Float64Array(exponents.length)
  let largest = Number.NEGATIVE_INFINITY
  for (let at = 0; at < terms.length; at++) {
    terms[at] = logTerm(exponents[at]!, counts, rate)
    largest = Math.max(largest, terms[at]!)
  }
  let sum = 0
  for (let at = 0; at < terms.length; at++) sum += Math.exp(terms[at]! - largest)
  return largest + Math.log(sum / exponents.length)
}

function logTerm(exponent: number, { asked, wrong }: MonitorCounts, rate: number): number {
  const growth = Math.expm1(exponent)
  let log = exponent * wrong
  for (const { spotCheckRate, questions } of asked) {
    log -= questions * Math.log1p(spotCheckRate * rate * growth)
  }
  return log
}
