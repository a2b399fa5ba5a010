import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveBudget } from '../../src/budget.ts'
import { clopperPearsonLower } from '../../src/concentration/clopper-pearson.ts'
import { hoeffdingLower } from '../../src/concentration/hoeffding.ts'
import { labelFloor } from '../../src/planning/label-floor.ts'

const budgetOf = (beta: number, epsilon = 0.02) => resolveBudget('test', { beta, delta: 0.03, epsilon })

describe('the labels that even a perfect panel needs', () => {
  test('cells: log(.03 / 4) / log(.93) = 67.42, so 68 alike, and 84 with a pilot of 20 %', () => {
    expect(labelFloor('cells', budgetOf(0.1, 0), 4)).toEqual({
      alike: 68,
      labels: 84,
      largestNeighbourhood: null,
      smallestBeta: null,
    })
  })

  test('paper: log(4 * 3 / .03) / (2 * .1^2) = 299.57, so 512, the next of its family, and 639 with a pilot of 127', () => {
    const { alike, labels, largestNeighbourhood } = labelFloor('paper', budgetOf(0.15), 4)
    expect({ alike, labels, largestNeighbourhood }).toEqual({ alike: 512, labels: 639, largestNeighbourhood: 512 })
  })

  test('paper at beta .20: log(400) / (2 * .15^2) = 133.14, so 256', () => {
    expect(labelFloor('paper', budgetOf(0.2), 4)).toMatchObject({ alike: 256, labels: 319 })
  })

  test('paper at beta .10: 512 neighbours leave sqrt(log(400) / 1024) = .07649, so no number is enough below .1265', () => {
    const { alike, labels, smallestBeta } = labelFloor('paper', budgetOf(0.1), 4)
    expect({ alike, labels }).toEqual({ alike: null, labels: null })
    expect(smallestBeta).toBeCloseTo(0.12649, 5)
  })

  test('tight: log(.03 / 4) / log(.85) = 30.1, but its smallest neighbourhood has 128', () => {
    expect(labelFloor('tight', budgetOf(0.2), 4).alike).toBe(128)
  })

  test.each(['cells', 'tight', 'paper'] as const)('%s: no number without alpha', (profile) => {
    expect(labelFloor(profile, budgetOf(0.051), 4)).toMatchObject({ alike: null, labels: null })
  })

  test('the floor of cells passes the line and one label less does not', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.005, max: 0.3, noNaN: true }),
        fc.double({ min: 0.001, max: 0.1, noNaN: true }),
        fc.integer({ min: 1, max: 8 }),
        (alpha, delta, rounds) => {
          const budget = resolveBudget('test', { beta: alpha + delta, delta, epsilon: 0 })
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

  test('the floor of the paper passes the line and the next smaller neighbourhood does not', () => {
    for (const beta of [0.13, 0.15, 0.2, 0.3]) {
      const budget = budgetOf(beta)
      const { alike } = labelFloor('paper', budget, 3)
      const lower = (count: number) => hoeffdingLower(count, count, 0.03 / 9)
      expect(lower(alike!)).toBeGreaterThanOrEqual(budget.threshold)
      expect([128, 256, 512]).toContain(alike)
      if (alike! > 128) expect(lower(alike! / 2)).toBeLessThan(budget.threshold)
    }
  })
})
