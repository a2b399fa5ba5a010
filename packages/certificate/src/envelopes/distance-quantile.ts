import { type PilotStates, squaresFrom } from './pilot-states.ts'

const BUCKETS = 4096

/**
 * Quantile of the distances between all pairs of pilot rows, linear between order statistics as in NumPy's default.
 *
 * A million pairs need no sorting: one pass counts them by bucket, and a second sorts only the buckets around the
 * quantile.
 */
export function distanceQuantile(pilot: PilotStates, quantile: number): number {
  const rows = total(pilot.counts)
  const pairs = (rows * (rows - 1)) / 2
  if (pairs === 0) return 0
  const largest = largestSquare(pilot)
  if (largest === 0) return 0
  const scale = BUCKETS / largest
  const histogram = histogramOf(pilot, scale)

  const position = quantile * (pairs - 1)
  const rank = Math.floor(position)
  const [lower, upper] = orderStatistics(pilot, histogram, scale, rank)
  return Math.sqrt(lower) + (position - rank) * (Math.sqrt(upper) - Math.sqrt(lower))
}

function histogramOf(pilot: PilotStates, scale: number): Float64Array {
  const { counts } = pilot
  const histogram = new Float64Array(BUCKETS + 1)
  const squares = new Float64Array(counts.length)
  for (let i = 0; i < counts.length; i++) {
    const own = counts[i]!
    // Rows with the same state are at distance 0 from each other.
    histogram[0]! += (own * (own - 1)) / 2
    squaresFrom(pilot, i, squares)
    for (let j = i + 1; j < counts.length; j++) histogram[(squares[j]! * scale) | 0]! += own * counts[j]!
  }
  return histogram
}

/** The squared distances of the given rank, counted from 0, and of the next rank (or the last, if there is no next). */
function orderStatistics(pilot: PilotStates, histogram: Float64Array, scale: number, rank: number): [number, number] {
  let first = 0
  let below = 0
  while (below + histogram[first]! <= rank) below += histogram[first++]!
  let last = first
  let covered = below + histogram[last]!
  while (last < BUCKETS && covered <= rank + 1) covered += histogram[++last]!

  const inside = pairsBetween(pilot, first, last, scale)
  const found = [rank, rank + 1].map((wanted) => {
    let passed = below
    for (const { square, weight } of inside) {
      passed += weight
      if (passed > wanted) return square
    }
    return inside.at(-1)!.square
  })
  return [found[0]!, found[1]!]
}

/** Pairs in buckets `first` to `last`, nearest first. */
function pairsBetween(pilot: PilotStates, first: number, last: number, scale: number) {
  const { counts } = pilot
  const squares = new Float64Array(counts.length)
  const inside: { square: number; weight: number }[] = []
  for (let i = 0; i < counts.length; i++) {
    if (first === 0) inside.push({ square: 0, weight: (counts[i]! * (counts[i]! - 1)) / 2 })
    squaresFrom(pilot, i, squares)
    for (let j = i + 1; j < counts.length; j++) {
      const bucket = (squares[j]! * scale) | 0
      if (bucket >= first && bucket <= last) inside.push({ square: squares[j]!, weight: counts[i]! * counts[j]! })
    }
  }
  return inside.sort((a, b) => a.square - b.square)
}

/** Squared diagonal of the bounding box of all states. No pair is further apart. */
function largestSquare({ points, dimension }: PilotStates): number {
  let sum = 0
  for (let axis = 0; axis < dimension; axis++) {
    let smallest = Infinity
    let largest = -Infinity
    for (let at = axis; at < points.length; at += dimension) {
      smallest = Math.min(smallest, points[at]!)
      largest = Math.max(largest, points[at]!)
    }
    sum += (largest - smallest) ** 2
  }
  return sum
}

function total(counts: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < counts.length; i++) sum += counts[i]!
  return sum
}
