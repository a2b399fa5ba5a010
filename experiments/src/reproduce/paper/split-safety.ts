import type { Activated } from './activated.ts'

export interface SplitSafetyRow {
  /** WA / beta of the worst split. */
  readonly worst: number
  /** Splits of ten with WA / beta at most .15, .20 and 1. */
  readonly within15: number
  readonly within20: number
  readonly withinBudget: number
}

/** Table 22 (tab:split_safety). */
export const SPLIT_SAFETY: Readonly<Record<Activated, SplitSafetyRow>> = {
  'mmlu-pro': { worst: 0.126, within15: 10, within20: 10, withinBudget: 10 },
  bbh: { worst: 0.111, within15: 10, within20: 10, withinBudget: 10 },
  logiqa: { worst: 0.148, within15: 10, within20: 10, withinBudget: 10 },
  arc: { worst: 0.161, within15: 8, within20: 10, withinBudget: 10 },
}
