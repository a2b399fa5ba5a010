import type { EvaluatedPolicy } from './evaluation.ts'

/** Of a policy's wrong actions and the budget: the whole interval on one side, or too wide to tell, or no action at all. */
export type Standing = 'within' | 'over' | 'unclear' | 'no evidence'

/** By the 95 % interval of one test half: what is promised is an average, so one split over the budget breaks nothing. */
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
