import { budgetSentences } from '@quorate/certificate'
import { budgetLine } from '../report/budget-line.ts'
import { countText } from '../report/number-text.ts'
import type { PageFrame } from '../report/page-frame.ts'
import { tableLines } from '../report/table.ts'
import { hangingText } from '../report/wrap-text.ts'
import type { Calibrated } from './calibrated.ts'

const PARTS =
  'delta: for an unlucky calibration set; alpha: for wrong answers that pass the line, which lies at 1 - alpha; epsilon: ' +
  'for what the state forgets, and cells forget nothing that matters here.'

/** Label counts, the budget in its parts for each profile, and the sentences of what is promised. */
export function budgetSection(runs: readonly Calibrated[], { width }: PageFrame): string[] {
  const [first] = runs
  if (first === undefined) return []
  const { pilot, neighbours } = first.certificate.split
  const [claim = ''] = budgetSentences(first.certificate)
  const local = runs.find(({ certificate }) => certificate.kind === 'knn')
  const more = local === undefined ? [] : budgetSentences(local.certificate).slice(1)
  const labels =
    `${countText(pilot.length + neighbours.length)} simulated debates with known answers: ` +
    `${countText(pilot.length)} pilot debates shape the certificate, ${countText(neighbours.length)} are counted; ` +
    `${countText(first.decided.length)} fresh ones test it`
  const budgets = runs.map(({ profile, certificate }) => [profile, budgetLine(certificate.budget)])
  return [
    ...hangingText('Labels   ', labels, width),
    ...tableLines(budgets, ['left', 'left']).map((line, index) => (index === 0 ? 'Budget   ' : '         ') + line),
    ...hangingText('         ', PARTS, width),
    ...hangingText('Claim    ', claim, width),
    ...(more.length === 0 ? [] : hangingText('         ', `For tight and paper: ${more.join(' ')}`, width)),
  ]
}
