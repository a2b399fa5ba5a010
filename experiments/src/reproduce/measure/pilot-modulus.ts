import { fitCertificate, namedState, type ReadDebates } from '@quorate/certificate'
import { usualBudget } from './budgets.ts'
import { calibrateOurs } from './ours.ts'

/** Normalised pilot states, on the scale of distances, with their labels. */
export interface PilotRows {
  readonly states: readonly (readonly number[])[]
  readonly correct: readonly number[]
}

export type SmootherName = 'gam' | 'isotonic'

/**
 * The modulus of the paper's certificate at a radius. A certificate with one neighbour at the origin is queried at that
 * distance from it, and its envelope is the modulus.
 */
export function modulusOf({ states, correct }: PilotRows, smoother: SmootherName): (radius: number) => number {
  const origin = states[0]!.map(() => 0)
  const certificate = fitCertificate(
    { rounds: [{ states: [...states, origin], correct: [...correct, 1] }] },
    {
      profile: 'paper',
      budget: usualBudget(0.15),
      cdf: 'none',
      kFamily: [1],
      smoother,
      split: { pilot: states.map((_, row) => row), neighbours: [states.length] },
    },
  )
  return (radius) => {
    const bound = certificate.bound(1, [radius, ...origin.slice(1)])
    return bound.lower === null ? Number.NaN : bound.envelope
  }
}

/**
 * The pilot rows of the paper's certificate at round 1, with each coordinate mapped through the distribution of all
 * rows.
 */
export function firstRoundPilot(train: ReadDebates, seed: number): PilotRows {
  const stateOf = namedState('paper')
  const states = train.debates.map(({ rounds, record }) => stateOf(rounds.slice(0, 1), record))
  const sorted = states[0]!.map((_, axis) => Float64Array.from(states, (state) => state[axis]!).sort())
  const { pilot } = calibrateOurs(train, seed).split
  return {
    states: pilot.map((row) => states[row]!.map((value, axis) => atMost(sorted[axis]!, value) / states.length)),
    correct: pilot.map((row) => {
      const { record, rounds } = train.debates[row]!
      return rounds[0]!.prediction === record.gold ? 1 : 0
    }),
  }
}

/** Number of sorted values that are at most `value`. */
function atMost(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low
}
