import type { Certificate } from '@quorate/certificate'
import { BLOCKS } from '../report/bound-bar.ts'
import { debatePlay } from '../report/debate-play.ts'
import { countText } from '../report/number-text.ts'
import { heading, type PageFrame } from '../report/page-frame.ts'
import { LINE } from '../report/style.ts'
import { wrapText } from '../report/wrap-text.ts'
import { type ChosenPlay, choosePlays } from './choose-plays.ts'
import type { Decided } from './decided.ts'

/** Three of the new questions, round by round. */
export function playsSection(certificate: Certificate, decided: readonly Decided[], page: PageFrame): string[] {
  const legend =
    `${BLOCKS.bound} bound  ${BLOCKS.slack} slack (few labels)  ${BLOCKS.envelope} envelope (cells need none)  ` +
    `${LINE} line to act from`
  return [
    heading('Three of these questions, as they were decided', page),
    ...wrapText(
      `Each is the first of its kind among the ${countText(decided.length)} that has a bound to show, right or wrong. ` +
        'The percentages are what the agents claim; the bound is what their record supports.',
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
  const play = { ...debate, decision, threshold: certificate.threshold, comparison: certificate.kind }
  return [...titleLines(`${number}${title}`, `${debate.id}, ${debate.group}`, page), '', ...debatePlay(play, page)]
}

/** On one line where there is room. */
function titleLines(title: string, which: string, page: PageFrame): string[] {
  const whole = `${title} · ${which}`
  return whole.length + 4 <= page.width ? [rule(whole, page)] : [rule(title, page), `   ${which}`]
}

function rule(text: string, { width, style }: PageFrame): string {
  return `${style.faint('──')} ${text} ${style.faint('─'.repeat(Math.max(0, width - text.length - 4)))}`
}
