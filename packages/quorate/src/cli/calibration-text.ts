import {
  actingClasses,
  budgetSentences,
  className,
  silenceSentences,
  type TotalCertificate,
} from '@quorate/certificate'
import { certificateBudgetLine } from '../report/budget-line.ts'
import { onQuestions, readingSentences } from '../report/left-out.ts'
import { countText, percentWithInterval, probabilityText } from '../report/number-text.ts'
import { plainText } from '../report/plain-text.ts'
import { hangingText, wrapText } from '../report/wrap-text.ts'
import type { Calibration } from '../runs/calibrate-run.ts'
import type { CertificateOutlook } from '../runs/certificate-outlook.ts'
import { mixtureText } from '../runs/served-models.ts'

export interface CalibrationFrame {
  readonly out: string
  readonly width: number
  /** What a person may not expect of the config. */
  readonly notes: readonly string[]
  /** What to do next, as it would be typed. */
  readonly next: string
}

/** What a certificate was made of and what it can do. */
export function calibrationText(
  { certified, outlook, debates, padded, dropped, reading }: Calibration,
  { out, width, notes, next }: CalibrationFrame,
): string {
  const { certificate, id } = certified
  const left = [
    [dropped.unlabelled, 'without the right option'],
    [dropped.undecidable, 'that nobody could decide'],
    [dropped.failed, 'that failed in round 1'],
    [dropped.short, 'that stopped early'],
    [dropped.undrawn, 'that were not drawn'],
  ] as const
  const leftOut = left.filter(([count]) => count > 0).map(([count, words]) => `${countText(count)} ${words}`)
  const lines = [
    [
      'Rows',
      `${countText(debates)} labelled debates${onQuestions(debates, reading)} of ${certificate.rounds} rounds${paddedText(padded)}${leftOut.length === 0 ? '' : `; left out: ${leftOut.join(', ')}`}`,
    ],
    ...readingSentences(reading).map((sentence) => ['Note', sentence] as const),
    ...(Object.keys(certified.mixed).length === 0
      ? []
      : [['Models', `mixed: ${mixtureText(certified.mixed)}`] as const]),
    ['Budget', certificateBudgetLine(certificate)],
    ...notes.map((note) => ['Note', note] as const),
    ...(certificate.kind === 'total' ? totalLines(certificate) : [['Line', lineText(certificate)] as const]),
    ['Outlook', outlookText(outlook)],
    ...(certificate.kind !== 'total' && certificate.feasible && !certificate.canAct()
      ? [['Note', CANNOT_ACT] as const]
      : []),
    ['File', `${plainText(out)}, id ${id}`],
  ] as const
  const told = lines.flatMap(([name, text]) => hangingText(name.padEnd(9), text, width))
  const claim = budgetSentences(certificate).flatMap((sentence) => wrapText(sentence, width))
  return `${[...told, '', ...claim, '', 'Next', `  ${plainText(next)}`].join('\n')}\n`
}

const CANNOT_ACT =
  'this certificate cannot act on anything: not enough labelled debates are alike and right; decide would defer everything'

/** What is acted on among the counted debates, each class with its count, and what was refused and why. */
function totalLines(certificate: TotalCertificate): (readonly [string, string])[] {
  const lines: (readonly [string, string])[] = []
  for (const [group, outcome] of certificate.outcomes) {
    const of = group === '' ? '' : ` (${plainText(group)})`
    const [acted, wrong, all] = [outcome.acted, outcome.wrong, outcome.rows].map(countText)
    lines.push([`Acts${of}`, `on ${acted} of the ${all} debates kept for counting, ${wrong} of them wrong`])
    for (const each of actingClasses(outcome)) {
      const limit = probabilityText(each.lower)
      const counts = `${countText(each.right)} of ${countText(each.rows)} right, at least ${limit}`
      lines.push(['Class', `${className(each)}: ${counts}`])
    }
  }
  for (const sentence of silenceSentences(certificate)) lines.push(['Refused', sentence])
  return lines
}

/** A budget that is used up has no line: one above 1 would be none. */
function lineText({ budget, threshold, profile }: Calibration['certified']['certificate']): string {
  if (!budget.feasible) return `none: this budget leaves nothing to act with, so it never acts; profile ${profile}`
  return `act where the bound reaches ${probabilityText(threshold)}, profile ${profile}`
}

function paddedText(padded: number): string {
  return padded === 0 ? '' : `, of which ${countText(padded)} failed and count as wrong in the rounds they lack`
}

function outlookText({ cells, heldOut }: CertificateOutlook): string {
  const acting = cells === null ? '' : `${cells.acting} of ${cells.of} cells act; `
  if (heldOut === null) return `${acting}too few debates to try it on held-out ones`
  const { acted, wrong, debates } = heldOut
  return (
    `${acting}made from one half and tried on the other ${countText(debates)} debates it acts on ` +
    `${percentWithInterval(acted.share, acted)} % of them and is wrong on ${percentWithInterval(wrong.share, wrong)} % of all; ` +
    'one random split, an estimate'
  )
}
