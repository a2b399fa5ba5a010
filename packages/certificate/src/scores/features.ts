import { compareCodePoints } from '../beliefs/code-point-order.ts'
import type { RoundSummary } from '../beliefs/debate.ts'
import { largestGroups } from '../states/learned-layout.ts'

/** The columns of the features of each round. It is part of a certificate's file, so it contains only JSON values. */
export interface FeatureLayout {
  /** Per round: agents ordered by code point if every row has the same ones; null where rows differ. */
  readonly agents: readonly (readonly string[] | null)[]
  /** Groups of the pilot rows, at most the 64 largest, ordered by code point. */
  readonly groups: readonly string[]
}

/** Features of several debates over all rounds. */
export interface FeatureRows {
  readonly rows: number
  /** One row-major matrix per round, `widthOf(layout, round)` columns each. */
  readonly rounds: readonly Float64Array[]
  /** Index of each row's group in `layout.groups`; -1 if it is not there. */
  readonly groups: Int32Array
}

/** The source of features: the rounds of a debate in order, and its group. */
export interface FeatureSource {
  readonly rounds: readonly RoundSummary[]
  readonly group: string | null
}

/** Number of features of the panel. The two that the smallest candidate uses come first. */
const PANEL_FEATURES = 11
/** Minimum, median and maximum of the agents' support, if agents have no columns of their own. */
const SPREAD = 3

/** `agents` has the names by round; null where rows differ. */
export function featureLayout(
  agents: readonly (readonly string[] | null)[],
  groups: readonly (string | null)[],
): FeatureLayout {
  return { agents: agents.map((names) => names?.toSorted(compareCodePoints) ?? null), groups: largestGroups(groups) }
}

/** Columns of a round (from 1). */
export function widthOf({ agents }: FeatureLayout, round: number): number {
  return PANEL_FEATURES + (agents[round - 1]?.length ?? SPREAD)
}

/**
 * Features of every debate in rounds 1..`rounds`; null if a debate has other agents than the layout, which no fit
 * covers.
 */
export function featureRows(
  layout: FeatureLayout,
  debates: readonly FeatureSource[],
  rounds = layout.agents.length,
): FeatureRows | null {
  const columns: Float64Array[] = []
  for (let round = 1; round <= rounds; round++) {
    const width = widthOf(layout, round)
    const column = new Float64Array(debates.length * width)
    for (let row = 0; row < debates.length; row++) {
      if (!writeFeatures(layout, debates[row]!.rounds, round, column, row * width)) return null
    }
    columns.push(column)
  }
  return { rows: debates.length, rounds: columns, groups: groupPlaces(layout.groups, debates) }
}

/** For one debate, a search is faster than a table of all groups. */
function groupPlaces(groups: readonly string[], debates: readonly FeatureSource[]): Int32Array {
  const [only] = debates
  if (debates.length === 1) return Int32Array.of(only!.group === null ? -1 : groups.indexOf(only!.group))
  const place = new Map(groups.map((group, at) => [group, at]))
  return Int32Array.from(debates, ({ group }) => (group === null ? -1 : (place.get(group) ?? -1)))
}

/** False if the round has other agents than the layout. */
function writeFeatures(
  layout: FeatureLayout,
  rounds: readonly RoundSummary[],
  round: number,
  into: Float64Array,
  at: number,
): boolean {
  const current = rounds[round - 1]!
  const before = rounds[round - 2]
  const { prediction, social } = current
  into[at] = current.p1
  into[at + 1] = current.supportPath
  into[at + 2] = current.margin
  into[at + 3] = current.entropy / Math.log(Math.max(2, social.length))
  into[at + 4] = current.disagreement
  into[at + 5] = current.abstentions
  into[at + 6] = before === undefined ? current.p1 : before.social[prediction]!
  into[at + 7] = Number(current.hasChanged)
  into[at + 8] = Number(current.hasEverChanged)
  into[at + 9] = current.optionsVoted
  into[at + 10] = 1 / social.length
  return writeSupport(layout.agents[round - 1]!, current, into, at + PANEL_FEATURES)
}

function writeSupport(
  names: readonly string[] | null,
  { agents, agentSupport }: RoundSummary,
  into: Float64Array,
  at: number,
): boolean {
  if (names === null) {
    const sorted = agentSupport.toSorted()
    const last = sorted.length - 1
    into[at] = sorted[0]!
    into[at + 1] = (sorted[Math.floor(last / 2)]! + sorted[Math.ceil(last / 2)]!) / 2
    into[at + 2] = sorted[last]!
    return true
  }
  if (agents.length !== names.length) return false
  for (let column = 0; column < names.length; column++) {
    const seat = agents[column] === names[column] ? column : agents.indexOf(names[column]!)
    if (seat < 0) return false
    into[at + column] = agentSupport[seat]!
  }
  return true
}
