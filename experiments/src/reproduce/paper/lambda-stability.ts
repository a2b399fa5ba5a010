import type { TwinName } from '../../twins/targets.ts'

export interface LambdaSpread {
  readonly mean: number
  readonly median: number
  readonly min: number
  readonly max: number
  /** Splits of ten on which no multiplier keeps the constraint. */
  readonly defers: number
}

/** Table 20 (tab:lambda_stability). */
export const LAMBDA_STABILITY: Readonly<Record<TwinName, LambdaSpread>> = {
  'mmlu-pro': { mean: 2.4, median: 2.25, min: 1.75, max: 3.25, defers: 0 },
  bbh: { mean: 4.05, median: 5, min: 2.25, max: 5, defers: 0 },
  logiqa: { mean: 1.27, median: 1.25, min: 1.25, max: 1.5, defers: 0 },
  arc: { mean: 4.39, median: 4.25, min: 3.75, max: 5, defers: 3 },
  gpqa: { mean: 2.78, median: 2.75, min: 2.25, max: 3.25, defers: 2 },
  musr: { mean: 2.12, median: 2.12, min: 2, max: 2.25, defers: 8 },
}
