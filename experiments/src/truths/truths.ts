import type { SupportProcess } from './support-process.ts'

/** A simulated population of debates whose chance of being right is known for every history. */
export interface Truth {
  readonly name: TruthName
  readonly process: SupportProcess
  /** P(the leading option is right | share of swing agents behind it in each round). */
  readonly chance: (support: readonly number[]) => number
}

export type TruthName = 'flat' | 'sloped' | 'stepped' | 'hump' | 'dip' | 'late-agreement'

export const TRUTHS: Readonly<Record<TruthName, Truth>> = {
  /** Agreement says nothing. */
  flat: { name: 'flat', process: 'independent', chance: () => 0.86 },
  /** The more agreement over the rounds, the better. */
  sloped: { name: 'sloped', process: 'persistent', chance: (support) => 0.55 + 0.43 * mean(support) },
  /** Good above a threshold, poor below. */
  stepped: { name: 'stepped', process: 'independent', chance: (support) => (mean(support) >= 0.6 ? 0.97 : 0.7) },
  /** Best at fair agreement; full agreement is weaker, as when agents copy each other. */
  hump: {
    name: 'hump',
    process: 'persistent',
    chance: (support) => 0.6 + 0.36 * Math.exp(-(((mean(support) - 0.65) / 0.25) ** 2)),
  },
  /** Good except in a narrow band, which no smoothness assumption survives. */
  dip: {
    name: 'dip',
    process: 'converging',
    chance: (support) => (Math.abs(mean(support) - 0.75) < 0.06 ? 0.55 : 0.95),
  },
  /** The later the panel agrees, the less its agreement is worth. */
  'late-agreement': {
    name: 'late-agreement',
    process: 'converging',
    chance: (support) => [0.97, 0.8, 0.62][support.indexOf(1)] ?? 0.5,
  },
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
