/** Benchmarks whose debates are simulated, because no recorded debate of the paper is public. */
export const TWIN_NAMES = ['logiqa', 'mmlu-pro', 'arc', 'bbh', 'musr', 'gpqa'] as const
export type TwinName = (typeof TWIN_NAMES)[number]

/** What the paper prints about a benchmark, as shares of all questions. */
export interface Aggregates {
  /** The panel's answer is right in round 1, and in the last round. */
  readonly firstAccuracy: number
  readonly lastAccuracy: number
  /** All agents vote for the same option in some round, and the mean of the first such round over those questions. */
  readonly everUnanimous: number
  readonly unanimousRound: number
  /** The top social probability reaches .9 in some round. */
  readonly everConfident: number
  /** The panel's answer is right in some round, which the oracle acts on. */
  readonly everRight: number
}

/**
 * How right confident panels are: a threshold on the top social probability that acts on the share `act` of the
 * questions, at the first round that reaches it, is right on the share `accuracy` of them.
 */
export interface ConfidentAccuracy {
  readonly act: number
  readonly accuracy: number
}

/** How crowded the states are: the shares by distance among the pairs of first-round states nearer than .20. */
export interface PairShares {
  /** Upper edges of the distances; the last is .20. */
  readonly edges: readonly number[]
  readonly shares: readonly number[]
}

/** Numbers of options, each with the number of questions that have it. */
export type OptionCounts = readonly (readonly [options: number, questions: number])[]

export interface Subgroup {
  readonly name: string
  /** Questions in the benchmark; twins use the share. */
  readonly size: number
  /** Error after the last round; null if it is not published. */
  readonly lastError: number | null
  /** Given if questions of the benchmark differ in it. */
  readonly options?: OptionCounts
}

export interface TwinTarget {
  readonly title: string
  /** Number of questions. */
  readonly size: number
  /** Options of each question, unless its subgroup has its own. */
  readonly options: number
  readonly aggregates: Aggregates
  /** Null for a benchmark without a matched confidence threshold. */
  readonly confident: ConfidentAccuracy | null
  /** Printed for MMLU-Pro only. */
  readonly pairs: PairShares | null
  readonly subgroups: readonly Subgroup[]
}

/**
 * The published aggregates. The twins are fitted to these and to nothing else. They come from the rows CRC (round 1
 * accuracy), Consensus, Confidence Threshold and Oracle of the paper's main table and from its final-round errors.
 * Subgroup errors are the induced budgets of its subgroup table divided by the pooled multiplier, 2.4 for MMLU-Pro and
 * 4.1 for BBH. The accuracy of confident panels is the row Confidence Threshold (matched) of Table 18, and the crowding
 * of states comes from the pair counts of Table 12. Nothing of the row Ours is a target. Options of BBH are those of
 * its files, penguins to colored objects.
 */
export const TARGETS: Readonly<Record<TwinName, TwinTarget>> = {
  logiqa: {
    title: 'LogiQA',
    size: 8678,
    options: 4,
    aggregates: aggregates([0.744, 0.76, 0.936, 1.7, 0.333, 0.786]),
    confident: { act: 0.278, accuracy: 0.885 },
    pairs: null,
    subgroups: [],
  },
  'mmlu-pro': {
    title: 'MMLU-Pro',
    size: 8312,
    options: 10,
    aggregates: aggregates([0.799, 0.845, 0.945, 1.7, 0.698, 0.86]),
    confident: { act: 0.714, accuracy: 0.938 },
    pairs: pairShares([0.02, 0.05, 0.1, 0.15, 0.2], [288_262, 453_275, 634_966, 579_415, 506_393]),
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
    confident: { act: 0.744, accuracy: 0.969 },
    pairs: null,
    subgroups: [],
  },
  bbh: {
    title: 'BBH',
    size: 2395,
    options: 6,
    aggregates: aggregates([0.916, 0.917, 0.982, 1.3, 0.871, 0.926]),
    confident: { act: 0.841, accuracy: 0.965 },
    pairs: null,
    subgroups: [
      subgroup('date_understanding', 250, 0.27 / 4.1, [
        [5, 38],
        [6, 212],
      ]),
      subgroup('geometric_shapes', 250, 0.72 / 4.1, [
        [10, 200],
        [11, 50],
      ]),
      subgroup('movie_recommendation', 249, 0.97 / 4.1, [
        [4, 230],
        [5, 19],
      ]),
      subgroup('salient_translation_error', 250, 1.19 / 4.1, [[6, 250]]),
      subgroup('logical_deduction_five', 250, 0, [[5, 250]]),
      subgroup('logical_deduction_seven', 250, 0.02 / 4.1, [[7, 250]]),
      subgroup('penguins_in_a_table', 146, 0, [
        [4, 1],
        [5, 145],
      ]),
      subgroup('reasoning_colored_objects', 250, 0.02 / 4.1, [
        [2, 27],
        [7, 48],
        [17, 57],
        [18, 118],
      ]),
      subgroup('tracking_shuffled_five', 250, 0, [[5, 250]]),
      subgroup('tracking_shuffled_seven', 250, 0, [[7, 250]]),
    ],
  },
  musr: {
    title: 'MuSR',
    size: 756,
    options: 3,
    aggregates: aggregates([0.643, 0.66, 0.931, 1.6, 0.323, 0.698]),
    confident: null,
    pairs: null,
    // The paper names three subtasks and prints no errors for them, so they are equally hard. Sizes are those of the
    // benchmark. A random answer to an object placement is right 24.6 % of the time, which means about four options.
    subgroups: [
      subgroup('murder_mysteries', 250, null, [[2, 250]]),
      subgroup('object_placements', 256, null, [[4, 256]]),
      subgroup('team_allocation', 250, null, [[3, 250]]),
    ],
  },
  gpqa: {
    title: 'GPQA',
    size: 546,
    options: 4,
    aggregates: aggregates([0.61, 0.72, 0.87, 1.8, 0.505, 0.745]),
    confident: null,
    pairs: null,
    subgroups: [],
  },
}

/** In the order of the columns of the published table. */
function aggregates(values: readonly [number, number, number, number, number, number]): Aggregates {
  const [firstAccuracy, lastAccuracy, everUnanimous, unanimousRound, everConfident, everRight] = values
  return { firstAccuracy, lastAccuracy, everUnanimous, unanimousRound, everConfident, everRight }
}

function pairShares(edges: readonly number[], counts: readonly number[]): PairShares {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return { edges, shares: counts.map((count) => count / total) }
}

function subgroup(name: string, size: number, lastError: number | null, options?: OptionCounts): Subgroup {
  return options ? { name, size, lastError, options } : { name, size, lastError }
}
