import { readDebates } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { numpyPermutation } from '../../src/reproduce/measure/numpy-permutation.ts'
import { measurePrototypeSplit, prototypeHalves } from '../../src/reproduce/measure/prototype-split.ts'
import { withPrototypeTies } from '../../src/reproduce/measure/prototype-ties.ts'

describe('a permutation is that of numpy', () => {
  // numpy.random.default_rng(seed).permutation(count): its first twelve, and the sum of each value times its place (1.24 and 2.4).
  test.each([
    [0, 1, [0], 0],
    [0, 2, [0, 1], 1],
    [7, 10, [8, 0, 7, 1, 3, 6, 2, 4, 5, 9], 220],
    [7, 1000, [816, 923, 151, 900, 213, 100, 851, 503, 643, 172, 205, 533], 249_031_891],
    [1007, 333, [65, 144, 324, 251, 122, 287, 217, 130, 170, 299, 168, 55], 9_097_370],
    [41, 5980, [1185, 2371, 1184, 129, 3542, 408, 2066, 2228, 652, 897, 1688, 441], 53_571_497_162],
  ])('of seed %i and %i values', (seed, count, head, sum) => {
    const values = numpyPermutation(count, seed)
    expect(values.slice(0, 12)).toEqual(head)
    expect(values.reduce((total, value, at) => total + value * at, 0)).toBe(sum)
    expect(values.toSorted((a, b) => a - b)).toEqual(Array.from(values.keys()))
  })
})

const debate = (row: number, question: string | null) => ({
  id: `d${row}`,
  options: ['a', 'b'],
  gold: row % 4 === 0 ? 'b' : 'a',
  ...(question === null ? {} : { question_of: question }),
  rounds: [['x', 'y', 'z'].map((agent) => ({ agent, answer: 'a', conf: { verbal: 0.9 } }))],
})

test('halves and pilots are those of the prototype', () => {
  // halves(d, 7) and halves(d, 1007, .35, train) of the prototype for 23 rows without question_of.
  const {
    train,
    test: held,
    pilot,
    folds,
  } = prototypeHalves(readDebates(Array.from({ length: 23 }, (_, row) => debate(row, null))), 7)
  expect([train, held, pilot, folds]).toEqual([
    [0, 2, 4, 5, 6, 11, 12, 15, 16, 18, 21, 22],
    [1, 3, 7, 8, 9, 10, 13, 14, 17, 19, 20],
    [2, 12, 16, 18],
    [0, 3, 1, 2],
  ])
})

test('runs of a question stay together', () => {
  const debates = Array.from({ length: 24 }, (_, row) => debate(row, `q${row % 8}`))
  const { train, test: held, pilot } = prototypeHalves(readDebates(debates), 11)
  expect([train, held, pilot]).toEqual([
    [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23],
    [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22],
    [7, 15, 23],
  ])
})

test('folds are those of the prototype', () => {
  const debates = Array.from({ length: 200 }, (_, row) => debate(row, null))
  // The part of each pilot row in fit_chain of the prototype.
  expect(prototypeHalves(readDebates(debates), 7).folds.join('')).toBe('12143024232002104400334311412421303')
})

test('ties fall as in the prototype, and nothing else changes', () => {
  const split = (id: string) => ({
    id,
    options: ['a', 'b'],
    gold: 'a',
    rounds: [
      [
        { agent: 'x', answer: 'a' },
        { agent: 'y', answer: 'b' },
      ],
    ],
  })
  const agreed = Array.from({ length: 4 }, (_, row) => debate(row, null))
  const tied = Array.from({ length: 40 }, (_, row) => split(`d${row}`))
  const given = [...agreed.map((each) => ({ ...each, id: `agreed ${each.id}` })), ...tied]
  const moved = withPrototypeTies(given)
  expect(moved.map(({ rounds, gold }) => ({ rounds, gold }))).toEqual(
    given.map(({ rounds, gold }) => ({ rounds, gold })),
  )
  expect(moved.slice(0, 4)).toEqual(given.slice(0, 4))
  // zlib.crc32(f"d{row}/0".encode()) % 2 in Python.
  const chosen = readDebates(moved)
    .debates.slice(4)
    .map(({ rounds }) => rounds[0]!.prediction)
  expect(chosen.join('')).toBe('1010101010101010101010101010100101010101')
  expect(new Set(moved.map(({ id }) => id)).size).toBe(moved.length)
})

test('every debate of the test half is counted once', () => {
  const read = readDebates(Array.from({ length: 60 }, (_, row) => debate(row, null)))
  const { debates, points } = measurePrototypeSplit(read, 7, 'prototype')
  expect(debates).toBe(30)
  expect(points).toHaveLength(4)
  for (const { acted, wrong } of points) expect(wrong).toBeLessThanOrEqual(acted)
})
