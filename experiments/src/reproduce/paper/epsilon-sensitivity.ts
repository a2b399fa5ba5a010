import type { Printed } from './printed.ts'

export const TWO_TWINS = ['mmlu-pro', 'bbh'] as const
export type TwoTwins = (typeof TWO_TWINS)[number]

export const EPSILONS = [0, 0.01, 0.02, 0.03, 0.05] as const

/** Per cent each. */
export type EpsilonCell = readonly [wrong: number, act: number, accuracy: Printed]

/** Table 14 (tab:epsact_sensitivity): beta = .15, delta = .03; one entry per epsilon. */
export const EPSILON_TABLE: Readonly<Record<TwoTwins, readonly EpsilonCell[]>> = {
  'mmlu-pro': [
    [0.9, 39.1, 97.6],
    [0.8, 34.5, 97.8],
    [0.6, 29.8, 98],
    [0.1, 8.7, 79.4],
    [0, 0, null],
  ],
  bbh: [
    [1.5, 77.7, 98.1],
    [1.4, 76.6, 98.2],
    [1.1, 74.9, 98.5],
    [0.9, 70.2, 98.7],
    [0, 0, null],
  ],
}
