import type { Activated } from './activated.ts'
import type { Printed } from './printed.ts'

/** Training constraint on WA / beta, or a fixed multiplier. */
export const LAMBDA_RULES = ['strict', 'usual', 'loose', 'fixed-1.5', 'fixed-2.5'] as const
export type LambdaRule = (typeof LAMBDA_RULES)[number]

export const CONSTRAINTS = { strict: 0.05, usual: 0.1, loose: 0.2 } as const
export const FIXED_MULTIPLIERS = { 'fixed-1.5': 1.5, 'fixed-2.5': 2.5 } as const

/** Per cent, per cent, WA / beta. */
export type LambdaCell = readonly [act: number, accuracy: Printed, budgetUsed: Printed]

export interface LambdaRow {
  readonly title: string
  readonly range: readonly [number, number]
  readonly cells: Readonly<Record<Activated, LambdaCell>>
}

/** Table 19 (tab:lambda_robust). */
export const LAMBDA_ROBUSTNESS: Readonly<Record<LambdaRule, LambdaRow>> = {
  strict: {
    title: 'Strict (<= .05)',
    range: [1, 4.75],
    cells: {
      'mmlu-pro': [32.6, 97.9, 0.044],
      bbh: [53.7, 64.5, 0.07],
      arc: [43.8, 98.2, 0.055],
      logiqa: [18.6, 91.1, 0.059],
    },
  },
  usual: {
    title: 'Default (<= .10)',
    range: [1.25, 5],
    cells: {
      'mmlu-pro': [71.1, 93.9, 0.114],
      bbh: [84.4, 96.4, 0.094],
      arc: [73.1, 97, 0.101],
      logiqa: [27.9, 88.9, 0.101],
    },
  },
  loose: {
    title: 'Loose (<= .20)',
    range: [1.25, 5],
    cells: {
      'mmlu-pro': [93.6, 86.6, 0.158],
      bbh: [87.6, 95.7, 0.093],
      arc: [82.7, 96.7, 0.115],
      logiqa: [53.8, 86.5, 0.196],
    },
  },
  'fixed-1.5': {
    title: 'Fixed lambda = 1.5',
    range: [1.5, 1.5],
    cells: {
      'mmlu-pro': [55.3, 96.2, 0.087],
      bbh: [7.1, 9.9, 0.007],
      arc: [0, null, null],
      logiqa: [54.3, 86.6, 0.199],
    },
  },
  'fixed-2.5': {
    title: 'Fixed lambda = 2.5',
    range: [2.5, 2.5],
    cells: {
      'mmlu-pro': [72.6, 93.6, 0.117],
      bbh: [80.4, 97.5, 0.1],
      arc: [0, null, null],
      logiqa: [86.3, 80.1, 0.281],
    },
  },
}
