import type { ComputeMatched, EvaluatedPolicy } from './evaluation.ts'
import { callsFigure, countsOf, rateFigures } from './tally-figures.ts'
import type { SplitTally } from './tally-split.ts'

/**
 * Our policies, which promise something about parts of what they act on (classes, cells or states), not only about the
 * total.
 */
export const OUR_POLICIES = ['total', 'cells', 'tight', 'paper'] as const

/** Means that differ by less than this differ only by rounding. */
const EQUAL_CALLS = 1e-9

/** The first of our policies in a list, to which others are matched. */
export function firstOfOurs<Listed extends Pick<EvaluatedPolicy, 'name'>>(
  policies: readonly Listed[],
): Listed | undefined {
  return policies.find(({ name }) => OUR_POLICIES.some((ours) => ours === name))
}

/**
 * Majority and consensus, each at the round cap whose mean calls are nearest to ours: what the same compute buys
 * without a bound. If two caps are equally near, the smaller one is used.
 */
export function computeMatched(splits: readonly SplitTally[], policies: readonly EvaluatedPolicy[]): ComputeMatched[] {
  const ours = firstOfOurs(policies)
  if (ours === undefined) return []
  return (splits[0]?.capped ?? []).flatMap(({ name, tallies: caps }) => {
    const rows = caps.flatMap((_, index): ComputeMatched[] => {
      const tallies = splits.flatMap(({ capped }) => capped.find((rule) => rule.name === name)?.tallies[index] ?? [])
      if (tallies.length < splits.length) return []
      return [{ name, cap: index + 1, ...rateFigures(tallies.map(countsOf)), calls: callsFigure(tallies) }]
    })
    const distance = ({ calls }: ComputeMatched) => Math.abs(calls.mean - ours.calls.mean)
    return rows.length === 0
      ? []
      : rows.reduce((near, row) => (distance(row) < distance(near) - EQUAL_CALLS ? row : near))
  })
}
