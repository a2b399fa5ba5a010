import type { RoundSummary } from '../beliefs/debate.ts'
import type { LearnedLayout } from './learned-layout.ts'
import { currentRound } from './state-function.ts'

/**
 * Features of a debate at the last round of the prefix for the regression of the learned state, in the order of
 * `learnedFeatureNames`. Null if the layout names agents and this round has others, which the fit does not cover.
 *
 * A group that no pilot row had is all zeros, and so is no group.
 */
export function learnedFeatures(
  layout: LearnedLayout,
  prefix: readonly RoundSummary[],
  group: string | null,
): Float64Array | null {
  const current = currentRound(prefix, 'learnedFeatures')
  const supports = layout.agents?.length ?? SPREAD
  const features = new Float64Array(supports + PANEL_FEATURES.length + layout.groups.length)
  if (layout.agents === null) features.set(spreadOf(current.agentSupport))
  else {
    const seats = seatsOf(layout.agents, current.agents)
    if (seats === null) return null
    for (let agent = 0; agent < supports; agent++) features[agent] = current.agentSupport[seats[agent]!]!
  }
  let at = supports
  features[at++] = current.p1
  features[at++] = current.margin
  features[at++] = current.entropy
  features[at++] = current.disagreement
  features[at++] = current.supportPath
  features[at++] = prefix.at(-2)?.p1 ?? 0
  features[at++] = current.hasChanged ? 1 : 0
  features[at++] = current.abstentions
  const known = group === null ? -1 : layout.groups.indexOf(group)
  if (known >= 0) features[at + known] = 1
  return features
}

/** One name per feature. Agents and groups have their own names with the prefixes `agent:` and `group:`. */
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

/** For each array of agents, their seats in the order of the most recent names. */
const SEATS = new WeakMap<readonly string[], { readonly names: readonly string[]; readonly seats: Int32Array }>()

/** The seat of each name; null if the names are not those of the agents. Debates share arrays, so most are cached. */
function seatsOf(names: readonly string[], agents: readonly string[]): Int32Array | null {
  const known = SEATS.get(agents)
  if (known?.names === names) return known.seats
  if (agents.length !== names.length) return null
  const seats = Int32Array.from(names, (name) => agents.indexOf(name))
  if (seats.includes(-1)) return null
  SEATS.set(agents, { names, seats })
  return seats
}

const SPREAD = 3

function spreadOf(support: Float64Array): number[] {
  const sorted = support.toSorted()
  const last = sorted.length - 1
  const median = (sorted[Math.floor(last / 2)]! + sorted[Math.ceil(last / 2)]!) / 2
  return [sorted[0]!, median, sorted[last]!]
}
