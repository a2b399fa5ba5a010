import type { TwinName } from '../../twins/targets.ts'

export const FIXED_BUDGETS = [0.15, 0.2, 0.3] as const

/** Per cent, per cent, per cent, round. */
export type FixedBudgetCell = readonly [act: number, accuracy: number, wrong: number, rounds: number]

/** Table 10 (tab:fixed_beta), one entry per budget; null if it defers on everything. */
export const FIXED_BUDGET_TABLE: Readonly<Record<TwinName, readonly (FixedBudgetCell | null)[]>> = {
  'mmlu-pro': [
    [29.8, 98, 0.6, 3.5],
    [48.8, 96.8, 1.6, 3],
    [64.1, 95.2, 3.1, 2.5],
  ],
  bbh: [
    [74.9, 98.5, 1.1, 2.5],
    [80.3, 97.5, 2, 1.9],
    [84, 96.7, 2.8, 1.8],
  ],
  arc: [null, [74.4, 96.9, 2.3, 2.5], [97.3, 96.1, 3.9, 1.2]],
  logiqa: [null, null, [22.2, 89.5, 2.4, 3.7]],
  gpqa: [null, null, null],
  musr: [null, null, null],
}
