import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDebate } from '../../src/beliefs/parse-debate.ts'
import { predict } from '../../src/beliefs/prediction.ts'
import { summariseRounds } from '../../src/beliefs/summarise-rounds.ts'
import { arbitraryDebate } from './arbitrary-debate.ts'

const replied = (agent: string, answer: string | null, verbal: number | null = answer === null ? null : 1) => ({
  agent,
  answer,
  conf: { verbal },
})

/** A split panel that then agrees on another option, and grows by an agent that abstains. */
const record = parseDebate({
  id: 'q',
  options: ['A', 'B', 'C'],
  rounds: [
    [replied('x', 'A', 0.9), replied('y', 'B', 0.6), replied('z', null)],
    [replied('x', 'B', 0.8), replied('y', 'B', 0.7), replied('z', 'B')],
    [replied('x', 'A'), replied('y', 'B'), replied('z', 'B'), replied('w', null)],
  ],
})

describe('by hand', () => {
  const [first, second, third] = summariseRounds(record)

  test('round 1: beliefs (.9 .05 .05), (.2 .6 .2), (1/3 1/3 1/3)', () => {
    expect(first).toEqual({
      agents: ['x', 'y', 'z'],
      social: Float64Array.of(0.477777777778, 0.327777777778, 0.194444444444),
      prediction: 0,
      p1: 0.477777777778,
      p2: 0.327777777778,
      margin: 0.15,
      entropy: expect.closeTo(1.036924857444, 10),
      disagreement: 1 / 3,
      abstentions: 1 / 3,
      supportPath: 0.477777777778,
      stability: 1,
      hasChanged: false,
      isTied: false,
      hasNews: true,
      hasEverChanged: false,
      optionsVoted: 2,
      agentSupport: expect.anything(),
    })
    expect([...(first?.agentSupport ?? [])]).toEqual([0.9, expect.closeTo(0.2, 14), 1 / 3])
  })

  test('round 2: beliefs (.1 .8 .1), (.15 .7 .15), (0 1 0)', () => {
    expect(second).toEqual({
      agents: ['x', 'y', 'z'],
      social: Float64Array.of(0.083333333333, 0.833333333333, 0.083333333333),
      prediction: 1,
      p1: 0.833333333333,
      p2: 0.083333333333,
      margin: 0.75,
      entropy: expect.closeTo(0.56608573896, 10),
      disagreement: 0,
      abstentions: 0,
      supportPath: 0.580555555556,
      stability: 1 / 2,
      hasChanged: true,
      isTied: false,
      hasNews: true,
      hasEverChanged: true,
      optionsVoted: 1,
      agentSupport: Float64Array.of(0.8, 0.7, 1),
    })
  })

  test('round 3: beliefs (1 0 0), (0 1 0), (0 1 0), (1/3 1/3 1/3)', () => {
    expect(third).toEqual({
      agents: ['x', 'y', 'z', 'w'],
      social: Float64Array.of(0.333333333333, 0.583333333333, 0.083333333333),
      prediction: 1,
      p1: 0.583333333333,
      p2: 0.333333333333,
      margin: 0.25,
      entropy: expect.closeTo(0.887694275799, 10),
      disagreement: 1 / 4,
      abstentions: 1 / 4,
      supportPath: 0.581481481481,
      stability: 2 / 3,
      hasChanged: false,
      isTied: false,
      hasNews: true,
      hasEverChanged: true,
      optionsVoted: 2,
      agentSupport: Float64Array.of(0, 1, 1, 1 / 3),
    })
  })
})

describe('news, ties and settled answers', () => {
  const summaries = (...rounds: ReturnType<typeof replied>[][]) =>
    summariseRounds(parseDebate({ id: 'q', options: ['A', 'B', 'C'], rounds }))

  test('a round in which every agent repeats its beliefs has no news, in whatever order the agents stand', () => {
    const [, same, louder] = summaries(
      [replied('x', 'A', 0.8), replied('y', 'B', 0.6)],
      [replied('y', 'B', 0.6), replied('x', 'A', 0.8)],
      [replied('y', 'B', 0.7), replied('x', 'A', 0.8)],
    )
    expect([same?.hasNews, louder?.hasNews]).toEqual([false, true])
  })

  test('two agents who swap their beliefs bring news, and so does another agent', () => {
    const [, swapped] = summaries([replied('x', 'A'), replied('y', 'B')], [replied('x', 'B'), replied('y', 'A')])
    expect(swapped?.hasNews).toBe(true)
    const [, other] = summaries([replied('x', 'A'), replied('y', 'B')], [replied('x', 'A'), replied('z', 'B')])
    expect(other?.hasNews).toBe(true)
  })

  test('a tied round and a round without a vote settle no answer', () => {
    const [tied, later] = summaries([replied('x', 'A'), replied('y', 'B')], [replied('x', 'C'), replied('y', 'C')])
    expect([tied?.isTied, later?.hasEverChanged]).toEqual([true, false])
    const [, voted] = summaries([replied('x', null), replied('y', null)], [replied('x', 'C'), replied('y', 'C')])
    expect(voted?.hasEverChanged).toBe(false)
  })

  test('an answer that came back has changed', () => {
    const round = (option: string) => [replied('x', option), replied('y', option)]
    expect(summaries(round('A'), round('B'), round('A')).map(({ hasEverChanged }) => hasEverChanged)).toEqual([
      false,
      true,
      true,
    ])
  })
})

