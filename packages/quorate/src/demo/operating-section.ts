import { POLICY_NAMES, promiseOf } from '@quorate/certificate'
import type { OperatingPoint } from '../report/operating-point.ts'
import { operatingTable, STANDING_LEGEND } from '../report/operating-table.ts'
import { countText } from '../text/number-text.ts'
import { heading, type PageFrame } from '../text/page-frame.ts'
import { wrapText } from '../text/wrap-text.ts'
import { COMPARED } from './compare.ts'

/** Ours beside other rules on the same new questions. */
export function operatingSection(points: readonly OperatingPoint[], beta: number, page: PageFrame): string[] {
  const [ours] = points
  const questions = countText(ours?.questions ?? 0)
  const promised = COMPARED.filter((name) => promiseOf(name) !== 'none').join(', ')
  const note =
    `Acc|Act: right among those acted on. Wrong actions: acted on and wrong, of all ${questions}. Rnd, calls: mean a ` +
    'question; a deferral counts as all rounds, spot checks are left out. In brackets: 95 % Clopper-Pearson intervals. ' +
    `${STANDING_LEGEND}`
  const meaning =
    `Fitted on the same labels. ${ours?.name ?? ''}, ${promised} promise something beforehand; the others may keep beta by ` +
    'luck. learn-then-test bounds only the total of wrong actions, ours also the error of every class of debates that it ' +
    `acts on, so it acts less. quorate evaluate has ${POLICY_NAMES.length - COMPARED.length - 1} rules more.`
  return [
    heading(`Ours, in the first row, and other rules on the ${questions} new questions, beta ${beta}`, page),
    ...operatingTable(points, beta, page.style),
    ...wrapText(note, page.width).map(page.style.faint),
    ...wrapText(meaning, page.width),
  ]
}
