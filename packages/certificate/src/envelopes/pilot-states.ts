/** Distinct pilot states with the value of the smoother at each. */
export interface PilotStates {
  readonly points: Float64Array
  readonly dimension: number
  readonly counts: ArrayLike<number>
  readonly smoothed: Float64Array
}

/** The largest number of distinct pilot states for which all pairs are compared. */
export const PAIRWISE_LIMIT = 4000

/** Squared distances from state i to the states after it: `into[j]` for j > i. */
export function squaresFrom({ points, dimension, counts }: PilotStates, i: number, into: Float64Array): void {
  const size = counts.length
  if (dimension === 2) {
    const x = points[2 * i]!
    const y = points[2 * i + 1]!
    for (let j = i + 1; j < size; j++) {
      const first = x - points[2 * j]!
      const second = y - points[2 * j + 1]!
      into[j] = first * first + second * second
    }
    return
  }
  for (let j = i + 1; j < size; j++) {
    let square = 0
    for (let axis = 0; axis < dimension; axis++) {
      const difference = points[i * dimension + axis]! - points[j * dimension + axis]!
      square += difference * difference
    }
    into[j] = square
  }
}
