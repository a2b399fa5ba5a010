import { type Budget, budgetSentences, resolveProfileBudget } from '@quorate/certificate'
import { certificateBudgetLine } from '../report/budget-line.ts'
import { countText, exactTexts } from '../report/number-text.ts'
import type { PageFrame } from '../report/page-frame.ts'
import type { Calibration } from '../runs/calibrate-run.ts'
import { aside } from './page-text.ts'

const PARTS =
  'delta: the probability of an unlucky calibration set, which costs hardly any of beta; alpha: for wrong answers that ' +
  'pass the threshold, which is 1 - alpha; epsilon: ' +
  'for what a state forgets, and cells forget nothing that matters here.'

/** What the labels were used for, the budget in its parts, and the sentences of what is promised. */
export function budgetSection(
  { certified: { certificate }, outlook }: Calibration,
  budget: Budget,
  page: PageFrame,
): string[] {
  const { pilot, neighbours } = certificate.split
  const cells = outlook.cells === null ? '' : `; ${outlook.cells.acting} of ${outlook.cells.of} kinds of debate may act`
  const labels =
    `${countText(pilot.length)} pilot debates shape the certificate, ${countText(neighbours.length)} are ` +
    `counted${cells}`
  // The comparison below holds profiles with a state, which assume more.
  const local = resolveProfileBudget('demo', budget, 'tight', certificate.rounds)
  const more = budgetSentences({ kind: 'knn', budget: local, groupConditional: false }).slice(1)
  const [line] = exactTexts([certificate.threshold])
  return [
    ...aside('', labels, page),
    ...aside('Budget', certificateBudgetLine(certificate), page),
    ...aside('', PARTS, page),
    ...aside('Line', `act in the first round whose bound reaches ${line}; after the last round defer`, page),
    ...aside('Claim', budgetSentences(certificate).join(' '), page),
    ...aside('', `For tight and paper, which only appear in the comparison: ${more.join(' ')}`, page),
  ]
}
