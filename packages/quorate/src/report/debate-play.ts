import type { AgentTurn, Decision } from '@quorate/certificate'
import { plainText } from '../text/plain-text.ts'
import { MARKS, type Style } from '../text/style.ts'
import { padStartColumns, textColumns } from '../text/text-columns.ts'
import { hangingText, wrapText } from '../text/wrap-text.ts'
import { type BarFrame, barFrom, barScale, boundBar } from './bound-bar.ts'
import { type Comparison, evidenceSentence, verdictSentence } from './decision-sentences.ts'

/** A decided debate with the texts that a reader needs. */
export interface Play {
  readonly question: string
  /** Text of each option by its name. */
  readonly options: Readonly<Record<string, string>>
  readonly gold: string
  readonly rounds: readonly (readonly AgentTurn[])[]
  readonly decision: Decision
  /** 1 - alpha, or the floor. */
  readonly threshold: number
  readonly comparison: Comparison
  /** Sentences about the debates that the certificate counted for this decision. */
  readonly evidence?: readonly string[]
}

const INDENT = '  '
/** Columns to the left of a bar. */
const LABEL_COLUMNS = 12

/** Shows a debate round by round: each agent's answer, the bound and its threshold, the decision, and then the right answer. */
export function debatePlay(play: Play, { width, style }: { readonly width: number; readonly style: Style }): string[] {
  const { rounds, decision, threshold, comparison } = play
  const columns = width - INDENT.length
  const frame: BarFrame = { columns: columns - LABEL_COLUMNS, from: barFrom(threshold), style }
  const shown = decision.path.flatMap((_, index) =>
    roundLines({ turns: rounds[index] ?? [], decision, index, comparison }, frame),
  )
  const lines = [
    ...wrapText(plainText(play.question), columns).map(style.strong),
    ...wrapText(optionsText(play.options), columns),
    ' '.repeat(LABEL_COLUMNS) + barScale(threshold, frame, comparison === 'total' ? 'floor' : 'threshold'),
    ...shown,
    ...hangingText(decisionMark(decision, style), verdictSentence(decision, threshold), columns),
    ...(play.evidence ?? []).flatMap((sentence) => hangingText('  ', sentence, columns)).map(style.faint),
    ...outcomeLines(play, columns, style),
  ]
  return lines.map((line) => (line === '' ? '' : INDENT + line))
}

function optionsText(options: Play['options']): string {
  return Object.entries(options)
    .map(([name, text]) => `${plainText(name)} ${plainText(text)}`)
    .join('   ')
}

function decisionMark({ kind }: Decision, style: Style): string {
  const paint = kind === 'continue' ? style.faint : style[kind]
  return paint(`${MARKS[kind]} `)
}

function outcomeLines({ gold, options, decision }: Play, columns: number, style: Style): string[] {
  const right = `the right answer is ${plainText(gold)} (${plainText(options[gold] ?? '')})`
  const answer = decision.kind === 'act' ? decision.answer : decision.path.at(-1)?.answer
  if (answer === undefined) return hangingText('  ', right, columns)
  const isRight = answer === gold
  if (decision.kind === 'act') {
    const head = isRight ? '  ' : style.wrong(`${MARKS.wrong} `)
    return hangingText(head, `${right}: the action was ${isRight ? 'right' : 'wrong'}`, columns)
  }
  const would = `acting on the panel's ${plainText(answer)} would have been ${isRight ? 'right' : 'wrong'}`
  return hangingText('  ', `${right}: ${would}`, columns)
}

interface DebatedRound {
  readonly turns: readonly AgentTurn[]
  readonly decision: Decision
  /** Index of the step in the decision's path. */
  readonly index: number
  readonly comparison: Comparison
}

/** Shows one round: the answers of the agents and of the panel, the bound as a bar, and the counts behind it. */
function roundLines(debated: DebatedRound, frame: BarFrame): string[] {
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

/** The answers, with the status at the right edge. A status that does not fit gets its own line. */
function headLines(debated: DebatedRound, columns: number, style: Style): string[] {
  const label = labelled(`round ${debated.index + 1}`)
  const turns = [...debated.turns.map(turnText), panelText(debated, style)].join('   ')
  const status = statusText(debated, style)
  const room = columns - textColumns(label) - textColumns(turns)
  if (room >= textColumns(status) + 2) return [label + turns + padStartColumns(status, room)]
  return [...hangingText(label, turns, columns), padStartColumns(status, columns)]
}

/** For example `ada B 85 %`. */
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
