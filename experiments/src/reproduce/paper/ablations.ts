import type { Printed } from './printed.ts'

export const FIXED_SIZES = [128, 256, 512] as const

export interface FixedSizeRow {
  /** Null for the whole family. */
  readonly k: number | null
  readonly wrong: number
  readonly act: number
  readonly accuracy: Printed
  /** Median envelope. */
  readonly envelope: Printed
}

/** Table 9 left (tab:ablations): MMLU-Pro at beta = .15. */
export const FIXED_SIZE_ROWS: readonly FixedSizeRow[] = [
  { k: 128, wrong: 0, act: 0, accuracy: null, envelope: 0.054 },
  { k: 256, wrong: 0, act: 2.9, accuracy: 98.8, envelope: 0.08 },
  { k: 512, wrong: 0.7, act: 33.2, accuracy: 97.9, envelope: 0.12 },
  { k: null, wrong: 0.6, act: 29.8, accuracy: 98, envelope: null },
]

export interface CalibrationSizeRow {
  readonly neighbourRows: number
  readonly wrong: number
  readonly act: number
  /** Median. */
  readonly radius: number
}

/** Table 9 right. 5,319 is 80 % of 80 % of 8,312: this half of the table splits 80/20, not 50/50. */
export const CALIBRATION_SIZE_ROWS: readonly CalibrationSizeRow[] = [
  { neighbourRows: 1329, wrong: 0, act: 0.1, radius: 0.045 },
  { neighbourRows: 2659, wrong: 0.5, act: 23.9, radius: 0.036 },
  { neighbourRows: 5319, wrong: 0.6, act: 26.8, radius: 0.029 },
]
