/** Distinct pilot states with the smoother's value at each. */
export interface PilotStates {
  readonly points: Float64Array
  readonly dimension: number
  readonly counts: ArrayLike<number>
  readonly smoothed: Float64Array
}

/** The largest number of distinct pilot states whose pairs are all looked at. */
export const PAIRWISE_LIMIT = 4000
