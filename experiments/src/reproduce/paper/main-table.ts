import type { TwinName } from '../../twins/targets.ts'
import type { Printed, PrintedPolicy } from './printed.ts'

/** Per cent, per cent, per cent, WA / beta, round. */
export type MainCell = readonly [act: Printed, accuracy: Printed, wrong: Printed, budgetUsed: Printed, rounds: Printed]

/** Table 1 (tab:main): training-selected budgets. */
export const MAIN_TABLE: Readonly<Record<PrintedPolicy, Readonly<Record<TwinName, MainCell>>>> = {
  paper: {
    logiqa: [27.9, 88.9, 3.2, 0.1, 3.5],
    'mmlu-pro': [71.1, 93.9, 4.4, 0.12, 2.2],
    arc: [75.5, 97.1, 2.3, 0.11, 2.3],
    bbh: [84.4, 96.4, 3, 0.09, 1.8],
    musr: [9, 70.3, 2.7, 0.04, 3.8],
    gpqa: [53.3, 82.5, 9.4, 0.12, 3.1],
  },
  'knn-no-envelope': {
    logiqa: [61.5, 85.6, 8.9, 0.29, 2.4],
    'mmlu-pro': [84.3, 90.4, 8.1, 0.21, 1.6],
    arc: [100, 95.9, 4.1, 0.19, 1],
    bbh: [95.7, 92.7, 7.1, 0.22, 1.2],
    musr: [100, 64.4, 35.6, 0.47, 1],
    gpqa: [100, 60.5, 39.5, 0.51, 1],
  },
  'final-round': {
    logiqa: [27.2, 89, 3.1, 0.1, 4],
    'mmlu-pro': [69.1, 94.4, 3.9, 0.1, 4],
    arc: [62.3, 96.9, 1.9, 0.09, 4],
    bbh: [84.4, 96.4, 3.1, 0.1, 4],
    musr: [46.3, 69.3, 14.3, 0.19, 4],
    gpqa: [60.9, 82.7, 10.6, 0.14, 4],
  },
  'conformal-risk-control': {
    logiqa: [100, 74.4, 25.6, 0.82, 1],
    'mmlu-pro': [100, 79.9, 20.1, 0.53, 1],
    arc: [99.9, 96, 4, 0.18, 1],
    bbh: [100, 91.6, 8.4, 0.26, 1.1],
    musr: [100, 64.3, 35.7, 0.47, 1],
    gpqa: [99.9, 63, 36.9, 0.48, 1.2],
  },
  'selective-prediction': {
    logiqa: [98.6, 76.1, 23.6, 0.76, 1.1],
    'mmlu-pro': [97.4, 85, 14.6, 0.38, 1.3],
    arc: [100, 95.9, 4.1, 0.19, 1],
    bbh: [99.9, 91.7, 8.3, 0.25, 1.1],
    musr: [100, 64.6, 35.5, 0.47, 1],
    gpqa: [98.6, 68.4, 31.2, 0.41, 1.3],
  },
  'calibrated-learned': {
    logiqa: [97.9, 76.1, 23.4, 0.75, 1.2],
    'mmlu-pro': [97.3, 84.5, 15.1, 0.4, 1.3],
    arc: [100, 95.9, 4.1, 0.19, 1],
    bbh: [99.7, 91.4, 8.6, 0.26, 1],
    musr: [100, 64.4, 35.6, 0.47, 1],
    gpqa: [96.6, 66.1, 32.9, 0.43, 1.4],
  },
  'isotonic-confidence': {
    logiqa: [99.1, 75.8, 24, 0.77, 1.1],
    'mmlu-pro': [98.3, 84.4, 15.4, 0.4, 1.3],
    arc: [100, 96, 4, 0.18, 1],
    bbh: [99.7, 91.7, 8.3, 0.25, 1.1],
    musr: [100, 64.7, 35.3, 0.46, 1],
    gpqa: [96.7, 70.4, 28.6, 0.37, 1.3],
  },
  consensus: {
    logiqa: [93.6, 76, 24, 0.77, 1.7],
    'mmlu-pro': [94.5, 84.5, 15.5, 0.41, 1.7],
    arc: [99, 95.9, 4.1, 0.19, 1.1],
    bbh: [98.2, 91.5, 8.5, 0.26, 1.3],
    musr: [93.1, 66.8, 33.2, 0.44, 1.6],
    gpqa: [87, 71.3, 28.7, 0.37, 1.8],
  },
  'confidence-threshold': {
    logiqa: [33.3, 76, 24, 0.77, 2.5],
    'mmlu-pro': [69.8, 84.5, 15.5, 0.41, 2.4],
    arc: [83, 95.9, 4.1, 0.19, 1.9],
    bbh: [87.1, 91.5, 8.5, 0.26, 1.6],
    musr: [32.3, 67.2, 32.8, 0.43, 3.3],
    gpqa: [50.5, 71.9, 28.1, 0.37, 2.8],
  },
  'learned-stopper': {
    logiqa: [96.6, 83.6, 16.4, 0.53, 1.3],
    'mmlu-pro': [96.6, 83.6, 16.4, 0.43, 1.3],
    arc: [100, 95.7, 4.3, 0.2, 1],
    bbh: [99.4, 91.7, 8.3, 0.25, 1.1],
    musr: [98.8, 63.5, 36.5, 0.48, 1.1],
    gpqa: [null, null, null, null, null],
  },
  oracle: {
    logiqa: [78.6, 100, 0, 0, 1.7],
    'mmlu-pro': [86, 100, 0, 0, 1.5],
    arc: [96.4, 100, 0, 0, 1.1],
    bbh: [92.6, 100, 0, 0, 1.2],
    musr: [69.8, 100, 0, 0, 2],
    gpqa: [74.5, 100, 0, 0, 1.9],
  },
}

/** Head of the same table. */
export const INDUCED_BUDGETS: Readonly<
  Record<TwinName, { readonly lastError: number; readonly lambda: number; readonly beta: number }>
> = {
  logiqa: { lastError: 0.24, lambda: 1.3, beta: 0.31 },
  'mmlu-pro': { lastError: 0.16, lambda: 2.4, beta: 0.38 },
  arc: { lastError: 0.05, lambda: 4.4, beta: 0.22 },
  bbh: { lastError: 0.08, lambda: 4.1, beta: 0.33 },
  musr: { lastError: 0.34, lambda: 2.2, beta: 0.76 },
  gpqa: { lastError: 0.28, lambda: 2.8, beta: 0.77 },
}
