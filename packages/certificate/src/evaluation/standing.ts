import type { EvaluatedPolicy } from './evaluation.ts'

/**
 * How a policy's wrong actions compare with the budget: the whole interval is on one side, it is too wide to decide, or
 * there was no action at all.
 */
export type Standing = 'within' | 'over' | 'unclear' | 'no evidence'

/**
 * Judges by the 95 % interval of one test half. A promise is an average over calibration sets or holds with a
 * confidence, so one split over the budget need not contradict it.
 */
export function standingOf(
  { act, wrongActions }: Pick<EvaluatedPolicy, 'act' | 'wrongActions'>,
  beta: number,
): Standing {
  if (act.max === 0) return 'no evidence'
  const { low, high } = wrongActions
  if (low === null || high === null) return 'unclear'
  if (low > beta) return 'over'
  return high <= beta ? 'within' : 'unclear'
}
