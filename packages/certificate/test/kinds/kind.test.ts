import { describe, expect, test } from 'vitest'
import { parseDebate } from '../../src/beliefs/parse-debate.ts'
import { summariseRounds } from '../../src/beliefs/summarise-rounds.ts'
import {
  describeKind,
  exclusionOf,
  KINDS_PER_ROUND,
  kindCode,
  kindName,
  kindOf,
  roundOfKind,
} from '../../src/kinds/kind.ts'

const votes = (...answers: (string | null)[]) => answers.map((answer, seat) => ({ agent: `a${seat}`, answer }))

const summaries = (...rounds: ReturnType<typeof votes>[]) =>
  summariseRounds(parseDebate({ id: 'q', options: ['A', 'B', 'C'], rounds }))

const named = (...rounds: ReturnType<typeof votes>[]) =>
  summaries(...rounds).map((summary, at) => kindName(kindOf(summary, at + 1)))

describe('kindOf', () => {
  test('names round, agreement and whether the answer ever changed', () => {
    expect(named(votes('A', 'A', 'A'), votes('B', 'B', 'A'), votes('B', 'C', 'B', null))).toEqual([
      'round 1, unanimous, answer never changed',
      'round 2, split, at least 2/3 agree, answer changed',
      'round 3, split, under 2/3 agree, answer changed',
    ])
    expect(named(votes('A', null, 'A'))).toEqual(['round 1, no dissent, some abstain, answer never changed'])
  })

  test('two of three are two thirds, whatever the rounding', () => {
    expect(describeKind(kindOf(summaries(votes('A', 'A', 'B'))[0]!, 1)).agreement).toBe('two-thirds')
  })

  test('codes and parts are one to one', () => {
    for (let code = 0; code < 5 * KINDS_PER_ROUND; code++) {
      expect(kindCode(describeKind(code))).toBe(code)
      expect(roundOfKind(code)).toBe(describeKind(code).round)
    }
  })
})

describe('exclusionOf', () => {
  test('excludes a round without a vote, a tie and a round without news', () => {
    const exclusions = (...rounds: ReturnType<typeof votes>[]) => summaries(...rounds).map(exclusionOf)
    expect(exclusions(votes(null, null))).toEqual(['no-vote'])
    expect(exclusions(votes('A', 'B'))).toEqual(['tie'])
    expect(exclusions(votes('A', 'A', 'B'), votes('A', 'A', 'B'), votes('A', 'A', 'A'))).toEqual([
      null,
      'no-news',
      null,
    ])
  })
})
