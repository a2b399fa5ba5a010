import { budgetSentences } from '@quorate/certificate'
import { budgetLine } from '../report/budget-line.ts'
import { countText, percentWithInterval, probabilityText } from '../report/number-text.ts'
import { plainText } from '../report/plain-text.ts'
import { hangingText, wrapText } from '../report/wrap-text.ts'
import type { Calibration } from '../runs/calibrate-run.ts'
import type { CertificateOutlook } from '../runs/certificate-outlook.ts'

/** What a certificate was made of and what it can do. */
export function calibrationText(
  { certified, outlook, debates, dropped }: Calibration,
  { out, width }: { readonly out: string; readonly width: number },
): string {
  const { certificate, id } = certified
  const left = [
    [dropped.unlabelled, 'without the right option'],
    [dropped.failed, 'that failed'],
    [dropped.short, 'that stopped early'],
    [dropped.undrawn, 'that were not drawn'],
  ] as const
  const leftOut = left.filter(([count]) => count > 0).map(([count, words]) => `${countText(count)} ${words}`)
  const lines = [
    [
      'Rows',
      `${countText(debates)} labelled debates of ${certificate.rounds} rounds${leftOut.length === 0 ? '' : `; left out: ${leftOut.join(', ')}`}`,
    ],
    ['Budget', budgetLine(certificate.budget)],
    ['Line', `act where the bound reaches ${probabilityText(certificate.threshold)}, profile ${certificate.profile}`],
    ['Outlook', outlookText(outlook)],
    ['File', `${plainText(out)}, id ${id}`],
  ] as const
  const told = lines.flatMap(([name, text]) => hangingText(name.padEnd(9), text, width))
  const claim = budgetSentences(certificate).flatMap((sentence) => wrapText(sentence, width))
  return `${[...told, '', ...claim].join('\n')}\n`
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
