import type { SpotCheckOutcome } from '@quorate/certificate'
import { DAY_MS } from '../record/day.ts'
import type { Millis, SpotCheck } from '../store/store.ts'

/** The fields of a spot check that the monitor reads. */
export type SampledQuestion = Pick<SpotCheck, 'arrival' | 'arrivedAt' | 'debatedAt' | 'status'> & {
  readonly decision: Pick<NonNullable<SpotCheck['decision']>, 'kind' | 'answer'> | null
  readonly label: Pick<NonNullable<SpotCheck['label']>, 'gold' | 'verdict' | 'source' | 'at'> | null
}

/** How long a caller who debates a question elsewhere, or has stopped a run, has to continue it: one day. */
export const ABANDONED_AFTER_MS = DAY_MS

/**
 * The outcome of a spot check. A deferral acts on nothing, so it needs no label. If the reviewer of an action could not tell,
 * or called the question bad, the action counts as wrong, as in calibration: the promise covers actions that nobody confirmed.
 * A question that was given up before its decision is `abandoned`, so that it does not stay open for ever. If it is decided
 * later, the decision counts.
 */
export function spotCheckOutcome(spotCheck: SampledQuestion, times: Times): SpotCheckOutcome {
  const { decision } = spotCheck
  const label = labelThatCounts(spotCheck, times)
  if (decision === null) return isGivenUp(spotCheck, times.now) ? 'abandoned' : 'open'
  if (decision.kind === 'defer') return 'not-wrong'
  if (label === null) return 'open'
  // For open answers `gold` is the decided class if that was graded right. Null: no answer was confirmed as right.
  if (label.gold === null) return 'wrong'
  return label.gold === decision.answer ? 'not-wrong' : 'wrong'
}

export interface Times {
  readonly now: Millis
  /** How long a review can be undone. */
  readonly undoMs: Millis
}

/** Null while the review can still be undone. An imported label counts at once. */
export function labelThatCounts({ label }: SampledQuestion, { now, undoMs }: Times): SampledQuestion['label'] {
  return label === null || label.source === 'import' || now >= label.at + undoMs ? label : null
}

/** The status `error` without a decision means that the text was erased before the question was asked. */
function isGivenUp({ status, debatedAt, arrivedAt }: SampledQuestion, now: Millis): boolean {
  return status === 'error' || now - (debatedAt ?? arrivedAt) >= ABANDONED_AFTER_MS
}
