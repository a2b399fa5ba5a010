import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitSeeds } from '../../src/evaluation/split-seeds.ts'
import { halves } from '../../src/knn/split-halves.ts'
import { permutation, seededRandom } from '../../src/random.ts'

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { maxLength: 40 })

describe('halves', () => {
  test('hold every row once and never share a question', () => {
    fc.assert(
      fc.property(keys, seeds, (questions, seed) => {
        const { train, test: tested } = halves(questions, seed)
        expect([...train, ...tested].sort((a, b) => a - b)).toEqual(questions.map((_, row) => row))
        const trained = new Set(Array.from(train, (row) => questions[row]))
        expect(Array.from(tested).filter((row) => trained.has(questions[row]))).toEqual([])
      }),
    )
  })

  test('are halves of the questions, the odd one for testing', () => {
    fc.assert(
      fc.property(keys, seeds, (questions, seed) => {
        const { train } = halves(questions, seed)
        const trained = new Set(Array.from(train, (row) => questions[row]))
        expect(trained.size).toBe(Math.floor(new Set(questions).size / 2))
      }),
    )
  })

  test('of questions asked once are the two ends of a seeded permutation of the rows', () => {
    const questions = Array.from({ length: 101 }, (_, row) => `question ${row}`)
    const order = permutation(101, seededRandom(7))
    expect(halves(questions, 7)).toEqual({ train: order.slice(0, 50), test: order.slice(50) })
  })

  test('depend on the seed', () => {
    const questions = Array.from({ length: 100 }, (_, row) => `question ${row}`)
    expect(halves(questions, 7)).toEqual(halves(questions, 7))
    expect(halves(questions, 7)).not.toEqual(halves(questions, 11))
  })
})

describe('split seeds', () => {
  test('are those of the paper and then the next primes', () => {
    expect(splitSeeds(10)).toEqual([7, 11, 13, 17, 19, 23, 29, 31, 37, 41])
    expect(splitSeeds(13).slice(10)).toEqual([43, 47, 53])
    expect(splitSeeds(1)).toEqual([7])
  })

  test.each([0, 1.5, Number.NaN, 1001])('are not counted by %s', (count) => {
    expect(() => splitSeeds(count)).toThrow('splitSeeds: count must be an integer from 1 to 1000')
  })
})
