import { isRightAt } from '../beliefs/truth.ts'
import type { ReadPanel } from '../certificate/panel.ts'
import { CertificateError } from '../certificate-error.ts'
import { fixedRule } from './fixed-rule.ts'
import type { Policy } from './policy.ts'
import { trainingRows } from './training-rows.ts'

/** Uses the label of the debate that it decides: an upper limit for comparison, not a rule to deploy. */
export const oraclePolicy: Policy = {
  name: 'oracle',
  summary: 'Acts at the first round whose answer is right; possible only if the answer is known.',
  fit(train) {
    const training = trainingRows('oracle', train)
    if ('kind' in training) return training
    return fixedRule({ name: 'oracle', rounds: training.rounds, acts: isRight })
  },
}

function isRight(panel: ReadPanel, round: number): boolean {
  const { id, truth } = panel.record
  if (truth === null) throw new CertificateError('oracle', `gold of ${id}`, 'the right option', null)
  return isRightAt(panel, round)
}
