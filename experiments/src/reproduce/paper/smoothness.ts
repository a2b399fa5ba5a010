export interface SmoothnessRow {
  /** Distances in [from, to). */
  readonly from: number
  readonly to: number
  readonly modulus: number
  /** Per cent. */
  readonly coverage: number
  readonly pairs: number
}

/** Table 12 (tab:smoothness): MMLU-Pro, round 1, held-out neighbour rows. */
export const SMOOTHNESS_TABLE: readonly SmoothnessRow[] = [
  { from: 0, to: 0.02, modulus: 0.149, coverage: 100, pairs: 288262 },
  { from: 0.02, to: 0.05, modulus: 0.222, coverage: 100, pairs: 453275 },
  { from: 0.05, to: 0.1, modulus: 0.328, coverage: 100, pairs: 634966 },
  { from: 0.1, to: 0.15, modulus: 0.38, coverage: 100, pairs: 579415 },
  { from: 0.15, to: 0.2, modulus: 0.445, coverage: 100, pairs: 506393 },
]
