import { describe, expect, test } from 'vitest'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { splitRows } from '../../src/knn/split-rows.ts'
import { paperPolicy } from '../../src/policies/certificate-policy.ts'
import { finalRoundPolicy } from '../../src/policies/final-round.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'
import { fitted } from './fitted.ts'
import { budgetOf, spokenDebate } from './spoken-debates.ts'

const COUNT = 640
const SEED = 7

describe('one state for all debates', () => {
  // All states are equal, so the envelope is 0 and k = 512 counts every neighbour row: 20 % of 640 are pilot rows.
  const { neighbours } = splitRows('test', COUNT, { pilotFraction: 0.2, seed: SEED }, null)
  const isRight = (row: number) => row % 20 !== 0
  const train = readDebates(
    Array.from({ length: COUNT }, (_, row) =>
      spokenDebate(`${row}`, isRight(row) ? 'A' : 'C', ['A', 0.8], ['A', 0.8], ['A', 0.8]),
    ),
  )
  const mean = neighbours.filter(isRight).length / 512
  const slackOf = (level: number) => Math.sqrt(Math.log(1 / level) / (2 * 512))
  const delta = 0.03
  const oneLook = mean - slackOf(delta / 3)
  const stored = readDebates([spokenDebate('new', null, ['A', 0.8], ['A', 0.8], ['A', 0.8])])
  /** The budget whose threshold 1 - alpha is the number. */
  const withLine = (line: number) => budgetOf(1 - line + delta + 0.02, delta)

  test('the bound has Hoeffding slack at level delta / |K|, and acts after the last round', () => {
    expect(neighbours).toHaveLength(512)
    const replay = fitted(finalRoundPolicy, train, { seed: SEED }).replay(stored)
    expect([...replay.at(withLine(oneLook - 1e-9)).actedAt]).toEqual([3])
    expect([...replay.at(withLine(oneLook + 1e-9)).actedAt]).toEqual([0])
  })

  test('a part of delta reserved for the envelope lowers it', () => {
    const replay = fitted(finalRoundPolicy, train, { seed: SEED }).replay(stored)
    const budget = withLine(oneLook - 1e-9)
    expect([...replay.at(budget).actedAt]).toEqual([3])
    expect([...replay.at({ ...budget, deltaOmega: 0.01 }).actedAt]).toEqual([0])
  })

  test('runs of one question are not counted as so many debates', () => {
    const pairs = { seed: SEED, questionOf: (id: string) => `${Math.floor(Number(id) / 2)}` }
    const replay = fitted(finalRoundPolicy, train, pairs).replay(stored)
    expect([...replay.at(withLine(oneLook - 1e-9)).actedAt]).toEqual([0])
  })

  test('the paper, which looks in each of three rounds, needs the level delta / (3 |K|) there', () => {
    const threeLooks = mean - slackOf(delta / 9)
    const replay = fitted(paperPolicy, train, { seed: SEED }).replay(stored)
    expect([...replay.at(withLine(threeLooks - 1e-9)).actedAt]).toEqual([1])
    expect([...replay.at(withLine(threeLooks + 1e-9)).actedAt]).toEqual([0])
  })
})

test('where everyone abstains it does not act, however often such coins fell right', () => {
  const silent = Array.from({ length: COUNT }, (_, row) => ({
    id: `${row}`,
    options: ['A', 'B'],
    rounds: [[{ agent: 'x', answer: null }]],
  }))
  const answers = readDebates(silent).debates.map(({ record, rounds }) => record.options[rounds[0]!.prediction]!)
  const train = readDebates(
    silent.map((debate, row) => ({
      ...debate,
      gold: row % 20 === 0 ? (answers[row] === 'A' ? 'B' : 'A') : answers[row]!,
    })),
  )
  const policy = fitted(finalRoundPolicy, train)
  expect(Math.max(...policy.replay(train).at(budgetOf(0.9)).actedAt)).toBe(0)
  expect(policy.at(budgetOf(0.9)).actsAt(train.debates[0]!, 1)).toBe(false)
})

describe('simulated debates', () => {
  const groups = ['law', 'art']
  const train = readDebates(simulatedDebates({ count: 2000, seed: 41, groups }))
  const stored = readDebates(simulatedDebates({ count: 100, seed: 42, groups: [...groups, 'unseen'] }))

  test('acts in no other round', () => {
    const { actedAt } = fitted(finalRoundPolicy, train).replay(stored).at(budgetOf(0.4))
    expect(new Set(actedAt)).toEqual(new Set([0, 3]))
  })

  test('by group it decides from the rows of the group, and defers on one that has none', () => {
    const { actedAt } = fitted(finalRoundPolicy, train, { groupConditional: true }).replay(stored).at(budgetOf(0.5))
    const acted = stored.debates.filter((_, row) => actedAt[row]! > 0).map(({ record }) => record.group)
    expect(new Set(acted)).toEqual(new Set(groups))
  })

  test('another delta is another bound', () => {
    const replay = fitted(finalRoundPolicy, train).replay(stored)
    const acted = (delta: number) => replay.at(budgetOf(0.3 + delta, delta)).actedAt.filter((round) => round > 0).length
    expect(acted(0.2)).toBeGreaterThan(acted(1e-9))
    expect(acted(0.2)).toBe(acted(0.2))
  })
})
