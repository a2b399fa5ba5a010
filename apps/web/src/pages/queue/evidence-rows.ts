import type { VerdictFigures } from 'quorate/contract'
import type { BoundRow } from 'quorate/figures'
import { TEXT } from '../../text/english.ts'
import { type AnswerSide, sidesOf, type Turn } from '../debates/answer-sides.ts'

/** In the order of the options, so that no place says how many are of that opinion; who had no answer come last. */
export function sidesInOrder(round: readonly Turn[], options: readonly string[]): readonly AnswerSide[] {
  const place = ({ answer }: AnswerSide) => {
    if (answer === null) return options.length + 1
    const index = options.indexOf(answer)
    return index < 0 ? options.length : index
  }
  return sidesOf(round).toSorted((left, right) => place(left) - place(right))
}

/** The rounds of a decision as bars; the last one has the mark of what was decided. */
export function stepRows({ kind, path }: VerdictFigures): readonly BoundRow[] {
  return path.map((step, index) => {
    const { lower, mean, envelope, slack, neighbours: rows, successes, reason } = step
    const label = TEXT.debate.round(step.round)
    const isLast = index === path.length - 1
    if (lower === null || mean === undefined || slack === undefined || rows === undefined || successes === undefined) {
      return { label, lower: null, reason: reason === undefined ? TEXT.parts.noBound : TEXT.debate.stepReasons[reason] }
    }
    const mark = isLast && kind !== 'continue' ? kind : null
    return { label, lower, mean, slack, rows, successes, mark, envelope: envelope ?? mean - slack - lower }
  })
}
