import type { AgentTurn, Decision } from '@quorate/certificate'
import { plainText } from '../text/plain-text.ts'
import { MARKS, type Style } from '../text/style.ts'
import { padStartColumns, textColumns } from '../text/text-columns.ts'
import { hangingText } from '../text/wrap-text.ts'
import { type BarFrame, boundBar } from './bound-bar.ts'
import { type Comparison, evidenceSentence } from './decision-sentences.ts'

/** Columns left of a bar. */
export const LABEL_COLUMNS = 12

export interface DebatedRound {
  readonly turns: readonly AgentTurn[]
  readonly decision: Decision
  /** Which step of the decision's path. */
  readonly index: number
  readonly comparison: Comparison
}

/** One round: who said what and what the panel answers, the bound as a bar, and the counts behind it. */
export function roundLines(debated: DebatedRound, frame: BarFrame): string[] {
  const step = debated.decision.path[debated.index]
  if (step === undefined) return []
  const columns = LABEL_COLUMNS + frame.columns
  const bar =
    step.lower === null ? [] : [labelled(`bound ${step.lower.toFixed(step.lower < 0 ? 2 : 3)}`) + boundBar(step, frame)]
  return [
    ...headLines(debated, columns, frame.style),
    ...bar,
    ...hangingText(labelled(''), evidenceSentence(step, debated.comparison), columns).map(frame.style.faint),
  ]
}

/** The answers, with the status at the right edge where it fits. */
function headLines(debated: DebatedRound, columns: number, style: Style): string[] {
  const label = labelled(`round ${debated.index + 1}`)
  const turns = [...debated.turns.map(turnText), panelText(debated, style)].join('   ')
  const status = statusText(debated, style)
  const room = columns - textColumns(label) - textColumns(turns)
  if (room >= textColumns(status) + 2) return [label + turns + padStartColumns(status, room)]
  return [...hangingText(label, turns, columns), padStartColumns(status, columns)]
}

/** ada B 85 % */
function turnText({ agent, answer, conf }: AgentTurn): string {
  if (answer === null) return `${plainText(agent)} no vote`
  const stated = conf?.verbal
  const percent = typeof stated === 'number' ? ` ${`${Math.round(stated * 100)} %`.padStart(5)}` : ''
  return `${plainText(agent)} ${plainText(answer)}${percent}`
}

function panelText({ decision, index }: DebatedRound, style: Style): string {
  const answer = plainText(decision.path[index]?.answer ?? '')
  const before = plainText(decision.path[index - 1]?.answer ?? answer)
  return `panel ${style.strong(answer)}${before === answer ? '' : ` (was ${before})`}`
}

function statusText({ decision, index }: DebatedRound, style: Style): string {
  const isLast = index === decision.path.length - 1
  if (isLast && decision.kind === 'act') return style.act(`${MARKS.act} act`)
  if (isLast && decision.kind === 'defer') return style.defer(`${MARKS.defer} defer`)
  return style.faint(`${MARKS.continue} continue`)
}

function labelled(text: string): string {
  return text.padEnd(LABEL_COLUMNS)
}
