import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CertificateError } from '../src/certificate-error.ts'
import { permutation, seededRandom, xoshiro } from '../src/random.ts'

test('the generator gives the published words of xoshiro128** from state (1, 2, 3, 4)', () => {
  const random = xoshiro([1, 2, 3, 4])
  const words = Array.from({ length: 5 }, () => random() * 2 ** 32)
  expect(words).toEqual([11520, 0, 5927040, 70819200, 2031721883])
})

test('one seed gives one sequence in [0, 1), another seed another', () => {
  const draw = (seed: number) => Array.from({ length: 1000 }, seededRandom(seed))
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
  expect(draw(0).every((value) => value >= 0 && value < 1)).toBe(true)
})

test.each([-1, 1.5, 2 ** 32, Number.NaN])('a seed of %d is refused', (seed) => {
  expect(() => seededRandom(seed)).toThrow(CertificateError)
})

test('a permutation holds every number once', () => {
  fc.assert(
    fc.property(fc.nat(300), fc.nat(), (count, seed) => {
      const order = [...permutation(count, seededRandom(seed))].sort((a, b) => a - b)
      expect(order).toEqual(Array.from({ length: count }, (_, index) => index))
    }),
  )
})

test('every number comes first equally often: chi-square over six places below its 1e-6 quantile', () => {
  const random = seededRandom(3)
  const counts = new Float64Array(6)
  for (let drawn = 0; drawn < 60_000; drawn++) counts[permutation(6, random)[0]!]! += 1
  const statistic = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)
  expect(statistic).toBeLessThan(35.9)
})
