import type { TwoTwins } from './epsilon-sensitivity.ts'

/** By dimension: p1, then also the margin, p2 and the entropy. */
export const STATE_NAMES = ['paper-1d', 'paper', 'paper-3d', 'paper-4d'] as const

/** Table 16 (tab:phi_tradeoff): beta = .15; one pair per dimension, per cent. */
export const STATE_TABLE: Readonly<Record<TwoTwins, readonly (readonly [act: number, wrong: number])[]>> = {
  'mmlu-pro': [
    [30.7, 0.7],
    [29.8, 0.6],
    [28.3, 0.6],
    [26.5, 0.5],
  ],
  bbh: [
    [75.5, 1.2],
    [74.9, 1.1],
    [73.7, 1.1],
    [70.2, 0.9],
  ],
}
