/** A number as the paper prints it, in per cent where it says so; null for a dash. */
export type Printed = number | null

/** The paper's names of the policies of this repository. */
export const PRINTED_NAMES = {
  paper: 'Ours',
  'knn-no-envelope': 'kNN no bias',
  'final-round': 'Final-round',
  'conformal-risk-control': 'CRC',
  'selective-prediction': 'Selective Prediction',
  'calibrated-learned': 'Calibrated Learned',
  'isotonic-confidence': 'Isotonic Confidence',
  consensus: 'Consensus',
  'confidence-threshold': 'Confidence Threshold',
  'learned-stopper': 'Learned Stopper',
  oracle: 'Oracle',
} as const

export type PrintedPolicy = keyof typeof PRINTED_NAMES

export const PRINTED_POLICIES = Object.keys(PRINTED_NAMES) as readonly PrintedPolicy[] // keys of the literal above
