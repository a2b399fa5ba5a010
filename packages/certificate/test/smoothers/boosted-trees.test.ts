import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CertificateError } from '../../src/certificate-error.ts'
import { permutation, seededRandom } from '../../src/random.ts'
import { type BoostedTrees, fitBoostedTrees } from '../../src/smoothers/boosted-trees.ts'
import type { BoostingOptions } from '../../src/smoothers/boosting-options.ts'
import { readReference } from '../reference/read-reference.ts'

interface Case {
  readonly name: string
  readonly columns: number
  readonly rows: readonly number[]
  readonly labels: readonly number[]
  readonly options: Partial<BoostingOptions>
  readonly points: readonly number[]
  readonly predicted: readonly number[]
  readonly trainingLogLoss: number
}

const cases: readonly Case[] = readReference('boosted-trees.json').cases
const predictAll = (model: BoostedTrees, rows: Float64Array, columns: number) =>
  Array.from({ length: rows.length / columns }, (_, row) => model.predict(rows, row * columns))
const logLoss = (rates: readonly number[], labels: ArrayLike<number>) =>
  rates.reduce((sum, rate, row) => sum - Math.log(labels[row] === 1 ? rate : 1 - rate), 0) / rates.length

// The same splits in every tree: what remains is the rounding of the last sum and of the exponential.
test.each(cases.map((each) => [each.name, each] as const))('agrees with scikit-learn to 1e-13: %s', (_, each) => {
  const { columns, options, predicted, trainingLogLoss } = each
  const rows = Float64Array.from(each.rows)
  const model = fitBoostedTrees(rows, columns, Uint8Array.from(each.labels), options)
  const found = predictAll(model, Float64Array.from(each.points), columns)
  expect(Math.max(...found.map((rate, i) => Math.abs(rate - predicted[i]!)))).toBeLessThan(1e-13)
  expect(Math.abs(logLoss(predictAll(model, rows, columns), each.labels) - trainingLogLoss)).toBeLessThan(1e-13)
})

interface Settings {
  readonly seed: number
  readonly count: number
  readonly columns: number
  readonly values: number
  readonly noise: number
}

const problem: fc.Arbitrary<Settings> = fc.record({
  seed: fc.nat(),
  count: fc.integer({ min: 10, max: 150 }),
  columns: fc.integer({ min: 1, max: 4 }),
  values: fc.constantFrom(2, 6, 255),
  noise: fc.constantFrom(0.1, 0.5),
})
const small: Partial<BoostingOptions> = { trees: 25, minimumLeafRows: 4 }

/** Whole-numbered features, the first of which decides the label but for noise; both classes occur. */
function draw({ seed, count, columns, values, noise }: Settings) {
  const random = seededRandom(seed)
  const rows = Float64Array.from({ length: count * columns }, () => Math.floor(values * random()))
  const labels = Uint8Array.from({ length: count }, (_, row) => {
    if (row < 2) return row
    const above = rows[row * columns]! > values / 2 ? 1 : 0
    return random() < noise ? 1 - above : above
  })
  return { rows, columns, labels }
}

