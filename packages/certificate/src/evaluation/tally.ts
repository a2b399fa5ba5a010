import { isRightAt } from '../beliefs/truth.ts'
import type { ReadDebate } from '../certificate/read-debates.ts'
import { type KindCode, kindOf } from '../kinds/kind.ts'

/** `debate`: every round asks all agents again. `growing-panel`: a round repeats the earlier answers and adds agents. */
export type Protocol = 'debate' | 'growing-panel'

/** The counts of a rule on one test half, from which all figures are computed. */
export interface Tally {
  readonly debates: number
  /** Actions in each round, from round 1. */
  readonly acted: readonly number[]
  /** Right actions in each round. */
  readonly right: readonly number[]
  /** Answers requested from agents over all debates. */
  readonly calls: number
  /** By name of the group. Debates without a group are not counted. */
  readonly groups: ReadonlyMap<string, GroupTally>
  /** By name of the panel's answer: at the action, or for a deferral in the last round. */
  readonly answers: ReadonlyMap<string, GroupTally>
  /** By name of the right option. Debates without exactly one right option are not counted. */
  readonly truths: ReadonlyMap<string, GroupTally>
  /** By kind of the debate at the round of the action. Kinds without an action are missing. */
  readonly kinds: ReadonlyMap<KindCode, ActedTally>
}

export interface ActedTally {
  readonly acted: number
  readonly right: number
}

export interface GroupTally extends ActedTally {
  readonly debates: number
}

export interface TallyOptions {
  readonly protocol: Protocol
  /** The round at which a debate without an action ends; the last by default. */
  readonly cap?: number
}

/**
 * Counts the actions of a rule on debates that all have the same rounds. `actedAt` has the round of each action; 0 for
 * none.
 */
export function tallyActions(
  debates: readonly ReadDebate[],
  actedAt: ArrayLike<number>,
  { protocol, cap }: TallyOptions,
): Tally {
  const rounds = debates[0]?.rounds.length ?? 0
  const end = cap ?? rounds
  const acted = new Array<number>(rounds).fill(0)
  const right = new Array<number>(rounds).fill(0)
  const [groups, answers, truths] = [new Map<string, Counts>(), new Map<string, Counts>(), new Map<string, Counts>()]
  const kinds = new Map<KindCode, { acted: number; right: number }>()
  let calls = 0
  for (const [row, debate] of debates.entries()) {
    const found = actedAt[row]!
    const round = found > end ? 0 : found
    const isRight = round > 0 && isRightAt(debate, round)
    calls += callsUntil(debate, round || end, protocol)
    if (round > 0) {
      acted[round - 1]!++
      if (isRight) right[round - 1]!++
      const kind = kindOf(debate.rounds[round - 1]!, round)
      const count = kinds.get(kind) ?? { acted: 0, right: 0 }
      kinds.set(kind, count)
      count.acted++
      if (isRight) count.right++
    }
    const { group, options, truth } = debate.record
    const outcome = { isActed: round > 0, isRight }
    if (group !== null) addTo(groups, group, outcome, Infinity)
    const answer = debate.rounds[(round || end) - 1]?.prediction
    if (answer !== undefined) addTo(answers, options[answer]!, outcome)
    if (truth?.kind === 'options' && truth.options.length === 1) addTo(truths, options[truth.options[0]!]!, outcome)
  }
  return { debates: debates.length, acted, right, calls, groups, answers, truths, kinds }
}

interface Counts {
  debates: number
  acted: number
  right: number
}

/** Option names may differ for every question, so further names are not counted. */
const MOST_NAMES = 1000

function addTo(
  tallies: Map<string, Counts>,
  name: string,
  { isActed, isRight }: { readonly isActed: boolean; readonly isRight: boolean },
  most = MOST_NAMES,
): void {
  const counts = tallies.get(name) ?? { debates: 0, acted: 0, right: 0 }
  if (counts.debates === 0 && tallies.size >= most) return
  tallies.set(name, counts)
  counts.debates++
  if (isActed) counts.acted++
  if (isRight) counts.right++
}

/** Answers requested from agents up to the end of a round. */
function callsUntil({ rounds }: ReadDebate, round: number, protocol: Protocol): number {
  if (protocol === 'growing-panel') return rounds[round - 1]!.agents.length
  let calls = 0
  for (let earlier = 0; earlier < round; earlier++) calls += rounds[earlier]!.agents.length
  return calls
}
