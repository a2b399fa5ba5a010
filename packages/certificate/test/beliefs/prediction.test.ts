import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { predict } from '../../src/beliefs/prediction.ts'

test('is the option with the largest probability, whatever id, round and seed', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat({ max: 64 }), fc.nat(), (id, round, seed) => {
      expect(predict([0.2, 0.5, 0.3], id, round, seed)).toBe(1)
    }),
  )
})

test('of a single option is that option', () => {
  expect(predict([1], 'q', 1, 0)).toBe(0)
})

describe('a tie', () => {
  const ids = Array.from({ length: 6000 }, (_, index) => `question-${index}`)
  const choices = (social: readonly number[], round = 1, seed = 0) => ids.map((id) => predict(social, id, round, seed))
  const agreement = (left: readonly number[], right: readonly number[]) =>
    left.filter((choice, index) => choice === right[index]).length / left.length

  test('is settled by id, round and seed: the same three, the same option', () => {
    expect(choices([0.5, 0.5], 2, 9)).toEqual(choices([0.5, 0.5], 2, 9))
  })

  test('does not depend on how large the tied probabilities are', () => {
    expect(choices([0.4, 0.4, 0.2])).toEqual(choices([0.5, 0.5, 0]))
  })

  test('is only between the largest', () => {
    expect(new Set(choices([0.1, 0.3, 0, 0.3, 0.3]))).toEqual(new Set([1, 3, 4]))
  })

  test('holds within 1e-12 and not beyond', () => {
    expect(new Set(choices([0.5, 0.5 - 1e-12]))).toEqual(new Set([0, 1]))
    expect(new Set(choices([0.5, 0.5 - 2e-12]))).toEqual(new Set([0]))
  })

  test.each([2, 3, 4, 7, 10, 64])('of %d gives each option the same chance over ids', (count) => {
    expect(chiSquare(choices(new Array(count).fill(1 / count)), count)).toBeLessThan(critical(count - 1))
  })

  test('gives each option the same chance over rounds and over seeds of one id', () => {
    const social = [0.25, 0.25, 0.25, 0.25]
    const overRounds = ids.map((_, round) => predict(social, 'q', round, 0))
    const overSeeds = ids.map((_, seed) => predict(social, 'q', 1, seed))
    expect(chiSquare(overRounds, 4)).toBeLessThan(critical(3))
    expect(chiSquare(overSeeds, 4)).toBeLessThan(critical(3))
  })

  test('is settled again each round and under each seed, as if independent', () => {
    const first = choices([0.5, 0.5])
    expect(Math.abs(agreement(first, choices([0.5, 0.5], 2)) - 0.5)).toBeLessThan(4 * Math.sqrt(0.25 / ids.length))
    expect(Math.abs(agreement(first, choices([0.5, 0.5], 1, 1)) - 0.5)).toBeLessThan(4 * Math.sqrt(0.25 / ids.length))
  })
})

test('refuses no probabilities, NaN, and rounds or seeds that are no 32-bit words', () => {
  expect(() => predict([], 'q', 1, 0)).toThrow('predict: social must be one probability or more')
  expect(() => predict([0.5, Number.NaN], 'q', 1, 0)).toThrow('predict: social')
  expect(() => predict([1], 'q', 1.5, 0)).toThrow('predict: round must be an integer in [0, 2^32), got 1.5')
  expect(() => predict([1], 'q', 1, -1)).toThrow('predict: seed must be an integer in [0, 2^32), got -1')
  expect(() => predict([1], 'q', 1, Number.NaN)).toThrow('predict: seed')
})

function chiSquare(choices: readonly number[], count: number): number {
  const expected = choices.length / count
  const observed = new Float64Array(count)
  for (const choice of choices) observed[choice]!++
  return observed.reduce((sum, number) => sum + (number - expected) ** 2 / expected, 0)
}

/** 99.9 % quantile of chi-square by Wilson and Hilferty's approximation, good to a few percent. */
function critical(degrees: number): number {
  return degrees * (1 - 2 / (9 * degrees) + 3.09 * Math.sqrt(2 / (9 * degrees))) ** 3
}
