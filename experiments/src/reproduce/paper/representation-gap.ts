export const GAP_COLUMNS = ['mean', 'ninetieth', 'ninetyFifth', 'largest'] as const
export type GapRow = Readonly<Record<(typeof GAP_COLUMNS)[number], number>>

/** Table 13 (tab:epsact_diagnostic): MMLU-Pro at beta = .15, [p_red - p_rich]+. */
export const REPRESENTATION_GAP: Readonly<Record<'all' | 'acted', GapRow>> = {
  all: { mean: 0.001, ninetieth: 0.003, ninetyFifth: 0.008, largest: 0.028 },
  acted: { mean: 0, ninetieth: 0, ninetyFifth: 0, largest: 0.021 },
}
