import type { RoundSummary } from '../beliefs/debate.ts'
import type { LearnedLayout } from './learned-layout.ts'
import { currentRound } from './state-function.ts'

/**
 * What the learned state's regression sees of a debate at the last round of the prefix, in the order of
 * `learnedFeatureNames`. Null when the layout names agents and this round has others: the fit says nothing about them.
 *
 * A group that no pilot row had is all zeros, as is no group.
 */
export function learnedFeatures(
  layout: LearnedLayout,
  prefix: readonly RoundSummary[],
  group: string | null,
): Float64Array | null {
  const current = currentRound(prefix, 'learnedFeatures')
  const support = layout.agents === null ? spreadOf(current.agentSupport) : supportByName(layout.agents, current)
  if (support === null) return null
  return Float64Array.of(
    ...support,
    current.p1,
    current.margin,
    current.entropy,
    current.disagreement,
    current.supportPath,
    prefix.at(-2)?.p1 ?? 0,
    current.changed ? 1 : 0,
    current.abstentions,
    ...layout.groups.map((known) => (known === group ? 1 : 0)),
  )
}

/** One name for each feature; agents and groups by their own name behind `agent:` and `group:`. */
export function learnedFeatureNames(layout: LearnedLayout): string[] {
  const support = layout.agents?.map((agent) => `agent:${agent}`) ?? ['support-min', 'support-median', 'support-max']
  return [...support, ...PANEL_FEATURES, ...layout.groups.map((group) => `group:${group}`)]
}

const PANEL_FEATURES: readonly string[] = [
  'p1',
  'margin',
  'entropy',
  'disagreement',
  'support-path',
  'previous-p1',
  'changed',
  'abstentions',
]

function supportByName(names: readonly string[], round: RoundSummary): number[] | null {
  if (round.agents.length !== names.length) return null
  const supportOf = new Map(round.agents.map((agent, row) => [agent, round.agentSupport[row]!]))
  const support = names.flatMap((name) => supportOf.get(name) ?? [])
  return support.length === names.length ? support : null
}

function spreadOf(support: Float64Array): number[] {
  const sorted = support.toSorted()
  const last = sorted.length - 1
  const median = (sorted[Math.floor(last / 2)]! + sorted[Math.ceil(last / 2)]!) / 2
  return [sorted[0]!, median, sorted[last]!]
}
