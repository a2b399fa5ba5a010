import { isRightAt, type ReadDebate } from '@quorate/certificate'
import type { Aggregates, ConfidentAccuracy, PairShares } from './targets.ts'

/** What the published quantities need from a panel in one round. */
export interface DebateRound {
  readonly p1: number
  readonly margin: number
  /** 1 if the panel's answer is right, 0 if it is wrong, and in between for a tie that is not broken. */
  readonly right: number
  /** Whether every agent votes for the same option. */
  readonly isUnanimous: boolean
}

export interface DebateRounds {
  readonly group: string | null
  readonly rounds: readonly DebateRound[]
}

/** Aggregates that a twin was fitted to, and one that it was not. */
export interface MeasuredAggregates extends Aggregates {
  /** Mean over the debates that reach p1 >= .9 of the first such round; NaN if none does. */
  readonly confidentRound: number
}

/** Labelled debates as the package reads and summarises them. */
export function roundsOfDebates(debates: readonly ReadDebate[]): DebateRounds[] {
  return debates.map((debate) => ({
    group: debate.record.group,
    rounds: debate.rounds.map(({ p1, margin }, at) => ({
      p1,
      margin,
      right: Number(isRightAt(debate, at + 1)),
      isUnanimous: isUnanimous(debate.record.rounds[at]!.votes),
    })),
  }))
}

const CONFIDENT = 0.9
/** Sums of stated confidences differ in their last bits. */
const ROUNDING = 1e-9

export function measureAggregates(debates: readonly DebateRounds[]): MeasuredAggregates {
  const unanimous = firstRounds(debates, (round) => round.isUnanimous)
  const confident = firstRounds(debates, ({ p1 }) => p1 >= CONFIDENT - ROUNDING)
  const share = (of: (rounds: readonly DebateRound[]) => number) => mean(debates.map(({ rounds }) => of(rounds)))
  return {
    firstAccuracy: share((rounds) => rounds[0]!.right),
    lastAccuracy: share((rounds) => rounds.at(-1)!.right),
    everUnanimous: unanimous.length / debates.length,
    unanimousRound: mean(unanimous),
    everConfident: confident.length / debates.length,
    everRight: share((rounds) => Math.max(...rounds.map(({ right }) => right))),
    confidentRound: mean(confident),
  }
}

/** Accuracy of the panels that reach the threshold on p1 which acts on this share of them, at their first such round. */
export function confidentAccuracy(debates: readonly DebateRounds[], { act }: Pick<ConfidentAccuracy, 'act'>): number {
  const most = Float64Array.from(debates, ({ rounds }) => Math.max(...rounds.map(({ p1 }) => p1))).sort()
  const deferred = Math.round((1 - act) * most.length)
  const threshold = deferred === 0 ? -Infinity : most[deferred - 1]! + ROUNDING
  return mean(debates.flatMap(({ rounds }) => rounds.find(({ p1 }) => p1 >= threshold)?.right ?? []))
}

/** Number of debates whose pairs are counted: half a million pairs. */
const PAIRED = 1000

/**
 * Shares by distance among pairs of first-round states (p1, margin), with each coordinate mapped through its
 * distribution.
 */
export function pairSharesOf(debates: readonly DebateRounds[], { edges }: Pick<PairShares, 'edges'>): number[] {
  const [first, second] = [({ p1 }: DebateRound) => p1, ({ margin }: DebateRound) => margin].map((of) =>
    ranksOf(debates.map(({ rounds }) => of(rounds[0]!))),
  )
  const counts = new Array<number>(edges.length).fill(0)
  const paired = Math.min(PAIRED, debates.length)
  for (let left = 0; left < paired; left++) {
    for (let right = left + 1; right < paired; right++) {
      const distance = Math.sqrt((first![left]! - first![right]!) ** 2 + (second![left]! - second![right]!) ** 2)
      const bin = edges.findIndex((edge) => distance < edge)
      if (bin >= 0) counts[bin]!++
    }
  }
  const total = counts.reduce((sum, count) => sum + count, 0)
  return counts.map((count) => count / total)
}

/** Error after the last round, by group. */
export function lastErrors(debates: readonly DebateRounds[]): ReadonlyMap<string | null, number> {
  const counts = new Map<string | null, { wrong: number; all: number }>()
  for (const { group, rounds } of debates) {
    const { wrong, all } = counts.get(group) ?? { wrong: 0, all: 0 }
    counts.set(group, { wrong: wrong + 1 - rounds.at(-1)!.right, all: all + 1 })
  }
  return new Map([...counts].map(([group, { wrong, all }]) => [group, wrong / all]))
}

/** Whether every agent votes for the same option. An abstention is not a vote. */
export function isUnanimous(votes: Int16Array): boolean {
  const [first = -1] = votes
  return first >= 0 && votes.every((vote) => vote === first)
}

/** First round, from 1, in which each debate satisfies the predicate. Debates that never do are left out. */
function firstRounds(debates: readonly DebateRounds[], shows: (round: DebateRound) => boolean): number[] {
  return debates.flatMap(({ rounds }) => {
    const round = rounds.findIndex(shows)
    return round < 0 ? [] : [round + 1]
  })
}

/** Share of the values that are at most each value. Values that differ only in their last bits count as equal. */
function ranksOf(values: readonly number[]): Float64Array {
  const rounded = Float64Array.from(values, (value) => Math.round(value / ROUNDING) * ROUNDING)
  const ranks = new Map<number, number>()
  for (const [at, value] of rounded.slice().sort().entries()) ranks.set(value, (at + 1) / rounded.length)
  return rounded.map((value) => ranks.get(value)!)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
