import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitCertificate } from '../../src/certificate/fit-certificate.ts'
import { chosenFolds, splitRows } from '../../src/knn/split-rows.ts'

const choice = fc.record({
  pilotFraction: fc.oneof(fc.constantFrom(0, 0.2, 0.5, 0.29), fc.double({ min: 0, max: 0.999, noNaN: true })),
  seed: fc.nat({ max: 2 ** 32 - 1 }),
})
const count = fc.integer({ min: 1, max: 300 })
const rising = (list: readonly number[]) => list.every((row, at) => at === 0 || row > list[at - 1]!)

describe('a seeded split', () => {
  test('has exactly floor(n * share) pilot rows, every other row a neighbour, both in row order', () => {
    fc.assert(
      fc.property(count, choice, (rows, chosen) => {
        const { pilot, neighbours } = splitRows('test', rows, chosen, null)
        expect(pilot).toHaveLength(Math.floor(rows * chosen.pilotFraction))
        expect([...pilot, ...neighbours].sort((a, b) => a - b)).toEqual(Array.from({ length: rows }, (_, row) => row))
        expect(rising(pilot) && rising(neighbours)).toBe(true)
      }),
    )
  })

  test('is the same for the same seed and another for another', () => {
    const split = (seed: number) => splitRows('test', 500, { pilotFraction: 0.2, seed }, null)
    expect(split(7)).toEqual(split(7))
    expect(split(7)).not.toEqual(split(8))
  })

  test('gives every row the same chance to be a pilot row', () => {
    const taken = new Float64Array(20)
    for (let seed = 0; seed < 4000; seed++) {
      for (const row of splitRows('test', 20, { pilotFraction: 0.25, seed }, null).pilot) taken[row]!++
    }
    // Five standard deviations of a binomial with rate 1/4.
    for (const times of taken) expect(Math.abs(times - 1000)).toBeLessThan(5 * Math.sqrt(750))
  })

  test('is by default 20 %, rounded down, with seed 7', () => {
    const input = { rounds: [{ states: Array.from({ length: 99 }, (_, row) => [row]), correct: Array(99).fill(1) }] }
    const budget = { beta: 0.2, delta: 0.03, epsilon: 0.02 }
    const { split } = fitCertificate(input, { profile: 'paper', budget })
    expect(split).toEqual(splitRows('test', 99, { pilotFraction: 0.2, seed: 7 }, null))
    expect(split.pilot).toHaveLength(19)
  })
})

describe('rows of one question', () => {
  const questions = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor', ''), {
    minLength: 1,
    maxLength: 80,
  })

  test('stay on one side, one row of each is counted, and the pilot never exceeds its share', () => {
    fc.assert(
      fc.property(questions, choice, (names, chosen) => {
        const { pilot, neighbours } = splitRows('test', names.length, chosen, names)
        const asked = new Set(pilot.map((row) => names[row]!))
        expect(neighbours.filter((row) => asked.has(names[row]!))).toEqual([])
        const counted = neighbours.map((row) => names[row]!)
        expect(new Set(counted).size).toBe(counted.length)
        expect(new Set([...asked, ...counted]).size).toBe(new Set(names).size)
        expect(pilot.length).toBeLessThanOrEqual(Math.floor(names.length * chosen.pilotFraction))
      }),
      { numRuns: 300 },
    )
  })

  test('on both sides of explicit lists, or twice among the neighbours, are refused', () => {
    const names = ['a', 'a', 'b', 'b']
    const split = (pilot: number[], neighbours: number[]) => () => splitRows('test', 4, { pilot, neighbours }, names)
    expect(split([0], [1])).toThrow('split.neighbours[0] must be a run of a question not yet named')
    expect(split([0], [2, 3])).toThrow('split.neighbours[1] must be a run of a question not yet named')
    expect(split([0, 1], [3])()).toEqual({ pilot: [0, 1], neighbours: [3] })
  })

  test('that are all alone split like rows without questions', () => {
    const alone = Array.from({ length: 50 }, (_, row) => `q${row}`)
    const chosen = { pilotFraction: 0.3, seed: 4 }
    expect(splitRows('test', 50, chosen, alone)).toEqual(splitRows('test', 50, chosen, null))
  })

  test('are kept together by fitCertificate', () => {
    const names = Array.from({ length: 60 }, (_, row) => `q${row % 20}`)
    const rounds = [{ states: names.map((_, row) => [row]), correct: names.map(() => 1) }]
    const budget = { beta: 0.2, delta: 0.03, epsilon: 0.02 }
    const { split } = fitCertificate(
      { rounds, questions: names },
      { profile: 'paper', budget, split: { pilotFraction: 0.5, seed: 1 } },
    )
    const asked = new Set(split.pilot.map((row) => names[row]!))
    expect(asked.size).toBe(10)
    expect(split.neighbours.some((row) => asked.has(names[row]!))).toBe(false)
  })
})

test('lists of rows are taken as they are, in their order, and need not name every row', () => {
  const lists = { pilot: [5, 1], neighbours: [4, 0, 2] }
  expect(splitRows('test', 10, lists, null)).toEqual(lists)
})

describe('folds that the caller has chosen', () => {
  const lists = { pilot: [5, 1, 2], neighbours: [4, 0] }
  const names = ['a', 'b', 'b', 'c', 'd', 'e']

  test('are those of the pilot rows, in their order', () => {
    expect(chosenFolds('test', { ...lists, folds: [4, 0, 0] }, names)).toEqual(Uint8Array.of(4, 0, 0))
    expect(chosenFolds('test', { ...lists, folds: [4, 0, 1] }, null)).toEqual(Uint8Array.of(4, 0, 1))
  })

  test('may be left to chance', () => {
    for (const choice of [undefined, null, { seed: 1 }, lists]) expect(chosenFolds('test', choice, null)).toBeNull()
  })

  test.each([
    [[0, 1], 'split.folds must be an array of 3 folds, one for each pilot row'],
    [[0, 1, 5], 'split.folds[2] must be an integer from 0 to 4'],
    [[0, Number.NaN, 1], 'split.folds[1] must be an integer from 0 to 4'],
    [[0, 1, 2], 'split.folds[2] must be that of the other runs of its question'],
    [[3, 3, 3], 'split.folds must be of at least two folds'],
  ])('are refused where they are %j', (folds, words) => {
    expect(() => chosenFolds('test', { ...lists, folds }, names)).toThrow(words)
  })
})
