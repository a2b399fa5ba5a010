import type { TwoTwins } from './epsilon-sensitivity.ts'
import type { Printed } from './printed.ts'

export interface SubgroupRow {
  readonly group: string
  readonly size: number
  readonly beta: number
  /** Per cent. */
  readonly act: number
  readonly accuracy: Printed
  /** Null if it defers. */
  readonly budgetUsed: Printed
}

/** Table 17 (tab:subgroup): the pooled multiplier on each subgroup's own final-round error. */
export const SUBGROUP_TABLE: Readonly<Record<TwoTwins, readonly SubgroupRow[]>> = {
  'mmlu-pro': [
    row('chemistry', [1132, 0.29, 77.8, 97, 0.081]),
    row('economics', [844, 0.29, 61.8, 93.7, 0.14]),
    row('engineering', [969, 0.47, 69.4, 91.2, 0.129]),
    row('health', [818, 0.47, 61.2, 90.4, 0.127]),
    row('law', [1101, 0.8, 74.3, 73, 0.25]),
    row('math', [1351, 0.14, 0, null, null]),
    row('physics', [1299, 0.24, 71.7, 97, 0.089]),
    row('psychology', [798, 0.43, 60.4, 93.2, 0.099]),
  ],
  bbh: [
    row('date_understanding', [250, 0.27, 47.6, 47.6, 0.084]),
    row('geometric_shapes', [250, 0.72, 98.2, 81, 0.261]),
    row('movie_recommendation', [249, 0.97, 100, 72.6, 0.283]),
    row('salient_translation_error', [250, 1.19, 100, 71.4, 0.24]),
    row('logical_deduction_five', [250, 0, 0, null, null]),
    row('logical_deduction_seven', [250, 0.02, 0, null, null]),
    row('penguins_in_a_table', [146, 0, 0, null, null]),
    row('reasoning_colored_objects', [250, 0.02, 0, null, null]),
    row('tracking_shuffled_five', [250, 0, 0, null, null]),
    row('tracking_shuffled_seven', [250, 0, 0, null, null]),
  ],
}

function row(group: string, values: readonly [number, number, number, Printed, Printed]): SubgroupRow {
  const [size, beta, act, accuracy, budgetUsed] = values
  return { group, size, beta, act, accuracy, budgetUsed }
}
