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
  const features = new Float64Array(support.length + PANEL_FEATURES.length + layout.groups.length)
  features.set(support)
  let at = support.length
  features[at++] = current.p1
  features[at++] = current.margin
  features[at++] = current.entropy
  features[at++] = current.disagreement
  features[at++] = current.supportPath
  features[at++] = prefix.at(-2)?.p1 ?? 0
  features[at++] = current.changed ? 1 : 0
  features[at++] = current.abstentions
  const known = group === null ? -1 : layout.groups.indexOf(group)
  if (known >= 0) features[at + known] = 1
  return features
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

function supportByName(names: readonly string[], { agents, agentSupport }: RoundSummary): Float64Array | null {
  if (agents.length !== names.length) return null
  const support = new Float64Array(names.length)
  for (let at = 0; at < names.length; at++) {
    const seat = agents.indexOf(names[at]!)
    if (seat < 0) return null
    support[at] = agentSupport[seat]!
  }
  return support
}

function spreadOf(support: Float64Array): number[] {
  const sorted = support.toSorted()
  const last = sorted.length - 1
  const median = (sorted[Math.floor(last / 2)]! + sorted[Math.ceil(last / 2)]!) / 2
  return [sorted[0]!, median, sorted[last]!]
}
