import fc from 'fast-check'
import type { PilotStates } from '../../src/envelopes/pilot-states.ts'
import { seededRandom } from '../../src/random.ts'

/** Pilot states in two forms: grouped as the code needs them, and row by row as in the definitions. */
export interface Pilot {
  readonly states: PilotStates
  readonly rows: readonly (readonly number[])[]
  readonly rates: readonly number[]
}

const drawn = fc.record({
  seed: fc.nat({ max: 2 ** 31 }),
  size: fc.integer({ min: 1, max: 40 }),
  dimension: fc.integer({ min: 1, max: 5 }),
  lumps: fc.constantFrom(0, 1, 2, 5),
  most: fc.constantFrom(1, 4),
})

/** Continuous, on a lattice (many pairs at the same distance) or all on one point; several rows on a state. */
export const arbitraryPilot: fc.Arbitrary<Pilot> = drawn.map(({ seed, size, dimension, lumps, most }) => {
  const random = seededRandom(seed)
  const value = () => (lumps > 0 ? Math.floor(random() * lumps) / lumps : random())
  const points = new Map<string, readonly number[]>()
  for (let at = 0; at < size; at++) {
    const point = Array.from({ length: dimension }, value)
    points.set(point.join(), point)
  }
  const states = [...points.values()]
  const counts = states.map(() => 1 + Math.floor(random() * most))
  const rates = states.map(() => random())
  const repeated = <Value>(values: readonly Value[]) => values.flatMap((one, at) => Array<Value>(counts[at]!).fill(one))
  return {
    states: {
      points: Float64Array.from(states.flat()),
      dimension,
      counts: Uint32Array.from(counts),
      smoothed: Float64Array.from(rates),
    },
    rows: repeated(states),
    rates: repeated(rates),
  }
})
