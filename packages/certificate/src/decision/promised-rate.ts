import type { Certificate } from '../certificate/calibrate.ts'
import type { TotalOutcome } from '../total/count.ts'

/**
 * The share of all questions that may be acted on and wrong, by the word of a person, without contradicting the promise. It is
 * beta, and where a model graded the calibration set beta + nu: the certificate bounds P(act and not graded right) by beta and
 * P(act, graded right, not right by the person) by nu (`missedByJudge`). Below 1, so that it can be tested even where it
 * promises nothing.
 *
 * People label spot checks, so a monitor that tests beta alone would contradict what nobody promised.
 */
export function promisedWrongRate(certificate: Certificate): number {
  return Math.min(1 - 2 ** -20, certificate.budget.beta + missedByJudge(certificate))
}

/**
 * An upper limit for the share of all questions that are acted on with an answer that the model called right and a person does
 * not; 0 where people graded. With a promise for each group the share of all questions is an average of those of the groups in
 * a mix that nobody promised, so that it is the largest limit of a group that is acted on; the limit of one that never acts says
 * nothing. It holds where the limits of all these groups do, whose chances to fail add up.
 */
export function missedByJudge({ kind, outcomes }: Judged): number {
  if (kind !== 'total' || outcomes === undefined) return 0
  const limits = [...outcomes.values()].map(({ chosen, judge }) => (chosen === null ? 0 : (judge?.upper ?? 0)))
  return limits.reduce((most, limit) => Math.max(most, limit), 0)
}

interface Judged {
  readonly kind: Certificate['kind']
  readonly outcomes?: ReadonlyMap<string, Pick<TotalOutcome, 'chosen' | 'judge'>> | undefined
}
