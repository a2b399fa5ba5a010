import { decimal, markdownTable } from '../../tables/markdown.ts'
import { GAP_COLUMNS, REPRESENTATION_GAP } from '../paper/representation-gap.ts'
import { SMOOTHNESS_TABLE } from '../paper/smoothness.ts'
import type { TwinMeasurements } from '../tasks.ts'
import { compareDecimal, compareNumber, comparePercent } from './compare.ts'
import { measuredTwins, type Table } from './table.ts'

export const smoothnessTable: Table = {
  number: 12,
  name: 'smoothness',
  title: 'Smoothness on MMLU-Pro, round 1',
  text(measured) {
    const rows = measuredTwins(measured, ['mmlu-pro']).flatMap(({ twin }) => {
      const ours = smoothnessOf(twin)
      return SMOOTHNESS_TABLE.map(({ from, to, modulus, coverage, pairs }, bin) => [
        `[${decimal(from)}, ${decimal(to)})`,
        compareDecimal(modulus, ours[bin]?.modulus, 3),
        comparePercent(coverage, ours[bin]?.coverage),
        compareNumber(pairs, ours[bin]?.pairs, 0),
      ])
    })
    return `From \`quorate audit\`: the modulus at the upper edge of the bin, and the share of pairs among 1,500 held-out debates whose *smoothed* values differ
by no more than the modulus at their distance. It asks the smoother about itself and no label, so 100 % is no evidence that the
truth is as smooth.

${markdownTable(['distance', 'modulus', 'coverage %', 'pairs'], rows)}`
  },
}

export interface SmoothnessBin {
  readonly modulus: number | null
  readonly coverage: number | null
  readonly pairs: number | null
}

/** One per distance bin; empty if it was not measured. */
export function smoothnessOf(twin: TwinMeasurements): SmoothnessBin[] {
  const coverage = measureRows(twin, 'smoothness coverage')
  const moduli = measureRows(twin, 'modulus')
  return coverage.map(({ n, value }, bin) => ({ modulus: moduli[bin]?.value ?? null, coverage: value, pairs: n }))
}

export const representationGapTable: Table = {
  number: 13,
  name: 'representation-gap',
  title: 'Representation gap on MMLU-Pro at beta = .15',
  text(measured) {
    const rows = measuredTwins(measured, ['mmlu-pro']).flatMap(({ twin }) =>
      (['all', 'acted'] as const).map((region) => [
        region === 'all' ? 'all debates' : 'acted on (L >= .90)',
        ...GAP_COLUMNS.map((column) =>
          compareDecimal(REPRESENTATION_GAP[region][column], gapOf(twin, region, column), 3),
        ),
      ]),
    )
    return `From \`quorate audit\`: [p_red - p_rich]+ between GAMs on (p1, margin) and on (p1, margin, p2, entropy), fitted and compared on the same labels. Both
see the current round only: what the state forgets of earlier rounds, which is what epsilon is for, this proxy cannot see.

${markdownTable(['region', 'mean', '90th percentile', '95th percentile', 'largest'], rows)}`
  },
}

const NAMES = {
  mean: 'mean',
  ninetieth: '90th percentile',
  ninetyFifth: '95th percentile',
  largest: 'largest',
} as const

/** A figure of [p_red - p_rich]+; null if it was not measured or nothing was acted on. */
export function gapOf(
  twin: TwinMeasurements,
  region: 'all' | 'acted',
  column: (typeof GAP_COLUMNS)[number],
): number | null {
  const name = `${region === 'all' ? 'all' : 'acted on'}, ${NAMES[column]}`
  return measureRows(twin, '[q_state - q_rich]+').find((row) => row.name === name)?.value ?? null
}

function measureRows({ audit }: TwinMeasurements, name: string) {
  return audit.diagnostics?.measures.find((measure) => measure.name === name)?.rows ?? []
}
