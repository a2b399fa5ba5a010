import type { FullTableTwin } from './full-table.ts'

export const ALIGNMENT_BUDGETS = [0.1, 0.15, 0.2, 0.25, 0.3] as const

/** Table 8 (tab:budget), one pair per budget, per cent. */
export const BUDGET_ALIGNMENT: Readonly<Record<FullTableTwin, readonly (readonly [wrong: number, act: number])[]>> = {
  'mmlu-pro': [
    [0, 0],
    [0.6, 29.8],
    [1.5, 48.8],
    [2.2, 57],
    [3.1, 64.1],
  ],
  arc: [
    [0, 0],
    [0, 0],
    [2.3, 74.4],
    [3.2, 92.5],
    [3.9, 97.3],
  ],
  bbh: [
    [0, 0],
    [1.1, 74.9],
    [2, 80.3],
    [2.5, 82.6],
    [2.8, 84],
  ],
  musr: [
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
  ],
}
