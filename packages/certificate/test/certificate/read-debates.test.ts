import { describe, expect, test } from 'vitest'
import type { Debate } from '../../src/beliefs/debate.ts'
import { debateReader, panelCheck, questionKeys, readDebates, turnCounts } from '../../src/certificate/read-debates.ts'
import { simulatedDebates } from './simulated-debates.ts'

const same = simulatedDebates({ count: 3, seed: 1, agents: ['x', 'y', 'z'] })
const [turned] = same.map((debate) => ({
  ...debate,
  id: 'turned',
  rounds: debate.rounds.map((turns) => turns.toReversed()),
}))
const [pair] = simulatedDebates({ count: 1, seed: 2, agents: ['x', 'y'] }).map((debate) => ({ ...debate, id: 'pair' }))
const { debates } = readDebates([...same, turned!, pair!])
const namesOf = (row: number, round: number) => debates[row]!.rounds[round - 1]!.agents

describe('names of agents', () => {
  test('are one array for debates with the same agents in the same seats, and what they were for others', () => {
    expect(namesOf(1, 1)).toBe(namesOf(0, 1))
    expect(namesOf(2, 3)).toBe(namesOf(0, 3))
    expect(namesOf(3, 1)).toEqual(['z', 'y', 'x'])
    expect(namesOf(4, 1)).toEqual(['x', 'y'])
  })

  test('are shared by debates read one at a time too', () => {
    const reader = debateReader()
    for (const [row, debate] of same.entries()) reader.add(debate, `line ${row + 1}`)
    const [first, second] = reader.debates().debates
    expect(second?.rounds[1]?.agents).toBe(first?.rounds[1]?.agents)
    expect(reader.debates()).toEqual(readDebates(same))
  })
})

describe('debates that are read without saying how', () => {
  const [spoken] = simulatedDebates({ count: 1, seed: 9 }).map((debate) => ({ ...debate, id: 'spoken' }))
  const bare = simulatedDebates({ count: 2, seed: 8 }).map((debate) => ({
    ...debate,
    rounds: debate.rounds.map((turns) => turns.map(({ agent, answer }) => ({ agent, answer }))),
  }))
  const [sure] = simulatedDebates({ count: 1, seed: 7 }).map((debate) => ({
    ...debate,
    id: 'sure',
    rounds: debate.rounds.map((turns) =>
      turns.map(({ agent, answer }) => ({ agent, answer, beliefs: answer === null ? null : { [answer]: 0.995 } })),
    ),
  }))

  test.each([
    ['vote', bare],
    ['stated', [...bare, spoken!]],
    ['stated', [spoken!, ...bare]],
    ['given', [...bare, spoken!, sure!]],
    ['given', [sure!, spoken!, ...bare]],
  ] as const)('are read as %s throughout, whichever comes first', (elicitation, debates) => {
    const whole = readDebates(debates)
    expect(whole.reading.elicitation).toBe(elicitation)
    expect(whole).toEqual(readDebates(debates, { beliefs: elicitation }))
    const isFallback = elicitation !== 'vote'
    expect(whole.debates[debates.indexOf(bare[0]!)]?.rounds.every(({ abstentions }) => abstentions === 1)).toBe(
      isFallback,
    )
    for (const isCompact of [false, true]) {
      const reader = debateReader({}, 'test', { isCompact })
      for (const [row, debate] of debates.entries()) reader.add(debate, `line ${row + 1}`)
      const read = reader.debates()
      expect(read.reading).toEqual(whole.reading)
      expect(turnCounts(read.debates)).toEqual(turnCounts(whole.debates))
      for (const [row, { record, rounds }] of read.debates.entries()) {
        expect(record.id).toBe(debates[row]!.id)
        expect(rounds).toMatchObject(whole.debates[row]!.rounds)
        expect(record.rounds.map(({ votes }) => votes)).toEqual(
          whole.debates[row]!.record.rounds.map(({ votes }) => votes),
        )
      }
    }
  })

  test('count what is missing and what was scaled', () => {
    const counts = turnCounts(readDebates([...bare, sure!]).debates)
    const answers = (debates: readonly Debate[]) =>
      debates.flatMap(({ rounds }) => rounds.flat()).filter(({ answer }) => answer !== null).length
    expect(counts).toEqual({
      answered: answers([...bare, sure!]),
      missing: answers(bare),
      renormalised: answers([sure!]),
    })
  })
})

