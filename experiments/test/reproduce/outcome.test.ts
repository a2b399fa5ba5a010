import { readDebates, tallyActions } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { kindCounts, medianOf, outcomeOf, pointOf, ratesOf } from '../../src/reproduce/measure/outcome.ts'
import { simulateTwin } from '../../src/twins/simulate-twin.ts'

/** 10 debates over 2 rounds: 4 acted on in round 1 (3 right), 2 in round 2 (both right). */
const CELL = { beta: 0.2, outcome: { debates: 10, acted: [4, 2], right: [3, 2] } }

test('rates of one split are those counted by hand', () => {
  expect(ratesOf(CELL, 2)).toEqual({
    act: 0.6,
    accuracy: 5 / 6,
    wrong: 0.1,
    budgetUsed: 0.5,
    rounds: 1.6,
    stopping: 8 / 6,
  })
})

test('a split without a budget counts as Act 0 and not in the accuracy', () => {
  const point = pointOf([CELL, null], 2)
  expect(point).toMatchObject({ splits: 2, budgeted: 1, acting: 1, beta: 0.2, rounds: 1.8 })
  expect(point.act.mean).toBeCloseTo(0.3)
  expect(point.accuracy?.mean).toBeCloseTo(5 / 6)
  expect(point.budgetUsed).toMatchObject({ mean: 0.25, min: 0, max: 0.5 })
})

test('where nothing is acted on there is no accuracy', () => {
  const point = pointOf([{ beta: 0.1, outcome: { debates: 5, acted: [0, 0], right: [0, 0] } }], 2)
  expect(point).toMatchObject({ accuracy: null, stopping: null, acting: 0, rounds: 2 })
})

test('the median is the middle value, or the mean of the two middle values', () => {
  expect([medianOf([3, 1, 2]), medianOf([4, 1, 2, 3])]).toEqual([2, 2.5])
})

test('actions are counted as the package counts them, over all rounds and kinds', () => {
  const { debates: read } = readDebates(simulateTwin('gpqa', { seed: 3, beliefs: 'soft', count: 300 }))
  const actedAt = read.map((_, row) => row % 5)
  const { debates, acted, right, kinds } = tallyActions(read, actedAt, { protocol: 'debate' })
  expect(outcomeOf(read, actedAt)).toEqual({ debates, acted, right })
  expect(kindCounts(read, actedAt)).toEqual([...kinds].map(([kind, count]) => [kind, count.acted, count.right]))
})
