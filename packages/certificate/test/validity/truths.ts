import type { Random } from '../../src/random.ts'

/** Probability of being right at a state in [0, 1], with what is known about its variation. */
export interface Truth {
  readonly at: (state: number) => number
  /** Largest slope, where there is one. */
  readonly lipschitz: number | null
  /** Largest minus smallest value: a true envelope for every truth. */
  readonly range: number
}

export const TRUTHS = {
  flat: { at: () => 0.9, lipschitz: 0, range: 0 },
  sloped: { at: (u) => 0.5 + 0.45 * u, lipschitz: 0.45, range: 0.45 },
  steep: { at: (u) => 0.3 + 0.65 / (1 + Math.exp(-20 * (u - 0.6))), lipschitz: 3.25, range: 0.65 },
  stepped: { at: (u) => (u < 0.5 ? 0.6 : 0.95), lipschitz: null, range: 0.35 },
  hump: { at: (u) => 0.6 + 0.35 * Math.exp(-(((u - 0.6) / 0.15) ** 2)), lipschitz: 2.01, range: 0.35 },
  /** Narrower than any neighbourhood: no smoothness assumption learned from data sees it. */
  dip: { at: (u) => (u >= 0.8 && u < 0.82 ? 0.5 : 0.95), lipschitz: null, range: 0.45 },
} satisfies Record<string, Truth>

export type TruthName = keyof typeof TRUTHS

export type StateKind = 'continuous' | 'lumpy' | 'equal'

export function drawState(kind: StateKind, random: Random): number {
  if (kind === 'equal') return 0.7
  return kind === 'lumpy' ? Math.floor(random() * 11) / 10 : random()
}

/** How the rounds of one debate depend on each other. Rows are always independent of each other. */
export type Dependence = 'independent' | 'persistent' | 'negative'

/** States and labels of one debate over the rounds. */
export interface DrawnRow {
  readonly states: readonly number[]
  readonly correct: readonly number[]
}

export function drawRow(
  truth: Truth,
  kind: StateKind,
  dependence: Dependence,
  rounds: number,
  random: Random,
): DrawnRow {
  const firstState = drawState(kind, random)
  const firstLuck = random()
  const states: number[] = []
  const correct: number[] = []
  for (let round = 0; round < rounds; round++) {
    const isFlipped = dependence === 'negative' && round % 2 === 1
    const isFresh = dependence === 'independent'
    const state = isFresh
      ? drawState(kind, random)
      : isFlipped && kind !== 'equal'
        ? mirrored(kind, firstState)
        : firstState
    const luck = isFresh ? random() : isFlipped ? 1 - firstLuck : firstLuck
    states.push(state)
    correct.push(luck < truth.at(state) ? 1 : 0)
  }
  return { states, correct }
}

function mirrored(kind: StateKind, state: number): number {
  return kind === 'lumpy' ? Math.round(10 - 10 * state) / 10 : 1 - state
}
