import type { Panels, ReadPanel } from '@quorate/certificate'
import { rateText } from '../report/operating-table.ts'
import { AGENTS, ROUNDS } from '../simulated/panel.ts'
import { USUAL_MIX } from '../simulated/questions/draw-question.ts'
import { countText } from '../text/number-text.ts'
import type { PageFrame } from '../text/page-frame.ts'
import { tableLines } from '../text/table.ts'
import { aside, indented } from './page-text.ts'

/** Who is simulated, and on what. */
export function panelSection(page: PageFrame): string[] {
  const panel =
    `${AGENTS.map(({ name }) => name).join(', ')}: three simulated agents of unequal skill and candour, who hear each ` +
    `other for ${ROUNDS} rounds. Questions with four options on ${USUAL_MIX.join(', ')}. Made to show the method; no ` +
    'evidence for it.'
  return aside('Panel', panel, page)
}

/** How often agreement is right, by the round in which it came. */
export function cautionSection({ panels }: Panels, { style }: PageFrame): string[] {
  const header = ['Late agreement is weaker evidence', 'debates', 'right %']
  const [top = '', ...rows] = tableLines([header, ...agreementRows(panels)], ['left', 'right', 'right'])
  return indented('Caution', [style.faint(top), ...rows])
}

function agreementRows(panels: readonly ReadPanel[]): string[][] {
  return Array.from({ length: ROUNDS }, (_, index) => {
    const agreed = panels.filter((panel) => firstUnanimous(panel) === index)
    const right = agreed.filter(({ rounds, record }) => rounds[index]?.prediction === record.gold)
    return [`first unanimous in round ${index + 1}`, countText(agreed.length), rateText(right.length, agreed.length)]
  })
}

/** Index of the first round in which every agent votes for the same option, -1 if none. */
function firstUnanimous({ record }: ReadPanel): number {
  return record.rounds.findIndex(({ votes }) => {
    const [first = -1] = votes
    return first >= 0 && votes.every((vote) => vote === first)
  })
}
