import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDebates } from '../../src/certificate/read-debates.ts'
import { clopperPearsonInterval, clopperPearsonUpper } from '../../src/concentration/clopper-pearson.ts'
import { evaluatedFile } from '../../src/evaluation/evaluated-file.ts'
import { judgingFloor, kindFigures } from '../../src/evaluation/kind-figures.ts'
import { summarise } from '../../src/evaluation/summarise.ts'
import { tallyActions } from '../../src/evaluation/tally.ts'
import { tallySplit } from '../../src/evaluation/tally-split.ts'
import { halves } from '../../src/knn/split-halves.ts'
import { readReference } from '../reference/read-reference.ts'
import { fixedPolicy } from './fixed-actions.ts'

const turn = (agent: string, answer: string | null) => ({ agent, answer })
const round = (...answers: readonly (string | null)[]) => answers.map((answer, at) => turn(`agent ${at}`, answer))
/** Unanimous and right; split two to one, then another answer by all; one abstains. */
const debates = readDebates([
  { id: 'unanimous', options: ['A', 'B'], gold: 'A', rounds: [round('A', 'A', 'A'), round('A', 'A', 'A')] },
  { id: 'changed', options: ['A', 'B'], gold: 'A', rounds: [round('A', 'A', 'B'), round('B', 'B', 'B')] },
  { id: 'split', options: ['A', 'B'], gold: 'A', rounds: [round('A', 'A', 'B'), round('A', 'A', 'B')] },
  { id: 'abstains', options: ['A', 'B'], gold: 'B', rounds: [round('A', 'A', null), round('A', 'A', null)] },
]).debates

describe('kinds are those of the round of the action', () => {
  test('each with its parts, its counts and its name', () => {
    const tally = tallyActions(debates, [1, 2, 1, 0], { protocol: 'debate' })
    const found = kindFigures([tally], 0.8)
    expect(
      found.map(({ round, agreement, hasChanged, acted, right }) => [round, agreement, hasChanged, acted, right]),
    ).toEqual([
      [1, 'unanimous', false, 1, 1],
      [1, 'two-thirds', false, 1, 1],
      [2, 'unanimous', true, 1, 0],
    ])
    expect(found[2]!.kind).toBe('round 2, unanimous, answer changed')
  })

  test('a kind that nothing was acted on has no row', () => {
    expect(kindFigures([tallyActions(debates, [0, 0, 0, 0], { protocol: 'debate' })], 0.8)).toEqual([])
  })
})

const counts = fc.array(
  fc.integer({ min: 1, max: 400 }).chain((acted) => fc.record({ acted: fc.constant(acted), right: fc.nat(acted) })),
  { minLength: 1, maxLength: 10 },
)

test('over splits counts are summed, and intervals are those of one test half', () => {
  fc.assert(
    fc.property(counts, fc.double({ min: 0.5, max: 0.99, noNaN: true }), (splits, floor) => {
      const [found] = kindFigures(
        splits.map((count) => ({ kinds: new Map([[3, count]]) })),
        floor,
      )
      const acted = splits.reduce((sum, count) => sum + count.acted, 0)
      const right = splits.reduce((sum, count) => sum + count.right, 0)
      expect(found).toMatchObject({ acted, right, rate: right / acted, perSplit: acted / splits.length })
      const half = Math.round(acted / splits.length)
      const { lower, upper } = clopperPearsonInterval(Math.round((right / acted) * half), half, 0.95)
      expect([found!.low, found!.high]).toEqual([lower, upper])
      if (splits.length === 1) expect(found!.isBelow).toBe(clopperPearsonUpper(right, acted, 0.01) < floor)
    }),
  )
})

test.each(
  readReference('kinds-below.json').kinds as {
    splits: number
    acted: number
    right: number
    floor: number
    isBelow: boolean
  }[],
)('$right of $acted in $splits splits against $floor, as SciPy judges', ({ splits, acted, right, floor, isBelow }) => {
  const tallies = Array.from({ length: splits }, (_, at) => ({
    kinds: new Map(at === 0 ? [[0, { acted, right }]] : []),
  }))
  expect(kindFigures(tallies, floor)[0]!.isBelow).toBe(isBelow)
})

describe('an evaluation', () => {
  const debates = Array.from({ length: 240 }, (_, at) => ({
    id: `q${at}`,
    options: ['A', 'B'],
    gold: at % 2 === 0 ? 'A' : 'B',
    rounds: [at < 200 ? round('A', 'A', 'B') : round('A', 'A', 'A')],
  }))
  const read = readDebates(debates)
  const everything = fixedPolicy('majority-first', new Map(debates.map(({ id }) => [id, 1])))
  const nothing = fixedPolicy('cells', new Map())
  const split = tallySplit(
    read,
    halves(
      debates.map(({ id }) => id),
      7,
    ),
    {
      policies: [everything, nothing],
      budgets: [{ beta: 0.1, delta: 0.03, epsilon: 0 }],
      protocol: 'debate',
      seed: 7,
    },
  )
  const { policies, floor } = summarise([split], evaluatedFile(read), { beta: 0.1, place: 0 })

  test('judges kinds with 50 actions a half or more by the usual floor, and shows the others', () => {
    expect(floor).toBe(0.8)
    // Half of 200 split debates and of 40 unanimous ones are tested; every second answer is right.
    expect(policies[0]).toMatchObject({ floor: 0.8, kindsJudged: 1, kindsBelow: 1 })
    expect(policies[0]!.perKind.map(({ isBelow }) => isBelow)).toEqual([true, true])
  })

  test('has no kind of a policy that never acts', () => {
    expect(policies[1]).toMatchObject({ perKind: [], kindsJudged: 0, kindsBelow: 0 })
  })
})

test('the floor is the declared one, else the usual one, also where the promise has none', () => {
  expect(judgingFloor({ beta: 0.1 })).toBe(0.8)
  expect(judgingFloor({ beta: 0.3 })).toBe(0.7)
  expect(judgingFloor({ beta: 0.1, total: { floor: 0.9 } })).toBe(0.9)
  expect(judgingFloor({ beta: 0.1, total: { floor: 'none' } })).toBe(0.8)
  expect(judgingFloor({ beta: 0.1, total: { kind: 'selective' } })).toBe(0.8)
})
