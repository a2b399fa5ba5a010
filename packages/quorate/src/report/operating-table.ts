import { clopperPearsonInterval } from '@quorate/certificate'
import { percentText, percentWithInterval } from './number-text.ts'
import type { OperatingPoint } from './operating-point.ts'
import type { Style } from './style.ts'
import { type Alignment, tableLines } from './table.ts'

export interface OperatingTable {
  readonly beta: number
  /** Rows that obey the budget, then a line of text and the rows that act on everything. */
  readonly certified: readonly OperatingPoint[]
  readonly always: readonly OperatingPoint[]
  readonly alwaysTitle: string
}

const CONFIDENCE = 0.95
const HEADER = ['', 'Act %', 'Acc|Act %', 'Wrong actions %', 'Used', 'Rounds', '']
const ALIGNMENTS: readonly Alignment[] = ['left', 'right', 'right', 'right', 'right', 'right', 'left']

/** One line per policy, rates with their 95 % interval. */
export function operatingTable({ beta, certified, always, alwaysTitle }: OperatingTable, style: Style): string[] {
  const rowsOf = (points: readonly OperatingPoint[]) => points.map((point) => operatingRow(point, beta, style))
  const [header = '', ...rows] = tableLines([HEADER, ...rowsOf(certified), ...rowsOf(always)], ALIGNMENTS)
  return [
    style.faint(header),
    ...rows.slice(0, certified.length),
    style.faint(alwaysTitle),
    ...rows.slice(certified.length),
  ]
}

function operatingRow(point: OperatingPoint, beta: number, style: Style): string[] {
  const { name, questions, acted, wrong, rounds } = point
  const isOver = wrong / questions > beta
  return [
    name,
    percentText(acted / questions),
    acted === 0 ? 'none' : rate(acted - wrong, acted),
    rate(wrong, questions),
    usedText(wrong / questions / beta),
    (rounds / questions).toFixed(2),
    isOver ? style.wrong('over budget') : 'ok',
  ]
}

function rate(successes: number, count: number): string {
  return percentWithInterval(successes / count, clopperPearsonInterval(successes, count, CONFIDENCE))
}

/** 0.39, and 143 where hundredths no longer matter. */
function usedText(share: number): string {
  return share.toFixed(share < 10 ? 2 : 0)
}
