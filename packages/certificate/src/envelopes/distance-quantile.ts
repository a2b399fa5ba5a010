import type { PilotStates } from './pilot-states.ts'

const BUCKETS = 4096

/**
 * Quantile of the distances between all pairs of pilot rows (linear between order statistics, as NumPy's default).
 *
 * A million pairs need no sorting: one pass counts them by bucket, a second orders only the bucket that is hit.
 */
export function distanceQuantile(pilot: PilotStates, quantile: number): number {
  const rows = total(pilot.counts)
  const pairs = (rows * (rows - 1)) / 2
  if (pairs === 0) return 0
  const position = quantile * (pairs - 1)
  const rank = Math.floor(position)

  const largest = largestSquare(pilot)
  if (largest === 0) return 0
  const scale = BUCKETS / largest
  const histogram = new Float64Array(BUCKETS + 1)
  // Rows on one state are at distance 0 from each other.
  for (let i = 0; i < pilot.counts.length; i++) histogram[0]! += (pilot.counts[i]! * (pilot.counts[i]! - 1)) / 2
  forEachPair(pilot, (square, weight) => {
    histogram[(square * scale) | 0]! += weight
  })

  const lower = orderStatistic(pilot, histogram, scale, rank)
  if (position === rank) return Math.sqrt(lower)
  const upper = orderStatistic(pilot, histogram, scale, rank + 1)
  return Math.sqrt(lower) + (position - rank) * (Math.sqrt(upper) - Math.sqrt(lower))
}

/** The squared distance of the given rank, counted from 0. */
function orderStatistic(pilot: PilotStates, histogram: Float64Array, scale: number, rank: number): number {
  let bucket = 0
  let below = 0
  while (below + histogram[bucket]! <= rank) below += histogram[bucket++]!
  const inside: { square: number; weight: number }[] = []
  forEachPair(pilot, (square, weight) => {
    if (((square * scale) | 0) === bucket) inside.push({ square, weight })
  })
  if (bucket === 0)
    inside.push({ square: 0, weight: histogram[0]! - inside.reduce((sum, pair) => sum + pair.weight, 0) })
  inside.sort((a, b) => a.square - b.square)
  for (const { square, weight } of inside) {
    below += weight
    if (below > rank) return square
  }
  return inside.at(-1)?.square ?? 0
}

function forEachPair(pilot: PilotStates, visit: (square: number, weight: number) => void): void {
  const { points, dimension, counts } = pilot
  for (let i = 0; i < counts.length; i++) {
    for (let j = i + 1; j < counts.length; j++) {
      let square = 0
      for (let axis = 0; axis < dimension; axis++) {
        const difference = points[i * dimension + axis]! - points[j * dimension + axis]!
        square += difference * difference
      }
      visit(square, counts[i]! * counts[j]!)
    }
  }
}

function largestSquare(pilot: PilotStates): number {
  let largest = 0
  forEachPair(pilot, (square) => {
    if (square > largest) largest = square
  })
  return largest
}

function total(counts: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < counts.length; i++) sum += counts[i]!
  return sum
}
