import type { TwoTwins } from './epsilon-sensitivity.ts'
import type { Printed } from './printed.ts'

export const SPLIT_DELTAS = [0.01, 0.03, 0.05] as const
export const SPLIT_EPSILONS = [0, 0.02, 0.05] as const

/** Per cent, per cent, per cent, WA / beta. */
export type SplitCell = readonly [act: number, accuracy: Printed, wrong: number, budgetUsed: number]

/** Table 15 (tab:budget_split_sens): beta = .15; rows are deltas, columns epsilons. */
export const BUDGET_SPLIT: Readonly<Record<TwoTwins, readonly (readonly SplitCell[])[]>> = {
  'mmlu-pro': [
    [
      [44, 97.3, 1.21, 0.08],
      [35.7, 97.8, 0.78, 0.05],
      [2.4, 98.2, 0.04, 0],
    ],
    [
      [39.1, 97.6, 0.94, 0.06],
      [29.8, 98, 0.62, 0.04],
      [0, null, 0, 0],
    ],
    [
      [31.3, 97.9, 0.66, 0.04],
      [2.4, 98.2, 0.04, 0],
      [0, null, 0, 0],
    ],
  ],
  bbh: [
    [
      [78.9, 97.8, 1.74, 0.12],
      [77.1, 98.2, 1.42, 0.09],
      [20, 99.2, 0.27, 0.02],
    ],
    [
      [77.7, 98.1, 1.51, 0.1],
      [74.9, 98.5, 1.13, 0.08],
      [0, null, 0, 0],
    ],
    [
      [75.6, 98.4, 1.23, 0.08],
      [20, 99.2, 0.27, 0.02],
      [0, null, 0, 0],
    ],
  ],
}
