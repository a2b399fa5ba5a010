/** The calibration rows of one round that a query is compared with. */
export interface NeighbourRows {
  /** Row-major coordinates. */
  readonly points: Float64Array
  readonly dimension: number
  /** 1 where the panel was right, else 0. */
  readonly correct: Uint8Array
  /** Smoothed correctness at each row; null if no envelope needs it. */
  readonly smoothed: Float64Array | null
}

/**
 * Which rows at exactly the k-th smallest distance to use: all of them (`include`), or as many as make up k, in row
 * order (`index`). `include` depends only on states and not on the order of rows.
 */
export type Ties = 'include' | 'index'

/**
 * What to add up over the rows of a neighbourhood: nothing, |smoothed(row) - centre|, or a function of each row's
 * distance. All three have one shape, so the search stays on its fast path for each of them.
 */
export interface NeighbourSum {
  readonly kind: 'none' | 'oscillation' | 'distance'
  centre: number
  readonly of: (distance: number) => number
}

/** One entry per requested k. The index owns it and overwrites it in its next search. */
export interface Neighbourhoods {
  readonly counts: Uint32Array
  readonly successes: Uint32Array
  /** Distance of the k-th nearest row. */
  readonly radii: Float64Array
  readonly sums: Float64Array
}

export interface NeighbourIndex {
  readonly rows: number
  /** `kFamily` ascends, with each k between 1 and `rows`. */
  search(query: Float64Array, kFamily: readonly number[], sum: NeighbourSum): Neighbourhoods
}

export function noSum(): NeighbourSum {
  return { kind: 'none', centre: 0, of: Math.abs }
}

export function oscillationSum(centre: number): NeighbourSum {
  return { kind: 'oscillation', centre, of: Math.abs }
}

export function distanceSum(of: (distance: number) => number): NeighbourSum {
  return { kind: 'distance', centre: 0, of }
}

export function emptyNeighbourhoods(size: number): Neighbourhoods {
  return {
    counts: new Uint32Array(size),
    successes: new Uint32Array(size),
    radii: new Float64Array(size),
    sums: new Float64Array(size),
  }
}
