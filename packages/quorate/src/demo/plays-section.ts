import { type Certificate, totalEvidence } from '@quorate/certificate'
import { BLOCKS } from '../report/bound-bar.ts'
import { debatePlay } from '../report/debate-play.ts'
import { countText } from '../text/number-text.ts'
import { heading, type PageFrame } from '../text/page-frame.ts'
import { LINE } from '../text/style.ts'
import { wrapText } from '../text/wrap-text.ts'
import { type ChosenPlay, choosePlays } from './choose-plays.ts'
import type { Decided } from './decided.ts'

/** Three of the new questions, round by round. */
export function playsSection(certificate: Certificate, decided: readonly Decided[], page: PageFrame): string[] {
  const isTotal = certificate.kind === 'total'
  const legend = isTotal
    ? `${BLOCKS.bound} bound of the class  ${BLOCKS.slack} slack (few labels)  ${LINE} the floor`
    : `${BLOCKS.bound} bound  ${BLOCKS.slack} slack (few labels)  ${BLOCKS.envelope} envelope (cells need none)  ` +
      `${LINE} line to act from`
  const meaning = isTotal
    ? 'A debate stops in the first round whose score reaches its cut; it is acted on where its class keeps the floor.'
    : 'The percentages are what the agents claim; the bound is what their record supports.'
  return [
    heading('Three of these questions, as they were decided', page),
    ...wrapText(
      `Each is the first of its kind among the ${countText(decided.length)} that has a bound to show, right or wrong. ` +
        meaning,
      page.width,
    ),
    ...wrapText(legend, page.width).map(page.style.faint),
    ...choosePlays(decided).flatMap((play, index) => ['', ...playLines(play, index, { certificate, page })]),
  ]
}

function playLines(
  { title, found }: ChosenPlay,
  index: number,
  { certificate, page }: { readonly certificate: Certificate; readonly page: PageFrame },
): string[] {
  const number = `${index + 1} of 3 `
  if (found === undefined) return [rule(`${number}${title}: none of these debates does`, page)]
  const { debate, decision } = found
  const evidence = evidenceOf(certificate, found)
  const play = { ...debate, decision, threshold: certificate.threshold, comparison: certificate.kind, evidence }
  return [...titleLines(`${number}${title}`, `${debate.id}, ${debate.group}`, page), '', ...debatePlay(play, page)]
}

/** Of an action by `total`: its policy, its kind and its class. */
function evidenceOf(certificate: Certificate, { decision, debate }: Decided): string[] {
  const step = decision.path.at(-1)
  if (certificate.kind !== 'total' || decision.kind !== 'act' || step === undefined || step.lower === null) return []
  return totalEvidence(certificate, step, debate.group)
}

/** On one line where there is room. */
function titleLines(title: string, which: string, page: PageFrame): string[] {
  const whole = `${title} · ${which}`
  return whole.length + 4 <= page.width ? [rule(whole, page)] : [rule(title, page), `   ${which}`]
}

function rule(text: string, { width, style }: PageFrame): string {
  return `${style.faint('──')} ${text} ${style.faint('─'.repeat(Math.max(0, width - text.length - 4)))}`
}
