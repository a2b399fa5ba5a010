import { isRightAt, type ReadPanel } from '@quorate/certificate'
import type { Aggregates, ConfidentAccuracy, PairShares } from './targets.ts'

/** What the published quantities need from a panel in one round. */
export interface PanelRound {
  readonly p1: number
  readonly margin: number
  /** 1 if the panel's answer is right, 0 if it is wrong, and in between for a tie that is not broken. */
  readonly right: number
  /** Whether every agent votes for the same option. */
  readonly isUnanimous: boolean
}

export interface PanelRounds {
  readonly group: string | null
  readonly rounds: readonly PanelRound[]
}

/** Aggregates that a twin was fitted to, and one that it was not. */
export interface MeasuredAggregates extends Aggregates {
  /** Mean over the debates that reach p1 >= .9 of the first such round; NaN if none does. */
  readonly confidentRound: number
}

/** Labelled debates as the package reads and summarises them. */
export function roundsOfPanels(panels: readonly ReadPanel[]): PanelRounds[] {
  return panels.map((panel) => ({
    group: panel.record.group,
    rounds: panel.rounds.map(({ p1, margin }, at) => ({
      p1,
      margin,
      right: Number(isRightAt(panel, at + 1)),
      isUnanimous: isUnanimous(panel.record.rounds[at]!.votes),
    })),
  }))
}

const CONFIDENT = 0.9
/** Sums of stated confidences differ in their last bits. */
const ROUNDING = 1e-9

export function measureAggregates(panels: readonly PanelRounds[]): MeasuredAggregates {
  const unanimous = firstRounds(panels, (round) => round.isUnanimous)
  const confident = firstRounds(panels, ({ p1 }) => p1 >= CONFIDENT - ROUNDING)
  const share = (of: (rounds: readonly PanelRound[]) => number) => mean(panels.map(({ rounds }) => of(rounds)))
  return {
    firstAccuracy: share((rounds) => rounds[0]!.right),
    lastAccuracy: share((rounds) => rounds.at(-1)!.right),
    everUnanimous: unanimous.length / panels.length,
    unanimousRound: mean(unanimous),
    everConfident: confident.length / panels.length,
    everRight: share((rounds) => Math.max(...rounds.map(({ right }) => right))),
    confidentRound: mean(confident),
  }
}

/** Accuracy of the panels that reach the threshold on p1 which acts on this share of them, at their first such round. */
export function confidentAccuracy(panels: readonly PanelRounds[], { act }: Pick<ConfidentAccuracy, 'act'>): number {
  const most = Float64Array.from(panels, ({ rounds }) => Math.max(...rounds.map(({ p1 }) => p1))).sort()
  const deferred = Math.round((1 - act) * most.length)
  const threshold = deferred === 0 ? -Infinity : most[deferred - 1]! + ROUNDING
  return mean(panels.flatMap(({ rounds }) => rounds.find(({ p1 }) => p1 >= threshold)?.right ?? []))
}

/** Number of panels whose pairs are counted: half a million pairs. */
const PAIRED = 1000

/**
 * Shares by distance among pairs of first-round states (p1, margin), with each coordinate mapped through its
 * distribution.
 */
export function pairSharesOf(panels: readonly PanelRounds[], { edges }: Pick<PairShares, 'edges'>): number[] {
  const [first, second] = [({ p1 }: PanelRound) => p1, ({ margin }: PanelRound) => margin].map((of) =>
    ranksOf(panels.map(({ rounds }) => of(rounds[0]!))),
  )
  const counts = new Array<number>(edges.length).fill(0)
  const paired = Math.min(PAIRED, panels.length)
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
export function lastErrors(panels: readonly PanelRounds[]): ReadonlyMap<string | null, number> {
  const counts = new Map<string | null, { wrong: number; all: number }>()
  for (const { group, rounds } of panels) {
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
function firstRounds(panels: readonly PanelRounds[], shows: (round: PanelRound) => boolean): number[] {
  return panels.flatMap(({ rounds }) => {
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
