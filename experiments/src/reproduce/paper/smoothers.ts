/** Per cent, per cent, round, and the modulus of round 1 at two radii. */
export interface SmootherRow {
  readonly wrong: number
  readonly act: number
  readonly rounds: number
  readonly modulusAt05: number
  readonly modulusAt10: number
}

/** Table 3 (tab:smoother_comparison): MMLU-Pro at beta = .15. */
export const SMOOTHER_TABLE: Readonly<Record<'gam' | 'isotonic', SmootherRow>> = {
  gam: { wrong: 0.6, act: 29.8, rounds: 3.54, modulusAt05: 0.122, modulusAt10: 0.238 },
  isotonic: { wrong: 0.4, act: 21.8, rounds: 3.78, modulusAt05: 0.285, modulusAt10: 0.372 },
}
