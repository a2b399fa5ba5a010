import { budgetSentences, resolveProfileBudget, usualBudget } from '@quorate/certificate'
import { totalLines } from '../report/total-lines.ts'
import type { Calibration } from '../run/calibration/calibrate-run.ts'
import { certificateBudgetLine } from '../text/budget-line.ts'
import { countText, exactTexts } from '../text/number-text.ts'
import type { PageFrame } from '../text/page-frame.ts'
import { aside } from './page-text.ts'

const PARTS =
  'delta: the probability of an unlucky calibration set, which costs hardly any of beta; alpha: for wrong answers that ' +
  'pass the threshold, which is 1 - alpha; epsilon: for what a state forgets, and cells forget nothing that matters here.'

const TOTAL_PARTS =
  'beta: of all questions, acted on and wrong at most; floor: of the debates acted on in a class, right at least; delta: how ' +
  'often a certificate may break a promise.'

/** What the labels were used for, the budget, what it acts on and how much it uses, and the sentences of what is promised. */
export function budgetSection({ certified: { certificate }, outlook }: Calibration, page: PageFrame): string[] {
  const { pilot, neighbours } = certificate.split
  const cells = outlook.cells === null ? '' : `; ${outlook.cells.acting} of ${outlook.cells.of} cells may act`
  const labels =
    `${countText(pilot.length)} pilot debates shape the certificate, ${countText(neighbours.length)} are ` +
    `counted${cells}`
  // The comparison below holds profiles with a state, which assume more.
  const local = resolveProfileBudget('demo', usualBudget(certificate.budget.beta), 'tight', certificate.rounds)
  const more = budgetSentences({ kind: 'knn', budget: local, groupConditional: false }).slice(1)
  const [line] = exactTexts([certificate.threshold])
  const acts =
    certificate.kind === 'total'
      ? totalLines(certificate).flatMap(([word, text]) => aside(word, text, page))
      : aside('Line', `act in the first round whose bound reaches ${line}; after the last round defer`, page)
  return [
    ...aside('', labels, page),
    ...aside('Budget', certificateBudgetLine(certificate), page),
    ...aside('', certificate.kind === 'total' ? TOTAL_PARTS : PARTS, page),
    ...acts,
    ...aside('Claim', budgetSentences(certificate).join(' '), page),
    ...aside('', `For tight and paper, which only appear in the comparison: ${more.join(' ')}`, page),
  ]
}
