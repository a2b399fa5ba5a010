import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CertificateError } from '../../src/certificate-error.ts'
import { permutation, seededRandom } from '../../src/random.ts'
import { fitLogistic } from '../../src/smoothers/logistic-regression.ts'
import { readReference } from '../reference/read-reference.ts'

interface Case {
  readonly name: string
  readonly columns: number
  readonly rows: readonly number[]
  readonly successes: readonly number[]
  readonly counts: readonly number[]
  readonly penalty: number
  readonly intercept: number
  readonly weights: readonly number[]
}

const cases: readonly Case[] = readReference('smoothers.json').logistic
const inputOf = ({ rows, columns, successes, counts }: Case) => ({
  rows: Float64Array.from(rows),
  columns,
  successes,
  counts,
})

test.each(cases.map((each) => [each.name, each] as const))('agrees with scikit-learn to 1e-9: %s', (_, each) => {
  const fit = fitLogistic(inputOf(each), each.penalty)
  const size = Math.max(1, ...each.weights.map(Math.abs))
  expect(Math.abs(fit.intercept - each.intercept) / size).toBeLessThan(1e-9)
  for (const [column, weight] of each.weights.entries()) {
    expect(Math.abs(fit.weights[column]! - weight) / size).toBeLessThan(1e-9)
  }
})

const problem = fc.record({
  seed: fc.nat(),
  count: fc.integer({ min: 2, max: 60 }),
  columns: fc.integer({ min: 0, max: 9 }),
  scale: fc.constantFrom(0.01, 1, 30),
})

function draw({ seed, count, columns, scale }: { seed: number; count: number; columns: number; scale: number }) {
  const random = seededRandom(seed)
  const rows = Float64Array.from({ length: count * columns }, () => scale * (random() - 0.5))
  const counts = Float64Array.from({ length: count }, () => 1 + Math.floor(3 * random()))
  const successes = counts.map((total, row) => (row === 0 ? 0 : row === 1 ? total : Math.floor((total + 1) * random())))
  return { rows, columns, successes, counts }
}

describe('properties', () => {
  test('the gradient of the penalised loss vanishes at the fit', () => {
    fc.assert(
      fc.property(problem, (settings) => {
        const { rows, columns, successes, counts } = draw(settings)
        const { intercept, weights } = fitLogistic({ rows, columns, successes, counts })
        const slope = Float64Array.of(...weights, 0)
        for (let row = 0; row < counts.length; row++) {
          let f = intercept
          for (let column = 0; column < columns; column++) f += weights[column]! * rows[row * columns + column]!
          const residual = counts[row]! / (1 + Math.exp(-f)) - successes[row]!
          for (let column = 0; column < columns; column++) slope[column]! += residual * rows[row * columns + column]!
          slope[columns]! += residual
        }
        expect(Math.max(...slope.map(Math.abs))).toBeLessThan(2e-10)
      }),
    )
  })

  test('the order of the rows changes nothing beyond 1e-12', () => {
    fc.assert(
      fc.property(problem, (settings) => {
        const { rows, columns, successes, counts } = draw(settings)
        const order = permutation(counts.length, seededRandom(1))
        const shuffled = {
          rows: rows.map((_, i) => rows[order[Math.floor(i / columns)]! * columns + (i % columns)]!),
          columns,
          successes: successes.map((_, row) => successes[order[row]!]!),
          counts: counts.map((_, row) => counts[order[row]!]!),
        }
        const [one, other] = [fitLogistic({ rows, columns, successes, counts }), fitLogistic(shuffled)]
        expect(Math.abs(one.intercept - other.intercept)).toBeLessThan(1e-12 * Math.max(1, Math.abs(one.intercept)))
        for (const [column, weight] of one.weights.entries()) {
          expect(Math.abs(weight - other.weights[column]!)).toBeLessThan(1e-12 * Math.max(1, Math.abs(weight)))
        }
      }),
    )
  })

  test('a row of count n equals n rows of count 1', () => {
    const together = fitLogistic({ rows: Float64Array.of(0, 1), columns: 1, successes: [1, 2], counts: [3, 3] })
    const rows = Float64Array.of(0, 0, 0, 1, 1, 1)
    const apart = fitLogistic({ rows, columns: 1, successes: [1, 0, 0, 1, 1, 0], counts: [1, 1, 1, 1, 1, 1] })
    expect(apart.weights[0]).toBeCloseTo(together.weights[0]!, 13)
    expect(apart.intercept).toBeCloseTo(together.intercept, 13)
  })
})

describe('edges', () => {
  test('without features the intercept is the log-odds of the rate', () => {
    const { intercept, weights } = fitLogistic({ rows: new Float64Array(0), columns: 0, successes: [3], counts: [4] })
    expect(intercept).toBeCloseTo(Math.log(3), 14)
    expect(weights.length).toBe(0)
  })

  test('a constant column gets the weight 0 when it is 0, and the input is left alone', () => {
    const rows = Float64Array.of(0, 1, 0, 2, 0, 3)
    const { weights } = fitLogistic({ rows, columns: 2, successes: [0, 1, 1], counts: [1, 1, 1] })
    expect(weights[0]).toBe(0)
    expect([...rows]).toEqual([0, 1, 0, 2, 0, 3])
  })

  test.each([
    ['one class', { successes: [1, 2] }],
    ['no successes', { successes: [0, 0] }],
    ['more successes than counts', { successes: [2, 0] }],
    ['NaN successes', { successes: [NaN, 0] }],
    ['negative counts', { counts: [-1, 2] }],
    ['a missing count', { counts: [1] }],
    ['NaN in the rows', { rows: Float64Array.of(NaN, 1) }],
    ['infinity in the rows', { rows: Float64Array.of(Infinity, 1) }],
    ['a length that does not fit', { rows: new Float64Array(3) }],
    ['half a column', { columns: 0.5 }],
  ])('%s is refused', (_, change) => {
    const input = { rows: Float64Array.of(0, 1), columns: 1, successes: [1, 0], counts: [1, 2], ...change }
    expect(() => fitLogistic(input)).toThrow(CertificateError)
  })

  test.each([0, -1, NaN, Infinity])('a penalty of %d is refused', (penalty) => {
    const input = { rows: Float64Array.of(0, 1), columns: 1, successes: [1, 0], counts: [1, 2] }
    expect(() => fitLogistic(input, penalty)).toThrow(CertificateError)
  })
})
