import { type Certificate, replay, silenceSentences, usualBudget, usualFloor } from '@quorate/certificate'
import { rateText } from '../report/operating-table.ts'
import { countText, percentText } from '../text/number-text.ts'
import { heading, type PageFrame } from '../text/page-frame.ts'
import { tableLines } from '../text/table.ts'
import { wrapText } from '../text/wrap-text.ts'
import { type DemoDebates, type PanelSize, replayedPoint } from './compare.ts'

const LARGER_BETAS = [0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3]

/** Explains why nothing is acted on, and what the same labels would allow at a larger beta. */
export function reachSection(
  certificate: Certificate,
  debates: DemoDebates,
  size: PanelSize,
  page: PageFrame,
): string[] {
  const { profile, split } = certificate
  const allowed =
    `What the same ${countText(split.pilot.length + split.neighbours.length)} labels allow at a larger beta ` +
    `(${profile}, on the same ${countText(debates.fresh.debates.length)} questions):`
  return [
    heading('Nothing is acted on', page),
    ...wrapText(whyText(certificate), page.width),
    '',
    ...wrapText(allowed, page.width),
    ...reachTable(certificate, debates, size).map((line) => `  ${line}`),
    ...wrapText(certificate.kind === 'total' ? FURTHER_ATTEMPT : LABELS_ALIKE, page.width).map(page.style.faint),
  ]
}

const FURTHER_ATTEMPT =
  'Each beta with its usual floor. A beta chosen by looking at labels is a further attempt on them, and is counted.'
const LABELS_ALIKE =
  'Labels alike: labelled debates of one kind, none of them wrong, that the threshold needs. With wrong ones it needs ' +
  'more, and where more than alpha are wrong no number is enough.'

function whyText(certificate: Certificate): string {
  const keeps = 'So every question goes to a person, which keeps the budget.'
  if (certificate.kind === 'total') return [...silenceSentences(certificate), keeps].join(' ')
  const { budget, feasible } = certificate
  const why = feasible
    ? `No bound reaches the threshold ${budget.threshold}.`
    : `beta = ${budget.beta} leaves alpha = ${budget.alpha} for wrong answers that pass the threshold. quorate certifies ` +
      'nothing at 0.001 or less.'
  const labels = feasible
    ? `Even a group of debates without one wrong answer must have ${countText(perfectRecord(budget))} labels or more to ` +
      'get there, and the groups here have wrong answers too.'
    : 'No number of labels changes that. Only a larger beta does.'
  return `${why} ${keeps} ${labels}`
}

/** The smallest n without a failure whose Clopper-Pearson bound at level delta reaches 1 - alpha: delta^(1/n) >= 1 - alpha. */
function perfectRecord({ delta, threshold }: Certificate['budget']): number {
  return Math.ceil(Math.log(delta) / Math.log(threshold))
}

function reachTable(certificate: Certificate, { fresh }: DemoDebates, size: PanelSize): string[] {
  const replayed = replay(certificate, fresh)
  const isTotal = certificate.kind === 'total'
  const rows = LARGER_BETAS.filter((beta) => beta > certificate.budget.beta).map((beta) => {
    const budget = usualBudget(beta, certificate.profile)
    const { actedAt } = replayed.at(budget)
    const { acted, wrong, questions } = replayedPoint('', fresh.debates, actedAt, size)
    const last = isTotal ? usualFloor(beta).toFixed(2) : countText(perfectRecord(certificate.withBudget(budget).budget))
    return [beta.toFixed(3), percentText(acted / questions), rateText(wrong, questions), last]
  })
  const header = ['beta', 'Act %', 'Wrong actions % (95 %)', isTotal ? 'floor' : 'labels alike, at least']
  return tableLines([header, ...rows], ['left', 'right', 'right', 'right'])
}
