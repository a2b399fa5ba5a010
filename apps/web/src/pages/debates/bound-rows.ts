import type { VerdictFigures } from 'quorate/contract'
import type { BoundRow } from 'quorate/figures'
import { STEP_WORDS } from 'quorate/record'

/** The rounds of a decision as bars. The round that decided has a mark. A step that lacks a component has no bar. */
export function boundRows({ kind, path }: VerdictFigures): readonly BoundRow[] {
  return path.map((step, index) => {
    const { lower, mean, envelope, slack, neighbours: rows, successes, reason } = step
    const label = `round ${step.round}`
    if (lower === null || mean === undefined || slack === undefined || rows === undefined || successes === undefined) {
      return { label, lower: null, reason: reason === undefined ? 'no bound' : STEP_WORDS[reason] }
    }
    const mark = index === path.length - 1 && kind !== 'continue' ? kind : null
    return { label, lower, mean, slack, rows, successes, mark, envelope: envelope ?? mean - slack - lower }
  })
}
