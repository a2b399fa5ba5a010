import type { TwinName } from '../../twins/targets.ts'

/** Medians over test questions at the last round, and the threshold of the training-selected budget. */
export interface DecompositionRow {
  readonly mean: number
  readonly envelope: number
  readonly slack: number
  readonly lower: number
  readonly threshold: number
  readonly blocking: string
}

/** Table 23 (tab:failure). */
export const DECOMPOSITION: Readonly<Record<TwinName, DecompositionRow>> = {
  'mmlu-pro': row([0.97, 0.03, 0.05, 0.89, 0.88], '(crosses)'),
  bbh: row([0.98, 0.03, 0.06, 0.89, 0.88], '(crosses)'),
  arc: row([0.99, 0.03, 0.08, 0.88, 0.88], '(crosses)'),
  logiqa: row([0.93, 0.04, 0.05, 0.84, 0.84], '(marginal)'),
  gpqa: row([0.81, 0.08, 0.12, 0.61, 0.81], 'low mean, high slack'),
  musr: row([0.73, 0.11, 0.11, 0.51, 0.81], 'low mean, small n'),
}

function row(values: readonly [number, number, number, number, number], blocking: string): DecompositionRow {
  const [mean, envelope, slack, lower, threshold] = values
  return { mean, envelope, slack, lower, threshold, blocking }
}
