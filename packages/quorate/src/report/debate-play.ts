import type { AgentTurn, Decision } from '@quorate/certificate'
import { plainText } from '../text/plain-text.ts'
import { MARKS, type Style } from '../text/style.ts'
import { hangingText, wrapText } from '../text/wrap-text.ts'
import { type BarFrame, barFrom, barScale } from './bound-bar.ts'
import { type Comparison, verdictSentence } from './decision-sentences.ts'
import { LABEL_COLUMNS, roundLines } from './round-lines.ts'

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
  /** What the certificate counted for this decision, in sentences. */
  readonly evidence?: readonly string[]
}

const INDENT = '  '

/** A debate round by round: who said what, the bound against its line, the decision, and the right answer afterwards. */
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
