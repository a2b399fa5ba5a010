import { clopperPearsonInterval, usualBudget } from '@quorate/certificate'
import { countText, percentText, percentWithInterval } from '../report/number-text.ts'
import { heading, type PageFrame } from '../report/page-frame.ts'
import { tableLines } from '../report/table.ts'
import { wrapText } from '../report/wrap-text.ts'
import { type Calibrated, decideAll } from './calibrated.ts'
import { measureDecisions } from './measure.ts'

const LARGER_BETAS = [0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3]

/** Why nothing is acted on, and what the same labels do allow. Instead of plays: there is no action to play. */
export function reachSection({ profile, certificate, decided }: Calibrated, page: PageFrame): string[] {
  const { budget, feasible } = certificate
  const why = feasible
    ? `No bound reaches the line ${budget.threshold}.`
    : `beta = ${budget.beta} leaves alpha = ${budget.alpha} for wrong answers that pass the line; quorate certifies ` +
      'nothing at 0.001 or less.'
  const labels = feasible
    ? `Even a group of debates without one wrong answer must hold ${countText(perfectRecord(budget))} labels or more to ` +
      'get there, and the groups here hold wrong answers too.'
    : 'No number of labels changes that; only a larger beta does.'
  const text = `${why} So every question goes to a person, which keeps the budget. ${labels}`
  return [
    heading('Nothing is acted on', page),
    ...wrapText(text, page.width),
    '',
    ...wrapText(
      `What the same ${countText(certificate.split.pilot.length + certificate.split.neighbours.length)} labels allow ` +
        `at a larger beta (${profile}, on the same ${countText(decided.length)} questions):`,
      page.width,
    ),
    ...reachTable({ certificate, decided }).map((line) => `  ${line}`),
  ]
}

/** Rows without one failure whose Clopper-Pearson bound at level delta reaches 1 - alpha: delta^(1/n) >= 1 - alpha. */
function perfectRecord({ delta, threshold }: Calibrated['certificate']['budget']): number {
  return Math.ceil(Math.log(delta) / Math.log(threshold))
}

function reachTable({ certificate, decided }: Pick<Calibrated, 'certificate' | 'decided'>): string[] {
  const fresh = decided.map(({ debate }) => debate)
  const rows = LARGER_BETAS.filter((beta) => beta > certificate.budget.beta).map((beta) => {
    const other = certificate.withBudget(usualBudget(beta))
    const { acted, wrong, questions } = measureDecisions(decideAll(other, fresh))
    const rate = percentWithInterval(wrong / questions, clopperPearsonInterval(wrong, questions, 0.95))
    return [beta.toFixed(3), percentText(acted / questions), rate]
  })
  return tableLines([['beta', 'Act %', 'Wrong actions % (95 %)'], ...rows], ['left', 'right', 'right'])
}
