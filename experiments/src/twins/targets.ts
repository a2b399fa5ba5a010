/** Benchmarks whose debates are simulated: no recorded debate of the paper is public. */
export const TWIN_NAMES = ['logiqa', 'mmlu-pro', 'arc', 'bbh', 'musr', 'gpqa'] as const
export type TwinName = (typeof TWIN_NAMES)[number]

/** What the paper prints about a benchmark; shares of all questions. */
export interface Aggregates {
  /** The panel's answer is right in round 1, and in the last round. */
  readonly firstAccuracy: number
  readonly lastAccuracy: number
  /** All agents vote for the same option in some round, and the mean over those of the first such round. */
  readonly everUnanimous: number
  readonly unanimousRound: number
  /** The top social probability reaches .9 in some round. */
  readonly everConfident: number
  /** The panel's answer is right in some round: what the oracle acts on. */
  readonly everRight: number
}

export interface Subgroup {
  readonly name: string
  /** Questions in the benchmark; twins use the share. */
  readonly size: number
  /** Error of the last round; null where nothing is published. */
  readonly lastError: number | null
}

export interface TwinTarget {
  readonly title: string
  /** Questions. */
  readonly size: number
  /** Options of each question. */
  readonly options: number
  readonly aggregates: Aggregates
  readonly subgroups: readonly Subgroup[]
}

/**
 * The published aggregates: the twins are fitted to these and to nothing else. From the rows CRC (round 1 accuracy),
 * Consensus, Confidence Threshold and Oracle of the paper's main table and from its final-round errors; subgroup errors
 * are the induced budgets of its subgroup table over the pooled multiplier, 2.4 for MMLU-Pro and 4.1 for BBH.
 */
export const TARGETS: Readonly<Record<TwinName, TwinTarget>> = {
  logiqa: {
    title: 'LogiQA',
    size: 8678,
    options: 4,
    aggregates: aggregates([0.744, 0.76, 0.936, 1.7, 0.333, 0.786]),
    subgroups: [],
  },
  'mmlu-pro': {
    title: 'MMLU-Pro',
    size: 8312,
    options: 10,
    aggregates: aggregates([0.799, 0.845, 0.945, 1.7, 0.698, 0.86]),
    subgroups: [
      subgroup('chemistry', 1132, 0.29 / 2.4),
      subgroup('economics', 844, 0.29 / 2.4),
      subgroup('engineering', 969, 0.47 / 2.4),
      subgroup('health', 818, 0.47 / 2.4),
      subgroup('law', 1101, 0.8 / 2.4),
      subgroup('math', 1351, 0.14 / 2.4),
      subgroup('physics', 1299, 0.24 / 2.4),
      subgroup('psychology', 798, 0.43 / 2.4),
    ],
  },
  arc: {
    title: 'ARC',
    size: 2590,
    options: 4,
    aggregates: aggregates([0.96, 0.955, 0.99, 1.1, 0.83, 0.964]),
    subgroups: [],
  },
  bbh: {
    title: 'BBH',
    size: 2395,
    options: 6,
    aggregates: aggregates([0.916, 0.917, 0.982, 1.3, 0.871, 0.926]),
    subgroups: [
      subgroup('date_understanding', 250, 0.27 / 4.1),
      subgroup('geometric_shapes', 250, 0.72 / 4.1),
      subgroup('movie_recommendation', 249, 0.97 / 4.1),
      subgroup('salient_translation_error', 250, 1.19 / 4.1),
      subgroup('logical_deduction_five', 250, 0),
      subgroup('logical_deduction_seven', 250, 0.02 / 4.1),
      subgroup('penguins_in_a_table', 146, 0),
      subgroup('reasoning_colored_objects', 250, 0.02 / 4.1),
      subgroup('tracking_shuffled_five', 250, 0),
      subgroup('tracking_shuffled_seven', 250, 0),
    ],
  },
  musr: {
    title: 'MuSR',
    size: 756,
    options: 3,
    aggregates: aggregates([0.643, 0.66, 0.931, 1.6, 0.323, 0.698]),
    // The paper names three subtasks and prints neither their sizes nor their errors: equal thirds, equally hard.
    subgroups: [
      subgroup('murder_mysteries', 252, null),
      subgroup('object_placements', 252, null),
      subgroup('team_allocation', 252, null),
    ],
  },
  gpqa: {
    title: 'GPQA',
    size: 546,
    options: 4,
    aggregates: aggregates([0.61, 0.72, 0.87, 1.8, 0.505, 0.745]),
    subgroups: [],
  },
}

/** In the order of the columns of the published table. */
function aggregates(values: readonly [number, number, number, number, number, number]): Aggregates {
  const [firstAccuracy, lastAccuracy, everUnanimous, unanimousRound, everConfident, everRight] = values
  return { firstAccuracy, lastAccuracy, everUnanimous, unanimousRound, everConfident, everRight }
}

function subgroup(name: string, size: number, lastError: number | null): Subgroup {
  return { name, size, lastError }
}