describe('the key of a question', () => {
  const runs = simulatedDebates({ count: 6, seed: 3 })
  const ids = runs.map(({ id }) => id)
  const withKeys = (keys: readonly (string | null)[]) =>
    readDebates(runs.map((debate, row) => ({ ...debate, question_of: keys[row] ?? null }))).debates
  const blocksOf = (keys: readonly string[]) => keys.map((key) => keys.indexOf(key))

  test('is what the debate names, else its id; a debate may name the id of another', () => {
    expect(questionKeys(withKeys(['q', 'q', null, ids[2]!, null, 'r']))).toEqual([
      'q',
      'q',
      ids[2],
      ids[2],
      ids[4],
      'r',
    ])
  })

  test('is kept by a compact reader', () => {
    const reader = debateReader({}, 'test', { isCompact: true })
    for (const [row, debate] of runs.entries())
      reader.add({ ...debate, question_of: row < 3 ? 'q' : null }, `line ${row}`)
    expect(questionKeys(reader.debates().debates)).toEqual(['q', 'q', 'q', ...ids.slice(3)])
  })

  test('joins debates that the caller or the debates themselves say are one, over any number of steps', () => {
    // By name 0-1 and 3-4; by the caller 1-3 and 2-5.
    const debates = withKeys(['q', 'q', null, 'r', 'r', null])
    const texts = ['a', 'b', 'c', 'b', 'd', 'c']
    const keys = questionKeys(debates, (id) => texts[ids.indexOf(id)]!)
    expect(blocksOf(keys)).toEqual([0, 0, 2, 0, 0, 2])
    const long = readDebates(
      simulatedDebates({ count: 3000, seed: 3 }).map((debate, row) => ({ ...debate, question_of: `${row >> 1}` })),
    ).debates
    const places = new Map(long.map(({ record }, row) => [record.id, row]))
    expect(new Set(questionKeys(long, (id) => `${(places.get(id)! + 1) >> 1}`)).size).toBe(1)
  })

  test('does not confuse a key of the caller with one of the debates', () => {
    const debates = withKeys(['q', null, null, null, null, null])
    expect(blocksOf(questionKeys(debates, (id) => (id === ids[1] ? 'q' : id)))).toEqual([0, 1, 2, 3, 4, 5])
  })
})

describe('a round is of the calibrated panel', () => {
  const agents = [
    ['x', 'y', 'z'],
    ['x', 'y', 'z'],
    ['x', 'y'],
  ]

  test('when it has its very agents in any seats, however often and in whatever order rounds are asked', () => {
    const isHeld = panelCheck({ agents, panels: 'same' })
    for (const row of [0, 3, 4, 0, 4, 3]) {
      expect([1, 2, 3].map((round) => isHeld(debates[row]!, round))).toEqual(
        row === 4 ? [false, false, true] : [true, true, false],
      )
    }
  })

  test('when it has some of them, where panels varied', () => {
    const isHeld = panelCheck({ agents, panels: 'varying' })
    expect([1, 2, 3].map((round) => isHeld(debates[4]!, round))).toEqual([true, true, true])
    expect([1, 2, 3].map((round) => isHeld(debates[0]!, round))).toEqual([true, true, false])
  })

  test('never beyond the rounds that were calibrated', () => {
    const isHeld = panelCheck({ agents: [['x', 'y', 'z']], panels: 'same' })
    expect(isHeld(debates[0]!, 2)).toBe(false)
  })
})
