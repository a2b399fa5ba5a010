import type { SpotCheckOutcome } from '@quorate/certificate'
import type { Draw } from '../store/store.ts'

/** What the monitor looks at of a draw. */
export type DrawnQuestion = Pick<Draw, 'arrival'> & {
  readonly decision: Pick<NonNullable<Draw['decision']>, 'kind' | 'answer'> | null
  readonly label: Pick<NonNullable<Draw['label']>, 'gold' | 'verdict'> | null
}

/**
 * What a draw came to. A deferral acted on nothing, so its label is not waited for. A bad question counts as one that
 * nobody can tell: it was drawn from the population and acted on, and calling it bad does not make the action right.
 */
export function spotCheckOutcome({ decision, label }: DrawnQuestion): SpotCheckOutcome {
  if (decision === null) return 'open'
  if (decision.kind === 'defer') return 'not-wrong'
  if (label === null) return 'open'
  if (label.verdict !== 'option' || label.gold === null) return 'undecidable'
  return label.gold === decision.answer ? 'not-wrong' : 'wrong'
}
