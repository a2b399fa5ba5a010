import { clopperPearsonInterval } from '@quorate/certificate'
import { countText, percentWithInterval } from '../report/number-text.ts'
import type { PageFrame } from '../report/page-frame.ts'
import { tableLines } from '../report/table.ts'
import { hangingText } from '../report/wrap-text.ts'
import { AGENTS, ROUNDS } from '../simulated/panel.ts'
import { FAMILY_NAMES } from '../simulated/questions/draw-question.ts'
import type { SimulatedDebate } from '../simulated/simulate-debate.ts'

/** Who is simulated, on what, and how often agreement is right. */
export function panelSection(labelled: readonly SimulatedDebate[], { width, style }: PageFrame): string[] {
  const panel =
    `${AGENTS.map(({ name }) => name).join(', ')}: simulated agents of unequal skill and candour; ${ROUNDS} rounds, ` +
    `four options; ${FAMILY_NAMES.join(', ')}. Made to show the method, not evidence for it.`
  const header = ['Late agreement is weaker evidence', 'debates', 'right %']
  const [top = '', ...rows] = tableLines([header, ...agreementRows(labelled)], ['left', 'right', 'right'])
  return [
    ...hangingText('Panel    ', panel, width),
    `Caution  ${style.faint(top)}`,
    ...rows.map((row) => `         ${row}`),
  ]
}

function agreementRows(debates: readonly SimulatedDebate[]): string[][] {
  return Array.from({ length: ROUNDS }, (_, index) => {
    const agreed = debates.filter((debate) => firstUnanimous(debate) === index)
    const right = agreed.filter(({ rounds, gold }) => rounds[index]?.[0]?.answer === gold)
    return [`first unanimous in round ${index + 1}`, countText(agreed.length), rateText(right.length, agreed.length)]
  })
}

function rateText(right: number, count: number): string {
  return count === 0 ? 'none' : percentWithInterval(right / count, clopperPearsonInterval(right, count, 0.95))
}

/** Index of the first round in which every agent gives the same answer, -1 if none. */
function firstUnanimous({ rounds }: SimulatedDebate): number {
  return rounds.findIndex((turns) => {
    const first = turns[0]?.answer ?? null
    return first !== null && turns.every(({ answer }) => answer === first)
  })
}
