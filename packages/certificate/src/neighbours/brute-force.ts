import {
  emptyNeighbourhoods,
  type NeighbourIndex,
  type NeighbourRows,
  type NeighbourSum,
  type Ties,
} from './neighbour-index.ts'

/** Exact search by sorting all rows. It is the specification that the fast indexes must agree with. */
export function bruteForceIndex(input: NeighbourRows, ties: Ties): NeighbourIndex {
  const { points, dimension, correct } = input
  const rows = correct.length

  return {
    rows,
    search(query, kFamily, sum) {
      const found = emptyNeighbourhoods(kFamily.length)
      const nearest = nearestRows(points, dimension, query)
      for (const [slot, k] of kFamily.entries()) {
        const reach = nearest[k - 1]!.squared
        const members = ties === 'index' ? nearest.slice(0, k) : nearest.filter(({ squared }) => squared <= reach)
        found.counts[slot] = members.length
        found.successes[slot] = members.filter(({ row }) => correct[row] === 1).length
        found.radii[slot] = Math.sqrt(reach)
        found.sums[slot] = members.reduce((total, member) => total + summand(input, member, sum), 0)
      }
      return found
    },
  }
}

export interface Neighbour {
  readonly row: number
  /** Squared distance. Ties are defined by this number, because the square root would merge adjacent floats. */
  readonly squared: number
}

/** All rows, nearest first, with equal distances in row order. */
export function nearestRows(points: Float64Array, dimension: number, query: ArrayLike<number>): Neighbour[] {
  const rows = points.length / dimension
  return Array.from({ length: rows }, (_, row) => ({ row, squared: squared(points, dimension, row, query) })).sort(
    (a, b) => a.squared - b.squared || a.row - b.row,
  )
}

function squared(points: Float64Array, dimension: number, row: number, query: ArrayLike<number>): number {
  let sum = 0
  for (let axis = 0; axis < dimension; axis++) {
    const difference = points[row * dimension + axis]! - query[axis]!
    sum += difference * difference
  }
  return sum
}

function summand({ smoothed }: NeighbourRows, { row, squared }: Neighbour, sum: NeighbourSum): number {
  if (sum.kind === 'none') return 0
  return sum.kind === 'distance' ? sum.of(Math.sqrt(squared)) : Math.abs(smoothed![row]! - sum.centre)
}
