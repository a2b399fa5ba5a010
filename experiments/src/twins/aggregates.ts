import type { ReadPanel } from '@quorate/certificate'
import type { Aggregates } from './targets.ts'

/** What a twin was not fitted to, beside what it was. */
export interface MeasuredAggregates extends Aggregates {
  /** Mean over the debates that reach p1 >= .9 of the first such round; NaN when none does. */
  readonly confidentRound: number
}

const CONFIDENT = 0.9

/** The published quantities, measured on labelled debates as the package reads and summarises them. */
export function measureAggregates(panels: readonly ReadPanel[]): MeasuredAggregates {
  const right = panels.map(({ record, rounds }) => rounds.map(({ prediction }) => prediction === record.gold))
  const unanimous = firstRounds(panels, ({ record }, round) => isUnanimous(record.rounds[round]!.votes))
  const confident = firstRounds(panels, ({ rounds }, round) => rounds[round]!.p1 >= CONFIDENT)
  const share = (count: number) => count / panels.length
  return {
    firstAccuracy: share(right.filter((rounds) => rounds[0]).length),
    lastAccuracy: share(right.filter((rounds) => rounds.at(-1)).length),
    everUnanimous: share(unanimous.length),
    unanimousRound: mean(unanimous),
    everConfident: share(confident.length),
    everRight: share(right.filter((rounds) => rounds.includes(true)).length),
    confidentRound: mean(confident),
  }
}

/** Error of the last round of the debates of each group. */
export function lastErrors(panels: readonly ReadPanel[]): ReadonlyMap<string | null, number> {
  const counts = new Map<string | null, { wrong: number; all: number }>()
  for (const { record, rounds } of panels) {
    const { wrong, all } = counts.get(record.group) ?? { wrong: 0, all: 0 }
    const isWrong = rounds.at(-1)?.prediction !== record.gold
    counts.set(record.group, { wrong: wrong + Number(isWrong), all: all + 1 })
  }
  return new Map([...counts].map(([group, { wrong, all }]) => [group, wrong / all]))
}

/** Whether every agent votes for the same option; an abstention is no vote. */
export function isUnanimous(votes: Int16Array): boolean {
  const [first = -1] = votes
  return first >= 0 && votes.every((vote) => vote === first)
}

/** First round, from 1, in which each debate shows the sign; debates that never do are left out. */
function firstRounds(panels: readonly ReadPanel[], shows: (panel: ReadPanel, round: number) => boolean): number[] {
  return panels.flatMap((panel) => {
    const round = panel.rounds.findIndex((_, index) => shows(panel, index))
    return round < 0 ? [] : [round + 1]
  })
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
