import { distanceQuantile } from './distance-quantile.ts'
import { type PilotStates, squaresFrom } from './pilot-states.ts'

/** How to read a radius between two entries of the table; see `readModulus`. */
export type ModulusReading = 'linear' | 'upward'

/** The empirical modulus of continuity of the pilot smoother, tabulated. */
export interface Modulus {
  readonly radii: Float64Array
  /** The largest difference of smoothed values over pilot pairs no further apart than the radius. Non-decreasing. */
  readonly values: Float64Array
  /** Largest minus smallest smoothed value over all pilot states. */
  readonly range: number
}

const RADII = 200
const REACH = 0.99

/** w(r) = max |q~(u_i) - q~(u_j)| over pilot pairs with d(u_i, u_j) <= r, at 200 radii up to the 99th percentile. */
export function modulus(pilot: PilotStates): Modulus {
  const { smoothed } = pilot
  const size = smoothed.length
  const reach = distanceQuantile(pilot, REACH)
  const radii = Float64Array.from({ length: RADII }, (_, index) => (index * reach) / (RADII - 1))
  radii[RADII - 1] = reach
  const values = new Float64Array(RADII)
  const perUnit = reach > 0 ? (RADII - 1) / reach : 0
  const squares = new Float64Array(size)

  for (let i = 0; i < size; i++) {
    squaresFrom(pilot, i, squares)
    for (let j = i + 1; j < size; j++) {
      const distance = Math.sqrt(squares[j]!)
      if (distance > reach) continue
      const change = Math.abs(smoothed[i]! - smoothed[j]!)
      let slot = Math.ceil(distance * perUnit)
      // Most pairs change nothing, so the exact slot is computed only if the value could rise.
      if (slot > 0 && change <= values[slot - 1]!) continue
      // The product may round past an entry, so this moves to the first radius that reaches the distance.
      while (slot > 0 && distance <= radii[slot - 1]!) slot--
      while (distance > radii[slot]!) slot++
      if (change > values[slot]!) values[slot] = change
    }
  }
  for (let slot = 1; slot < RADII; slot++) values[slot] = Math.max(values[slot]!, values[slot - 1]!)
  return { radii, values, range: rangeOf(smoothed) }
}

/**
 * w at a radius. `linear`, as in the paper, interpolates between two entries and is flat after the last. `upward` never
 * reads less than the table supports: it takes the next entry, and beyond the last the whole range.
 */
export function readModulus(table: Modulus, radius: number, reading: ModulusReading): number {
  const { radii, values } = table
  const last = radii.length - 1
  const reach = radii[last]!
  if (radius > reach) return reading === 'linear' ? values[last]! : table.range
  if (reach === 0) return values[last]!
  let slot = Math.min(last, Math.ceil((radius / reach) * last))
  while (slot > 0 && radius <= radii[slot - 1]!) slot--
  while (radius > radii[slot]!) slot++
  if (reading === 'upward' || slot === 0) return values[slot]!
  const share = (radius - radii[slot - 1]!) / (radii[slot]! - radii[slot - 1]!)
  return values[slot - 1]! + share * (values[slot]! - values[slot - 1]!)
}

/** Largest minus smallest value; 0 for an empty array. */
export function rangeOf(values: Float64Array): number {
  let smallest = Infinity
  let largest = -Infinity
  for (const value of values) {
    smallest = Math.min(smallest, value)
    largest = Math.max(largest, value)
  }
  return values.length === 0 ? 0 : largest - smallest
}
