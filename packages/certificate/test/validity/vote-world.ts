import type { Debate } from '../../src/beliefs/debate.ts'
import { type ReadDebates, readDebates } from '../../src/certificate/read-debates.ts'
import type { Random } from '../../src/random.ts'

/**
 * A small world of debates: three agents, two options, two rounds. A debate goes one of sixteen ways (votes for A in
 * round 1 and in round 2), each with a known probability and a known chance that A is right, so the truth about any
 * rule is a finite sum.
 */
export interface Way {
  readonly first: number
  readonly second: number
  readonly probability: number
}

/** P(A is right) by the votes. */
export type VoteTruth = (first: number, second: number) => number

/** Panels lean to one side and follow each other, so that agreement is common, as it is in practice. */
export const WAYS: readonly Way[] = [0, 1, 2, 3].flatMap((first) =>
  [0, 1, 2, 3].map((second) => ({
    first,
    second,
    probability: 0.5 * (binomial(first, 0.85) + binomial(first, 0.15)) * binomial(second, first >= 2 ? 0.9 : 0.1),
  })),
)

/** `strength` gets the votes for the final majority. For a final majority of B the answer is flipped. */
export function mirrored(strength: (early: number, late: number) => number): VoteTruth {
  return (first, second) => (second >= 2 ? strength(first, second) : 1 - strength(3 - first, 3 - second))
}

export function debateOf({ first, second }: Way, id: string, gold: string | null, group: string | null): Debate {
  const rounds = [first, second].map((votesForA) =>
    ['x', 'y', 'z'].map((agent, seat) => ({ agent, answer: seat < votesForA ? 'A' : 'B' })),
  )
  return { id, group, options: ['A', 'B'], gold, rounds }
}

export function drawDebate(id: string, truth: VoteTruth, group: string | null, random: Random): Debate {
  const way = drawWay(random)
  return debateOf(way, id, random() < truth(way.first, way.second) ? 'A' : 'B', group)
}

/** One debate of each way, read once. */
export function wayDebates(group: string | null): ReadDebates {
  return readDebates(WAYS.map((way, index) => debateOf(way, `way-${index}`, null, group)))
}

/** Chance that the panel's answer after a round is right, for a debate that goes this way. */
export function chanceRight({ first, second }: Way, round: number, truth: VoteTruth): number {
  const votesForA = round === 1 ? first : second
  return votesForA >= 2 ? truth(first, second) : 1 - truth(first, second)
}

function drawWay(random: Random): Way {
  let left = random()
  for (const way of WAYS) {
    left -= way.probability
    if (left < 0) return way
  }
  return WAYS.at(-1)!
}

function binomial(successes: number, chance: number): number {
  return [1, 3, 3, 1][successes]! * chance ** successes * (1 - chance) ** (3 - successes)
}