describe('properties', () => {
  test('probabilities lie inside (0, 1)', () => {
    fc.assert(
      fc.property(problem, (settings) => {
        const { rows, columns, labels } = draw(settings)
        const model = fitBoostedTrees(rows, columns, labels, small)
        const beyond = Float64Array.from({ length: 2 * columns }, (_, i) => (i < columns ? -Infinity : Infinity))
        for (const rate of [...predictAll(model, rows, columns), ...predictAll(model, beyond, columns)]) {
          expect(rate).toBeGreaterThan(0)
          expect(rate).toBeLessThan(1)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('a strictly increasing transform of the features changes nothing', () => {
    const transforms = [(x: number) => Math.exp(x / 50), (x: number) => x ** 3 - 7, (x: number) => -1 / (x + 1)]
    fc.assert(
      fc.property(problem, fc.constantFrom(...transforms), (settings, transform) => {
        const { rows, columns, labels } = draw(settings)
        const plain = predictAll(fitBoostedTrees(rows, columns, labels, small), rows, columns)
        const moved = rows.map(transform)
        expect(predictAll(fitBoostedTrees(moved, columns, labels, small), moved, columns)).toEqual(plain)
      }),
      { numRuns: 50 },
    )
  })

  test('the order of the rows changes nothing, to the last bit', () => {
    fc.assert(
      fc.property(problem, (settings) => {
        const { rows, columns, labels } = draw(settings)
        const order = permutation(labels.length, seededRandom(1))
        const shuffled = rows.map((_, i) => rows[order[Math.floor(i / columns)]! * columns + (i % columns)]!)
        const other = fitBoostedTrees(
          shuffled,
          columns,
          labels.map((_, row) => labels[order[row]!]!),
          small,
        )
        const plain = predictAll(fitBoostedTrees(rows, columns, labels, small), rows, columns)
        expect(predictAll(other, rows, columns)).toEqual(plain)
      }),
      { numRuns: 50 },
    )
  })

  // A leaf's step of at most 5.8, a tenth of Newton's, lowers its loss, since |f'''| <= f'' for the logistic loss:
  // f(x + s) <= f + f' s + f'' (exp |s| - 1 - |s|). Labels this noisy keep the steps below 0.4.
  test('the training loss never rises with more trees', () => {
    fc.assert(
      fc.property(problem, (settings) => {
        const { rows, columns, labels } = draw({ ...settings, count: settings.count + 50 })
        let before = Infinity
        for (const trees of [1, 2, 3, 5, 10, 20, 40]) {
          const model = fitBoostedTrees(rows, columns, labels, { ...small, trees })
          const loss = logLoss(predictAll(model, rows, columns), labels)
          expect(loss).toBeLessThan(before + 1e-9)
          before = loss
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('edges', () => {
  const labels = Uint8Array.from({ length: 80 }, (_, row) => (row % 4 === 0 ? 1 : 0))

  test('without a split the prediction is the rate', () => {
    expect(fitBoostedTrees(new Float64Array(80).fill(3), 1, labels).predict(Float64Array.of(9), 0)).toBeCloseTo(
      0.25,
      15,
    )
  })

  test('the rows are left alone', () => {
    const rows = Float64Array.from({ length: 80 }, (_, row) => (row * 37) % 80)
    const before = rows.slice()
    fitBoostedTrees(rows, 1, labels)
    expect(rows).toEqual(before)
  })

  // Before 1.4 scikit-learn's exponential overflows there, and no further tree is grown from the NaN.
  test('a step that overshoots to log-odds below -709 is repaired by later trees', () => {
    const random = seededRandom(0)
    const rows = Float64Array.from({ length: 200 }, () => Math.floor(6 * random()))
    const mixed = Uint8Array.from({ length: 100 }, (_, row) =>
      random() < (rows[2 * row] === 0 ? 0.2 + 0.1 * rows[2 * row + 1]! : 1) ? 1 : 0,
    )
    const wrongAfter = (trees: number) => {
      const model = fitBoostedTrees(rows, 2, mixed, { learningRate: 1, minimumLeafRows: 5, trees })
      return predictAll(model, rows, 2).filter((rate, row) => Math.abs(rate - mixed[row]!) > 0.5).length
    }
    expect(wrongAfter(8)).toBeLessThan(wrongAfter(5) / 2)
  })

  test('predicts at an offset and refuses NaN and a row beyond the end', () => {
    const rows = Float64Array.from({ length: 80 }, (_, row) => row)
    const model = fitBoostedTrees(rows, 1, labels)
    expect(model.predict(rows, 70)).toBe(model.predict(Float64Array.of(70), 0))
    expect(() => model.predict(Float64Array.of(NaN), 0)).toThrow(CertificateError)
    expect(() => model.predict(rows, 80)).toThrow(CertificateError)
  })

  test.each([
    ['one class', { labels: new Uint8Array(2) }],
    ['a label of 2', { labels: Uint8Array.of(0, 2) }],
    ['no rows', { labels: new Uint8Array(0), rows: new Float64Array(0) }],
    ['NaN in the rows', { rows: Float64Array.of(NaN, 1) }],
    ['infinity in the rows', { rows: Float64Array.of(Infinity, 1) }],
    ['a length that does not fit', { rows: new Float64Array(3) }],
    ['no columns', { columns: 0 }],
    ['half a column', { columns: 0.5 }],
    ['a learning rate of 0', { options: { learningRate: 0 } }],
    ['NaN as learning rate', { options: { learningRate: NaN } }],
    ['no trees', { options: { trees: 0 } }],
    ['one leaf', { options: { maximumLeaves: 1 } }],
    ['33 leaves', { options: { maximumLeaves: 33 } }],
    ['a leaf without rows', { options: { minimumLeafRows: 0 } }],
    ['a negative penalty', { options: { l2: -1 } }],
    ['256 bins', { options: { maximumBins: 256 } }],
  ])('%s is refused', (_, change) => {
    const { rows, columns, labels, options } = {
      rows: Float64Array.of(0, 1),
      columns: 1,
      labels: Uint8Array.of(0, 1),
      options: {},
      ...change,
    }
    expect(() => fitBoostedTrees(rows, columns, labels, options)).toThrow(CertificateError)
  })

  test('an undefined option means the default, a misspelt one is refused', () => {
    const rows = Float64Array.from({ length: 80 }, (_, row) => row)
    const fitWith = (options: object): BoostedTrees => Reflect.apply(fitBoostedTrees, null, [rows, 1, labels, options])
    expect(fitWith({ trees: undefined }).predict(rows, 3)).toBe(fitBoostedTrees(rows, 1, labels).predict(rows, 3))
    expect(() => fitWith({ learning_rate: 0.1 })).toThrow(CertificateError)
  })
})
