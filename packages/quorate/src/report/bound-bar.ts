import { comparedText } from '../text/number-text.ts'
import { LINE, type Style } from '../text/style.ts'

/** The arithmetic of one bound: lower = mean - envelope - slack. */
export interface BoundParts {
  readonly lower: number
  readonly mean: number
  readonly envelope: number
  readonly slack: number
  readonly threshold: number
}

export interface BarFrame {
  /** Columns of the whole bar, including the threshold line. */
  readonly columns: number
  /** Probability at the left end; the right end is 1. */
  readonly from: number
  readonly style: Style
}

/** The character for each part of a bar, shared by all bars. */
export const BLOCKS = Object.freeze({ bound: '█', slack: '▒', envelope: '░', beyond: '·' })

/** The left end of bars. With a high threshold the lower half of the scale is not needed. */
export function barFrom(threshold: number): number {
  return threshold >= 0.75 ? 0.5 : 0
}

/**
 * Draws a bound as one horizontal bar: the mean minus slack and envelope, compared with the threshold line.
 *
 * Rounding to whole columns never changes the verdict. The bound touches the line if and only if it reaches the threshold.
 */
export function boundBar({ lower, mean, envelope, slack, threshold }: BoundParts, frame: BarFrame): string {
  const { act, defer, faint } = frame.style
  const lineAt = cellsBelow(threshold, frame)
  const passes = lower >= threshold
  const ofBound = cellsBelow(lower, frame)
  const bound = passes ? Math.max(ofBound, lineAt) : Math.max(0, Math.min(ofBound, lineAt - 1))
  const withSlack = Math.max(bound, cellsBelow(lower + slack, frame))
  const withEnvelope = envelope > 0 ? Math.max(withSlack, cellsBelow(mean, frame)) : withSlack
  const cells = [
    { block: BLOCKS.bound, end: bound, paint: passes ? act : defer },
    { block: BLOCKS.slack, end: withSlack, paint: faint },
    { block: BLOCKS.envelope, end: withEnvelope, paint: faint },
    { block: BLOCKS.beyond, end: frame.columns - 1, paint: faint },
  ]
  const stretch = (from: number, to: number) =>
    cells
      .map(({ block, end, paint }, index) => {
        const start = Math.max(from, cells[index - 1]?.end ?? 0)
        const length = Math.min(to, end) - start
        return length > 0 ? paint(block.repeat(length)) : ''
      })
      .join('')
  return stretch(0, lineAt) + frame.style.line(LINE) + stretch(lineAt, frame.columns - 1)
}

/** The scale above a bar, with the threshold in the column that it has in the bar. For a class the threshold is its floor. */
export function barScale(threshold: number, frame: BarFrame, name: 'threshold' | 'floor' = 'threshold'): string {
  const lineAt = cellsBelow(threshold, frame)
  const [shown] = comparedText(threshold, threshold)
  const label = `${name} ${shown} `
  const left = frame.from.toFixed(1)
  const room = lineAt - label.length - left.length
  const before = room >= 1 ? left + ' '.repeat(room) + label : left.padEnd(lineAt).slice(0, lineAt)
  const after = frame.columns - 1 - lineAt
  const end = after > 0 ? '1'.padStart(after) : ''
  return frame.style.faint(before) + frame.style.line(LINE) + frame.style.faint(end)
}

/** Columns to the left of a probability, not counting the column of the threshold line. */
function cellsBelow(probability: number, { columns, from }: BarFrame): number {
  const share = (probability - from) / (1 - from)
  return Math.round(Math.min(1, Math.max(0, share)) * (columns - 1))
}
