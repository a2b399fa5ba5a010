import type { Activated } from './activated.ts'

export const MATCHED_RULES = ['ours', 'confidence-threshold', 'calibrated-learned'] as const
export type MatchedRule = (typeof MATCHED_RULES)[number]

/** Per cent, per cent, per cent, WA / beta. */
export type MatchedCell = readonly [act: number, accuracy: number, wrong: number, budgetUsed: number]

/** Tables 2 and 18 (tab:matched_main, tab:matched): the same numbers, Act only in the second. */
export const MATCHED_TABLE: Readonly<Record<Activated, Readonly<Record<MatchedRule, MatchedCell>>>> = {
  logiqa: {
    ours: [27.9, 88.9, 3.18, 0.102],
    'confidence-threshold': [27.8, 88.5, 3.2, 0.103],
    'calibrated-learned': [27.3, 90.5, 2.6, 0.084],
  },
  'mmlu-pro': {
    ours: [71.1, 93.9, 4.4, 0.116],
    'confidence-threshold': [71.4, 93.8, 4.45, 0.117],
    'calibrated-learned': [70.9, 94.2, 4.14, 0.109],
  },
  arc: {
    ours: [75.5, 97.1, 2.29, 0.108],
    'confidence-threshold': [74.4, 96.9, 2.32, 0.112],
    'calibrated-learned': [85.3, 96.8, 2.82, 0.135],
  },
  bbh: {
    ours: [84.4, 96.4, 3.02, 0.093],
    'confidence-threshold': [84.1, 96.5, 2.92, 0.09],
    'calibrated-learned': [84.7, 96.6, 2.91, 0.09],
  },
}

/** Act of the matched confidence threshold as a share; null for a benchmark that has no row. */
export function printedConfidenceAct(name: string): number | null {
  const known = Object.entries(MATCHED_TABLE).find(([twin]) => twin === name)
  return known ? known[1]['confidence-threshold'][0] / 100 : null
}
