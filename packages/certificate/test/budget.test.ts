import { describe, expect, test } from 'vitest'
import { betaFor, checkBudget, resolveBudget, sharpAlpha, usualBudget } from '../src/budget.ts'

const budget = { beta: 0.1, delta: 0.03, epsilon: 0.02 }
const EVERY_ROUND = { kind: 'every-round', rounds: 4 } as const
const NEIGHBOURHOODS = { kind: 'neighbourhoods', rounds: 4, fewestRows: 128 } as const

test('the usual delta and epsilon are .03 and .02 from beta .10 on and in proportion below', () => {
  expect(usualBudget(0.1)).toEqual({ beta: 0.1, delta: 0.03, epsilon: 0.02 })
  expect(usualBudget(0.3)).toEqual({ beta: 0.3, delta: 0.03, epsilon: 0.02 })
  expect(usualBudget(0.001)).toEqual({ beta: 0.001, delta: 0.0003, epsilon: 0.0002 })
})

describe('alpha', () => {
  test("of the paper's rule is beta less delta and epsilon", () => {
    const resolved = resolveBudget('test', budget, { kind: 'printed' })
    expect(resolved).toMatchObject({ alpha: 0.05, threshold: 0.95, shortfall: 0.03 })
  })

  test('of four rounds of cells is .0987 at beta .10 and delta .03', () => {
    const { alpha, epsilon, shortfall, level } = resolveBudget('test', budget, EVERY_ROUND)
    expect(alpha).toBeCloseTo(0.0987, 4)
    expect(epsilon).toBe(0)
    expect(alpha + shortfall).toBeLessThanOrEqual(0.1)
    expect(alpha + shortfall).toBeGreaterThan(0.1 - 2e-6)
    expect(level).toBe(0.0075)
  })

  test('is the largest that the theorem allows, whatever the level of each round', () => {
    const levels = [0.02, 0.007, 0.003]
    const alpha = sharpAlpha(0.1, levels)
    const spent = (at: number) =>
      at + 0.3033 * levels.reduce((sum, l) => sum + l / Math.sqrt(Math.log(l) / Math.log(1 - at)), 0)
    expect(spent(alpha)).toBeLessThanOrEqual(0.1)
    expect(spent(alpha + 2e-6)).toBeGreaterThan(0.1)
  })

  test('of a single test is beta, unless delta is larger than beta', () => {
    expect(resolveBudget('test', budget, { kind: 'one-test' })).toMatchObject({ alpha: 0.1, threshold: 0.9 })
    const { alpha, shortfall } = resolveBudget('test', { ...budget, delta: 0.2 }, { kind: 'one-test' })
    expect(alpha).toBeLessThan(0.1)
    expect(alpha + shortfall).toBeLessThanOrEqual(0.1)
  })

  test('of neighbourhoods pays epsilon, delta_omega and .3033 delta / sqrt(k_min)', () => {
    const { alpha, shortfall } = resolveBudget('test', { ...budget, deltaOmega: 0.01 }, NEIGHBOURHOODS)
    expect(shortfall).toBeCloseTo(0.01 + (0.3033 * 0.03) / Math.sqrt(128), 12)
    expect(alpha + shortfall + 0.02).toBeLessThanOrEqual(0.1)
    expect(alpha + shortfall + 0.02).toBeGreaterThan(0.1 - 2e-6)
  })

  test('of a beta that was selected by looking pays more, at the largest alpha that could have been', () => {
    const selected = { ...budget, selectedUpTo: 0.5 }
    for (const rule of [EVERY_ROUND, NEIGHBOURHOODS, { kind: 'one-test' } as const]) {
      const declared = resolveBudget('test', budget, rule)
      const found = resolveBudget('test', selected, rule)
      expect(found.alpha).toBeLessThan(declared.alpha)
      expect(found.alpha + found.epsilon + found.shortfall).toBeLessThanOrEqual(0.1)
    }
    const fewest = Math.log(0.0075) / Math.log(1 - sharpAlpha(0.5, [0.0075, 0.0075, 0.0075, 0.0075], 0.6267))
    const { shortfall } = resolveBudget('test', selected, EVERY_ROUND)
    expect(shortfall).toBeCloseTo((0.6267 * 0.03) / Math.sqrt(fewest), 9)
  })

  test.each([{ kind: 'printed' } as const, EVERY_ROUND, { kind: 'one-test' } as const, NEIGHBOURHOODS])(
    'rises with beta and is turned back into it: $kind',
    (rule) => {
      let last = -Infinity
      for (const beta of [0.06, 0.1, 0.2, 0.5, 0.9]) {
        const { alpha } = resolveBudget('test', { ...budget, beta }, rule)
        expect(alpha).toBeGreaterThan(last)
        expect(betaFor(alpha, budget, rule)).toBeLessThanOrEqual(beta + 1e-12)
        expect(betaFor(alpha, budget, rule)).toBeGreaterThan(beta - 3e-6)
        last = alpha
      }
    },
  )
})

describe('refuses', () => {
  test.each([
    ['four rounds', 1, EVERY_ROUND],
    ['a single test', 0.25, { kind: 'one-test' } as const],
    ['neighbourhoods', 1, NEIGHBOURHOODS],
  ])('a test at level 1/4 or above: %s', (_, delta, rule) => {
    const loose = { beta: 0.9, delta: delta === 1 ? 0.9999 : delta, epsilon: 0 }
    const rounds = rule.kind === 'one-test' ? rule : { ...rule, rounds: 3 }
    expect(() => resolveBudget('test', loose, rounds)).toThrow(/budget.delta must be below .*1\/4/)
    expect(resolveBudget('test', { ...loose, delta: 0.2499 }, rounds).feasible).toBe(true)
  })

  test('a selected beta above the largest that could be selected', () => {
    expect(() => checkBudget('test', { ...budget, selectedUpTo: 0.09 })).toThrow('budget.selectedUpTo')
  })
})
