import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type TotalBudget, usualBudget } from '../../src/budget.ts'
import { resolveProfileBudget } from '../../src/certificate/alpha-rule.ts'
import { calibrate } from '../../src/certificate/calibrate.ts'
import { clopperPearsonLower } from '../../src/concentration/clopper-pearson.ts'
import { empiricalBernsteinLower } from '../../src/concentration/empirical-bernstein.ts'
import { hoeffdingLower } from '../../src/concentration/hoeffding.ts'
import { silenceSentences } from '../../src/decision/total-sentences.ts'
import { labelFloor } from '../../src/planning/label-floor.ts'
import { oneCellWorld } from './one-cell-world.ts'

const budgetOf = (beta: number, profile: 'cells' | 'tight' | 'paper') =>
  resolveProfileBudget('test', { beta, delta: 0.03, epsilon: 0.02 }, profile, 4)

function withFloor(floor: number) {
  return { ...resolveProfileBudget('test', usualBudget(0.1, 'total'), 'total', 4), total: { floor } }
}

const totalFloor = (beta: number, total: TotalBudget) =>
  labelFloor('total', { ...resolveProfileBudget('test', usualBudget(beta, 'total'), 'total', 1), total }, 1)

/** A certificate from labels that are all right, of debates that all look alike. */
const perfectCertificate = (labels: number, beta: number, total: TotalBudget) =>
  calibrate(oneCellWorld(labels, 1, labels), {
    profile: 'total',
    budget: { ...usualBudget(beta, 'total'), total },
    trustGrades: true,
  })

