import type { Certificate } from '../certificate/calibrate.ts'
import type { TotalOutcome } from '../total/count.ts'

/**
 * The share of all questions that may be acted on and wrong, by a person's judgement, without contradicting the
 * promise. It is beta, or beta + nu if a model graded the calibration set: the certificate bounds P(act and not graded
 * right) by beta and P(act, graded right, not right by the person) by nu (`missedByJudge`). It is kept below 1, so that
 * it can be tested even if it promises nothing.
 *
 * People label spot checks, so a monitor that tests beta alone would test a promise that was never made.
 */
export function promisedWrongRate(certificate: Certificate): number {
  return Math.min(1 - 2 ** -20, certificate.budget.beta + missedByJudge(certificate))
}

/**
 * An upper limit for the share of all questions that are acted on with an answer that the model graded as right and a
 * person does not; 0 if people graded. If there is a promise for each group, the share of all questions is an average
 * over the groups in a mix that is not part of the promise. The limit is therefore the largest among the groups that
 * are acted on; the limit of a group that never acts does not matter. It holds if the limits of all these groups hold,
 * so their failure probabilities add up.
 */
export function missedByJudge({ kind, outcomes }: Judged): number {
  if (kind !== 'total' || outcomes === undefined) return 0
  const limits = [...outcomes.values()].map(({ chosen, judge }) => (chosen === null ? 0 : (judge?.upper ?? 0)))
  return limits.reduce((most, limit) => Math.max(most, limit), 0)
}

interface Judged {
  readonly kind: Certificate['kind']
  readonly outcomes?: ReadonlyMap<string | null, Pick<TotalOutcome, 'chosen' | 'judge'>> | undefined
}
