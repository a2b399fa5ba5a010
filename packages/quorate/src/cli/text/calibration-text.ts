import { budgetSentences } from '@quorate/certificate'
import { totalLines } from '../../report/total-lines.ts'
import type { Calibration } from '../../run/calibration/calibrate-run.ts'
import type { CertificateOutlook } from '../../run/calibration/certificate-outlook.ts'
import { mixtureText } from '../../run/calibration/served-models.ts'
import { certificateBudgetLine } from '../../text/budget-line.ts'
import { onQuestions, readingSentences } from '../../text/left-out.ts'
import { knnOptionsText } from '../../text/local-options.ts'
import { countOf, countText, percentText, percentWithInterval, probabilityText } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import { relativeSentence } from '../../text/relative-budget.ts'
import { hangingText, wrapText } from '../../text/wrap-text.ts'

export interface CalibrationFrame {
  readonly out: string
  readonly width: number
  /** Notes about unexpected settings of the config. */
  readonly notes: readonly string[]
  /** The next command, as it would be typed. */
  readonly next: string
}

/** The page of `quorate calibrate`: what the certificate was made from, and what it can do. */
export function calibrationText(
  { certified, outlook, debates, padded, dropped, reading }: Calibration,
  { out, width, notes, next }: CalibrationFrame,
): string {
  const { certificate, id } = certified
  const left = [
    [dropped.unlabelled, 'without the right option'],
    [dropped.failed, 'that failed in round 1'],
    [dropped.short, 'that stopped early'],
    [dropped.unsampled, 'that were not sampled'],
  ] as const
  const leftOut = left.filter(([count]) => count > 0).map(([count, words]) => `${countText(count)} ${words}`)
  const lines = [
    [
      'Rows',
      `${countText(debates)} labelled debates${onQuestions(debates, reading)} of ${countOf(certificate.rounds, 'round')}${paddedText(padded)}${leftOut.length === 0 ? '' : `; left out: ${leftOut.join(', ')}`}`,
    ],
    ...readingSentences(reading).map((sentence) => ['Note', sentence] as const),
    ...(Object.keys(certified.mixed).length === 0
      ? []
      : [['Models', `mixed: ${mixtureText(certified.mixed)}`] as const]),
    ['Budget', certificateBudgetLine(certificate)],
    ...(certified.relative === null ? [] : [['Relative', relativeSentence(certified.relative)] as const]),
    ...(certificate.kind === 'knn'
      ? [['Options', knnOptionsText(certificate.options, certificate.fingerprint.state)] as const]
      : []),
    ...notes.map((note) => ['Note', note] as const),
    ...(certificate.kind === 'total' ? totalLines(certificate) : [['Acts', actsText(certificate)] as const]),
    ['Outlook', outlookText(outlook)],
    ...alwaysLines(outlook, certificate.budget.beta),
    ...labelsLines(outlook),
    ...(certificate.kind !== 'total' && certificate.feasible && !certificate.canAct()
      ? [['Note', CANNOT_ACT] as const]
      : []),
    ['File', `${plainText(out)}, id ${id}`],
  ] as const
  const shown = lines.flatMap(([name, text]) => hangingText(name.padEnd(9), text, width))
  const claim = budgetSentences(certificate).flatMap((sentence) => wrapText(sentence, width))
  return `${[...shown, '', ...claim, '', 'Next', `  ${plainText(next)}`].join('\n')}\n`
}

const CANNOT_ACT =
  'this certificate cannot act on anything, because too few labelled debates are alike and right. All questions would be deferred'

/** An infeasible budget has no threshold, because a threshold above 1 could never be reached. */
function actsText({ budget, threshold, profile }: Calibration['certified']['certificate']): string {
  if (!budget.feasible) return `on nothing, because this budget is too small (profile ${profile})`
  return `where the bound reaches ${probabilityText(threshold)}, profile ${profile}`
}

function paddedText(padded: number): string {
  return padded === 0 ? '' : `, of which ${countText(padded)} failed and count as wrong in the rounds they lack`
}

/** Reported only if always acting would meet the budget, because then the total does not need a certificate. */
function alwaysLines({ always }: CertificateOutlook, beta: number): (readonly [string, string])[] {
  if (always.share > beta) return []
  const rate = percentWithInterval(always.share, always)
  return [['Always', `acting on every last answer is wrong on ${rate} %: always acting would meet this budget`]]
}

/** What more labels would gain, estimated from one split. */
function labelsLines({ doubling }: CertificateOutlook): (readonly [string, string])[] {
  if (doubling === null) return []
  const { from, to, change } = doubling
  const points = `${change < 0 ? '' : '+'}${percentText(change)} points`
  const text =
    `From ${countText(from)} to ${countText(to)} labels the share acted on changed by ${points} in that split. quorate plan ` +
    'estimates what more labels would gain.'
  return [['Labels', text]]
}

function outlookText({ cells, heldOut }: CertificateOutlook): string {
  const acting = cells === null ? '' : `${cells.acting} of ${cells.of} cells act. `
  if (heldOut === null) return `${acting}There are too few debates to try it on held-out ones.`
  const { acted, wrong, debates } = heldOut
  return (
    `${acting}Made from one half and tried on the other ${countText(debates)} debates, it acts on ` +
    `${percentWithInterval(acted.share, acted)} % of them and is wrong on ${percentWithInterval(wrong.share, wrong)} % of all. ` +
    'This is an estimate from one random split.'
  )
}
