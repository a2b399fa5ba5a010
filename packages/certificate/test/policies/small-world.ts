import { type ReadDebates, readDebates } from '../../src/certificate/read-debates.ts'
import type { TunedPolicy } from '../../src/policies/policy.ts'
import type { Random } from '../../src/random.ts'
import { type Spoken, spokenDebate } from './spoken-debates.ts'

/**
 * A world of debates in which the truth about any rule is a finite sum. In each round one agent states one of `levels`
 * beliefs between .5 and 1, all equally likely, and is right with a chance of the belief less .15. Rounds are
 * independent.
 */
export interface SmallWorld {
  draw(count: number, random: Random): ReadDebates
  /** The true probability that the rule acts on a new debate and is wrong. */
  wrongActions(rule: TunedPolicy): number
}

interface Turn {
  readonly belief: number
  readonly isRight: boolean
  readonly probability: number
}

export function smallWorld(rounds: number, levels: number): SmallWorld {
  const turns = Array.from({ length: levels }, (_, at) => 0.5 + (0.5 * (at + 0.5)) / levels).flatMap(
    (belief): Turn[] => [
      { belief, isRight: true, probability: (belief - 0.15) / levels },
      { belief, isRight: false, probability: (1.15 - belief) / levels },
    ],
  )
  const ways = combinations(turns, rounds)
  const { reading, debates } = readDebates(
    ways.map((way, at) =>
      spokenDebate(`${at}`, 'A', ...way.map(({ belief, isRight }): Spoken => [isRight ? 'A' : 'B', belief])),
    ),
  )
  const isWrong = (rule: TunedPolicy, way: readonly Turn[], at: number) => {
    const acted = way.findIndex((_, round) => rule.actsAt(debates[at]!, round + 1))
    return acted >= 0 && !way[acted]!.isRight
  }
  return {
    draw(count, random) {
      const drawn = Array.from({ length: count }, () => {
        let way = 0
        for (let round = 0; round < rounds; round++) way = way * turns.length + drawTurn(turns, random)
        return debates[way]!
      })
      return { reading, debates: drawn }
    },
    wrongActions: (rule) =>
      ways
        .filter((way, at) => isWrong(rule, way, at))
        .reduce((sum, way) => sum + way.reduce((product, { probability }) => product * probability, 1), 0),
  }
}

/** In the order of a number whose digits are the turns. */
function combinations(turns: readonly Turn[], rounds: number): readonly (readonly Turn[])[] {
  if (rounds === 0) return [[]]
  return combinations(turns, rounds - 1).flatMap((before) => turns.map((turn) => [...before, turn]))
}

/** Beliefs are equally likely, and each has two turns. */
function drawTurn(turns: readonly Turn[], random: Random): number {
  const right = 2 * Math.floor((random() * turns.length) / 2)
  return random() < turns[right]!.belief - 0.15 ? right : right + 1
}