describe('extremes', () => {
  test('one option has p2 0, margin 1 and an entropy of exactly 0', () => {
    const [only] = summariseRounds(parseDebate({ id: 'q', options: ['A'], rounds: [[replied('x', 'A')]] }))
    expect(only).toMatchObject({ p1: 1, p2: 0, margin: 1, prediction: 0 })
    expect(Object.is(only?.entropy, 0)).toBe(true)
  })

  test('a unanimous vote has an entropy of 0, not -0', () => {
    const rounds = [[replied('x', 'B'), replied('y', 'B')]]
    const [only] = summariseRounds(parseDebate({ id: 'q', options: ['A', 'B'], rounds }))
    expect(Object.is(only?.entropy, 0)).toBe(true)
  })

  test('a panel that says nothing abstains wholly, disagrees nowhere and has entropy log C', () => {
    const rounds = [[replied('x', null), replied('y', null)]]
    const [only] = summariseRounds(parseDebate({ id: 'q', options: ['A', 'B', 'C'], rounds }))
    expect(only).toMatchObject({ disagreement: 0, abstentions: 1, margin: 0, entropy: expect.closeTo(Math.log(3), 11) })
  })

  test('64 agents with 64 options are summarised', () => {
    const options = Array.from({ length: 64 }, (_, index) => `o${index}`)
    const round = options.map((answer) => replied(`agent ${answer}`, answer))
    const [only] = summariseRounds(parseDebate({ id: 'q', options, rounds: [round] }))
    expect(only).toMatchObject({
      p1: 1 / 64,
      margin: 0,
      disagreement: 63 / 64,
      entropy: expect.closeTo(Math.log(64), 11),
    })
  })
})

describe('support path', () => {
  test('is the same number for histories with equal sums, even where the mean ends in half a unit', () => {
    const given = (agent: string, share: number) => ({ agent, answer: 'A', beliefs: { A: share, B: 1 - share } })
    const path = (first: number, second: number) =>
      parseDebate({ id: 'q', options: ['A', 'B'], rounds: [[given('x', first)], [given('x', second)]] })
    const left = summariseRounds(path(0.300000000001, 0.7))
    const right = summariseRounds(path(0.200000000001, 0.8))
    expect(left[1]?.supportPath).toBe(0.500000000001)
    expect(right[1]?.supportPath).toBe(0.500000000001)
  })
})

describe('for every debate', () => {
  test('a prefix has the same summaries', () => {
    fc.assert(
      fc.property(arbitraryDebate, (debate) => {
        const whole = parseDebate(debate)
        for (let length = 1; length <= whole.rounds.length; length++) {
          const prefix = { ...whole, rounds: whole.rounds.slice(0, length) }
          expect(summariseRounds(prefix)).toEqual(summariseRounds(whole).slice(0, length))
        }
      }),
    )
  })

  test('the order of the agents changes nothing but the order of the agents', () => {
    fc.assert(
      fc.property(arbitraryDebate, (debate) => {
        const plain = summariseRounds(parseDebate(debate))
        const turned = summariseRounds(
          parseDebate({ ...debate, rounds: debate.rounds.map((round) => round.toReversed()) }),
        )
        const back = turned.map((round) => ({
          ...round,
          agents: round.agents.toReversed(),
          agentSupport: round.agentSupport.toReversed(),
        }))
        expect(back).toEqual(plain)
      }),
      { numRuns: 300 },
    )
  })

  test('every field is in its range and agrees with the others', () => {
    fc.assert(
      fc.property(arbitraryDebate, fc.nat({ max: 5 }), (debate, seed) => {
        const read = parseDebate(debate)
        for (const [index, round] of summariseRounds(read, { seed }).entries()) {
          expect(round.prediction).toBe(predict(round.social, read.id, index + 1, seed))
          expect(Math.abs(round.social[round.prediction]! - round.p1)).toBeLessThanOrEqual(1.5e-12)
          expect(round.p1).toBe(Math.max(...round.social))
          expect(round.margin).toBeCloseTo(round.p1 - round.p2, 12)
          expect(round.entropy).toBeGreaterThanOrEqual(0)
          expect(round.entropy).toBeLessThanOrEqual(Math.log(read.options.length) + 1e-11)
          expect(round.disagreement + round.abstentions).toBeLessThanOrEqual(1 + 1e-12)
          expect(round.stability).toBeGreaterThanOrEqual(1 / (index + 1))
          const mean = round.agentSupport.reduce((sum, belief) => sum + belief, 0) / round.agents.length
          expect(mean).toBeCloseTo(round.social[round.prediction]!, 11)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('options', () => {
  test('weights reach the social probability; shares of votes still count agents', () => {
    const [first] = summariseRounds(record, { weights: new Map(Object.entries({ x: 0, z: 0 })) })
    expect(first).toMatchObject({ prediction: 1, p1: 0.6, disagreement: 1 / 3, abstentions: 1 / 3 })
  })

  test('the seed breaks ties and nothing else, and is 0 by default', () => {
    expect(summariseRounds(record, { seed: 5 })).toEqual(summariseRounds(record))
    const tied = (id: string) =>
      parseDebate({
        id,
        options: ['A', 'B'],
        rounds: [
          [replied('x', 'A'), replied('y', 'B')],
          [replied('x', 'A'), replied('y', 'B')],
        ],
      })
    const predictions = (seed?: number) =>
      Array.from({ length: 50 }, (_, index) =>
        summariseRounds(tied(`q${index}`), seed === undefined ? {} : { seed }).map((round) => round.prediction),
      )
    expect(predictions()).toEqual(predictions(0))
    expect(predictions(1)).not.toEqual(predictions(0))
  })

  test('a seed that is no 32-bit word is refused', () => {
    expect(() => summariseRounds(record, { seed: -1 })).toThrow('seed must be an integer in [0, 2^32), got -1')
  })
})