describe('the labels that even a perfect panel needs', () => {
  test('cells: log(.03 / 4) / log(.901326) = 47.1, so 48 alike, and 59 with a pilot of 20 %', () => {
    expect(labelFloor('cells', budgetOf(0.1, 'cells'), 4)).toEqual({
      alike: 48,
      labels: 59,
      largestNeighbourhood: null,
      smallestBeta: null,
    })
  })

  test('paper: log(4 * 3 / .03) / (2 * .1^2) = 299.57, so 300, to which 512 is cut, and 374 with a pilot of 74', () => {
    const { alike, labels, largestNeighbourhood } = labelFloor('paper', budgetOf(0.15, 'paper'), 4)
    expect({ alike, labels, largestNeighbourhood }).toEqual({ alike: 300, labels: 374, largestNeighbourhood: 512 })
  })

  test('paper at beta .20: log(400) / (2 * .15^2) = 133.14, so 134', () => {
    expect(labelFloor('paper', budgetOf(0.2, 'paper'), 4)).toMatchObject({ alike: 134, labels: 167 })
  })

  test('paper at beta .10: 512 neighbours leave sqrt(log(400) / 1024) = .07649, so no number is enough below .1265', () => {
    const { alike, labels, smallestBeta } = labelFloor('paper', budgetOf(0.1, 'paper'), 4)
    expect({ alike, labels }).toEqual({ alike: null, labels: null })
    expect(smallestBeta).toBeCloseTo(0.12649, 5)
  })

  test('tight: log(.03 / 4) / log(.82) = 24.7, but its smallest neighbourhood has 128', () => {
    expect(labelFloor('tight', budgetOf(0.2, 'tight'), 4).alike).toBe(128)
  })

  test('total: log(.03) / log(.9) = 33.3, so 34 alike, and 51 with the pilot of 35 % that fewer than 600 labels have', () => {
    const budget = resolveProfileBudget('test', usualBudget(0.1, 'total'), 'total', 4)
    expect(labelFloor('total', budget, 4)).toMatchObject({ alike: 34, labels: 51 })
  })

  test('total: the pilot of 20 % is that of 600 labels and more', () => {
    const budget = resolveProfileBudget('test', usualBudget(0.008, 'total'), 'total', 4)
    const { alike, labels } = labelFloor('total', budget, 4)
    expect({ alike, labels }).toEqual({ alike: 437, labels: 600 })
  })

  test('total: the labels are the fewest of which enough remain, below and above 600', () => {
    const remaining = (labels: number) => labels - Math.floor(labels * (labels < 600 ? 0.35 : 0.2))
    const met = new Set<number>()
    // The steps are so small that every count up to 480 occurs.
    for (let beta = 0.3; beta > 0.0005; beta *= 0.998) {
      const budget = resolveProfileBudget('test', usualBudget(beta, 'total'), 'total', 4)
      const { alike, labels } = labelFloor('total', budget, 4)
      let fewest = 1
      while (remaining(fewest) < alike!) fewest++
      expect({ alike, labels }).toEqual({ alike, labels: fewest })
      met.add(alike!)
    }
    for (let alike = 380; alike <= 480; alike++) expect(met).toContain(alike)
  })

  test('total: billions of labels are counted exactly', () => {
    const { alike, labels } = labelFloor('total', withFloor(1 - 1e-9), 4)
    // log(.02) / log(1 - 1e-9), up to the rounding of the floor.
    expect(alike! / (Math.log(50) * 1e9)).toBeCloseTo(1, 6)
    expect(labels! - Math.floor(0.2 * labels!)).toBeGreaterThanOrEqual(alike!)
    expect(labels! - 1 - Math.floor(0.2 * (labels! - 1))).toBeLessThan(alike!)
  })

  test.each([1 - 2 ** -53, 1 - 1e-13])('total: more than a trillion labels are not counted: floor %d', (floor) => {
    expect(labelFloor('total', withFloor(floor), 4).labels).toBeNull()
  })

  // The number of policies and of classes divides delta of the floor and of `selective`. Here there are one or two tests.
  test.each<[number, TotalBudget, { alike: number; labels: number }, number]>([
    [0.1, {}, { alike: 34, labels: 51 }, 51],
    [0.05, {}, { alike: 69, labels: 105 }, 105],
    [0.1, { floor: 'none' }, { alike: 34, labels: 51 }, 51],
    [0.3, {}, { alike: 11, labels: 16 }, 19],
    [0.1, { floor: 0.95 }, { alike: 77, labels: 117 }, 137],
    [0.2, { floor: 0.9 }, { alike: 38, labels: 57 }, 67],
    [0.1, { kind: 'average', floor: 'none' }, { alike: 9, labels: 13 }, 13],
    [0.05, { kind: 'average', floor: 'none' }, { alike: 19, labels: 28 }, 28],
    [0.1, { kind: 'average' }, { alike: 18, labels: 27 }, 31],
    [0.05, { kind: 'average' }, { alike: 38, labels: 57 }, 67],
    [0.1, { kind: 'selective' }, { alike: 29, labels: 44 }, 54],
    [0.2, { kind: 'selective' }, { alike: 14, labels: 21 }, 25],
  ])(
    'total: with beta %s and %j even a perfect panel needs at least %j, and acts from %s',
    (beta, total, least, first) => {
      expect(totalFloor(beta, total)).toMatchObject(least)
      for (let labels = Math.max(1, least.labels - 12); labels < least.labels; labels++) {
        expect(perfectCertificate(labels, beta, total).canAct()).toBe(false)
      }
      expect(perfectCertificate(first - 1, beta, total).canAct()).toBe(false)
      expect(perfectCertificate(first, beta, total).outcomeOf(null)!.acted).toBeGreaterThan(0)
    },
  )

  test('total: a floor above .98 is out of reach if all pilot answers are right, and the certificate says so', () => {
    const { labels } = totalFloor(0.008, {})
    for (const count of [labels!, 5 * labels!]) {
      const certificate = perfectCertificate(count, 0.008, {})
      expect(certificate.canAct()).toBe(false)
      expect(silenceSentences(certificate)).toEqual([
        'It acts on nothing: it would act on too few pilot debates to make a class whose floor can be tested. Where all pilot ' +
          'answers are right, the score is 98 %, below the floor of 98.4 %: more right answers do not change that, a lower ' +
          'floor does.',
      ])
    }
    expect(perfectCertificate(labels!, 0.01, {}).canAct()).toBe(true)
  })

  test.each([
    ['cells', 0.001],
    ['tight', 0.0215],
    ['paper', 0.051],
  ] as const)('%s: no number without alpha', (profile, beta) => {
    expect(labelFloor(profile, budgetOf(beta, profile), 4)).toMatchObject({ alike: null, labels: null })
  })

  test('the floor of cells reaches the threshold and one label fewer does not', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.005, max: 0.3, noNaN: true }),
        fc.double({ min: 0.001, max: 0.1, noNaN: true }),
        fc.integer({ min: 1, max: 8 }),
        (alpha, delta, rounds) => {
          const budget = resolveProfileBudget('test', { beta: alpha, delta, epsilon: 0 }, 'cells', rounds)
          const { alike, labels } = labelFloor('cells', budget, rounds)
          const level = delta / rounds
          expect(clopperPearsonLower(alike!, alike!, level)).toBeGreaterThanOrEqual(budget.threshold - 1e-9)
          if (alike! > 1)
            expect(clopperPearsonLower(alike! - 1, alike! - 1, level)).toBeLessThan(budget.threshold + 1e-9)
          expect(labels! - Math.floor(0.2 * labels!)).toBeGreaterThanOrEqual(alike!)
          expect(labels! - 1 - Math.floor(0.2 * (labels! - 1))).toBeLessThan(alike!)
        },
      ),
    )
  })

  test('the floor of the paper reaches the threshold and one row fewer does not', () => {
    for (const beta of [0.13, 0.15, 0.2, 0.3]) {
      const budget = budgetOf(beta, 'paper')
      const { alike } = labelFloor('paper', budget, 3)
      const lower = (count: number) => hoeffdingLower(count, count, 0.03 / 9)
      expect(lower(alike!)).toBeGreaterThanOrEqual(budget.threshold)
      expect(lower(alike! - 1)).toBeLessThan(budget.threshold)
    }
  })

  test.each(['hoeffding', 'clopper-pearson', 'empirical-bernstein'] as const)(
    'with %s the floor of the paper reaches the threshold and one row fewer does not',
    (concentration) => {
      const local = { concentration, kFamily: [100, 5_000] }
      const budget = resolveProfileBudget('test', { beta: 0.2, delta: 0.03, epsilon: 0.02 }, 'paper', 3, local)
      const { alike, largestNeighbourhood } = labelFloor('paper', budget, 3, local)
      const level = 0.03 / 6
      const lower = (count: number) => {
        if (concentration === 'hoeffding') return hoeffdingLower(count, count, level)
        if (concentration === 'clopper-pearson') return clopperPearsonLower(count, count, level)
        return empiricalBernsteinLower(count, count, level, 'paper')
      }
      expect(largestNeighbourhood).toBe(5_000)
      expect(lower(alike!)).toBeGreaterThanOrEqual(budget.threshold)
      expect(lower(alike! - 1)).toBeLessThan(budget.threshold)
    },
  )
})
