import type { Printed, PrintedPolicy } from './printed.ts'

export const FULL_TABLE_TWINS = ['mmlu-pro', 'arc', 'bbh', 'musr'] as const
export type FullTableTwin = (typeof FULL_TABLE_TWINS)[number]

/** Per cent each. */
export type FullCell = readonly [act: Printed, accuracy: Printed, wrong: Printed]

/** Table 6 (tab:main_full): all policies at beta = .15. */
export const FULL_TABLE: Readonly<Record<PrintedPolicy, Readonly<Record<FullTableTwin, FullCell>>>> = {
  paper: {
    'mmlu-pro': [29.8, 98, 0.6],
    arc: [0, null, 0],
    bbh: [74.9, 98.5, 1.1],
    musr: [0, null, 0],
  },
  'knn-no-envelope': {
    'mmlu-pro': [37.9, 97.7, 0.9],
    arc: [32.6, 97.6, 0.9],
    bbh: [79.1, 97.9, 1.6],
    musr: [0, null, 0],
  },
  'final-round': {
    'mmlu-pro': [29.3, 97.9, 0.6],
    arc: [0.2, 9.6, 0],
    bbh: [74.7, 98.3, 1.3],
    musr: [0, null, 0],
  },
  'conformal-risk-control': {
    'mmlu-pro': [97.6, 84.8, 14.8],
    arc: [99.9, 95.8, 4.2],
    bbh: [100, 91.6, 8.4],
    musr: [43.3, 67.2, 14.2],
  },
  'selective-prediction': {
    'mmlu-pro': [97.3, 85.1, 14.5],
    arc: [100, 95.7, 4.3],
    bbh: [99.9, 91.7, 8.2],
    musr: [43.4, 67.2, 14.2],
  },
  'calibrated-learned': {
    'mmlu-pro': [95.9, 85.4, 14],
    arc: [100, 95.7, 4.3],
    bbh: [99.7, 91.4, 8.6],
    musr: [18.9, 46.8, 6],
  },
  'isotonic-confidence': {
    'mmlu-pro': [97.3, 85, 14.6],
    arc: [100, 95.7, 4.3],
    bbh: [99.7, 91.7, 8.3],
    musr: [7.6, 30, 3],
  },
  consensus: {
    'mmlu-pro': [94.5, 84.5, 15.5],
    arc: [99, 95.7, 4.3],
    bbh: [98.2, 91.5, 8.5],
    musr: [91.9, 65.7, 34.3],
  },
  'confidence-threshold': {
    'mmlu-pro': [69.8, 84.5, 15.5],
    arc: [82.8, 95.7, 4.3],
    bbh: [87.1, 91.5, 8.5],
    musr: [32.9, 66, 34],
  },
  'learned-stopper': {
    'mmlu-pro': [96.6, 83.6, 16.4],
    arc: [100, 95.7, 4.3],
    bbh: [99.4, 91.7, 8.3],
    musr: [98.8, 63.5, 36.5],
  },
  oracle: {
    'mmlu-pro': [86, 100, 0],
    arc: [96.3, 100, 0],
    bbh: [92.6, 100, 0],
    musr: [68.9, 100, 0],
  },
}
