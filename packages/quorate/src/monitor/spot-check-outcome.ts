import type { SpotCheckOutcome } from '@quorate/certificate'
import type { Draw, Millis } from '../store/store.ts'

/** What the monitor looks at of a draw. */
export type DrawnQuestion = Pick<Draw, 'arrival' | 'arrivedAt' | 'heldAt' | 'status'> & {
  readonly decision: Pick<NonNullable<Draw['decision']>, 'kind' | 'answer'> | null
  readonly label: Pick<NonNullable<Draw['label']>, 'gold' | 'verdict' | 'source' | 'at'> | null
}

/** Whoever debates a question elsewhere, or has ended a run, has so long to come back to it. */
export const ABANDONED_AFTER_MS = 86_400_000

/**
 * What a draw came to. A deferral acted on nothing, so its label is not waited for. A bad question counts as one that
 * nobody can tell: it was drawn from the population and acted on, and calling it bad does not make the action right. So
 * does one that was given up before it was decided, lest it stays open for ever; if it is decided after all, that counts.
 */
export function spotCheckOutcome(draw: DrawnQuestion, times: Times): SpotCheckOutcome {
  const { decision } = draw
  const label = labelThatCounts(draw, times)
  if (decision === null) return isGivenUp(draw, times.now) ? 'undecidable' : 'open'
  if (decision.kind === 'defer') return 'not-wrong'
  if (label === null) return 'open'
  if (label.verdict !== 'option' || label.gold === null) return 'undecidable'
  return label.gold === decision.answer ? 'not-wrong' : 'wrong'
}

export interface Times {
  readonly now: Millis
  /** How long a review can be undone. */
  readonly undoMs: Millis
}

/** None while its review can still be undone. An imported one counts at once. */
export function labelThatCounts({ label }: DrawnQuestion, { now, undoMs }: Times): DrawnQuestion['label'] {
  return label === null || label.source === 'import' || now >= label.at + undoMs ? label : null
}

/** An error without a decision: its text was erased before it was asked. */
function isGivenUp({ status, heldAt, arrivedAt }: DrawnQuestion, now: Millis): boolean {
  return status === 'error' || now - (heldAt ?? arrivedAt) >= ABANDONED_AFTER_MS
}
