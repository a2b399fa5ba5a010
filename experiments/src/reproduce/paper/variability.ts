import type { Activated } from './activated.ts'

/** Mean and, as the paper calls it, standard error over ten splits. */
export type MeanWithError = readonly [mean: number, error: number]

export interface VariabilityRow {
  /** Per cent, per cent, per cent, WA / beta. */
  readonly act: MeanWithError
  readonly accuracy: MeanWithError
  readonly wrong: MeanWithError
  readonly budgetUsed: MeanWithError
}

/** Table 21 (tab:se): the pooled multiplier on every split. */
export const VARIABILITY: Readonly<Record<Activated, VariabilityRow>> = {
  'mmlu-pro': { act: [71, 0.4], accuracy: [93.9, 0.1], wrong: [4.32, 0.1], budgetUsed: [0.114, 0.003] },
  bbh: { act: [85, 0.4], accuracy: [96.4, 0.1], wrong: [3.06, 0.09], budgetUsed: [0.094, 0.004] },
  logiqa: { act: [26.9, 1.7], accuracy: [88.9, 0.3], wrong: [3.01, 0.25], budgetUsed: [0.097, 0.008] },
  arc: { act: [75.5, 8.2], accuracy: [97.1, 0.2], wrong: [2.29, 0.29], budgetUsed: [0.108, 0.013] },
}
