import type { SpotCheckOutcome } from '@quorate/certificate'
import type { Millis, SpotCheck } from '../store/store.ts'

/** What the monitor looks at of a spot check. */
export type SampledQuestion = Pick<SpotCheck, 'arrival' | 'arrivedAt' | 'debatedAt' | 'status'> & {
  readonly decision: Pick<NonNullable<SpotCheck['decision']>, 'kind' | 'answer'> | null
  readonly label: Pick<NonNullable<SpotCheck['label']>, 'gold' | 'verdict' | 'source' | 'at'> | null
}

/** A caller who debates a question elsewhere, or has ended a run, has so long to come back to it. */
export const ABANDONED_AFTER_MS = 86_400_000

/**
 * What a spot check came to. A deferral acted on nothing, so its label is not waited for. Where the reviewer of an action could
 * not tell, or called the question bad, the action counts as wrong, as in calibration: the promise is about actions that nobody
 * confirmed. A question that was given up before it was decided is `abandoned`, lest it stays open for ever. If it is decided after
 * all, that counts.
 */
export function spotCheckOutcome(spotCheck: SampledQuestion, times: Times): SpotCheckOutcome {
  const { decision } = spotCheck
  const label = labelThatCounts(spotCheck, times)
  if (decision === null) return isGivenUp(spotCheck, times.now) ? 'abandoned' : 'open'
  if (decision.kind === 'defer') return 'not-wrong'
  if (label === null) return 'open'
  // Of open answers `gold` is the decided class where that was graded right. Null: nobody says that anything is right.
  if (label.gold === null) return 'wrong'
  return label.gold === decision.answer ? 'not-wrong' : 'wrong'
}

export interface Times {
  readonly now: Millis
  /** How long a review can be undone. */
  readonly undoMs: Millis
}

/** None while its review can still be undone. An imported one counts at once. */
export function labelThatCounts({ label }: SampledQuestion, { now, undoMs }: Times): SampledQuestion['label'] {
  return label === null || label.source === 'import' || now >= label.at + undoMs ? label : null
}

/** An error without a decision: its text was erased before it was asked. */
function isGivenUp({ status, debatedAt, arrivedAt }: SampledQuestion, now: Millis): boolean {
  return status === 'error' || now - (debatedAt ?? arrivedAt) >= ABANDONED_AFTER_MS
}
