import { expect, test } from 'vitest'
import { resolveBudget } from '../../src/budget.ts'
import { clopperPearsonLower } from '../../src/concentration/clopper-pearson.ts'
import { actedErrorBound } from '../../src/decision/acted-error-bound.ts'

const budget = resolveBudget('test', { beta: 0.15, delta: 0.03, epsilon: 0.02 }, { kind: 'printed' })

test('is alpha + epsilon + delta / P(act) at the lower limit of P(act)', () => {
  const actLow = clopperPearsonLower(60, 100, 0.05)
  expect(actedErrorBound(budget, 60, 100)).toEqual({
    kind: 'bound',
    error: expect.closeTo(0.1 + 0.02 + 0.03 / actLow, 12),
    actLow: expect.closeTo(actLow, 12),
    confidence: 0.95,
  })
})

test('by hand: 100 of 100 acted on, at confidence .9: the limit is the hundredth root of .1', () => {
  const actLow = 0.1 ** 0.01
  expect(actedErrorBound(budget, 100, 100, 0.9)).toEqual({
    kind: 'bound',
    error: expect.closeTo(0.12 + 0.03 / actLow, 12),
    actLow: expect.closeTo(actLow, 12),
    confidence: 0.9,
  })
})

test('is vacuous where it promises nothing: no action, or too few for delta', () => {
  expect(actedErrorBound(budget, 0, 1000)).toEqual({ kind: 'vacuous', actLow: 0, confidence: 0.95 })
  expect(actedErrorBound(budget, 3, 100).kind).toBe('vacuous')
  expect(actedErrorBound(budget, 1, 1).kind).toBe('bound')
})

test('more data or more action never makes it worse', () => {
  const error = (acted: number, count: number) => {
    const bound = actedErrorBound(budget, acted, count)
    return bound.kind === 'bound' ? bound.error : Infinity
  }
  for (const acted of [1, 5, 20, 50, 99]) expect(error(acted + 1, 100)).toBeLessThanOrEqual(error(acted, 100))
  for (const factor of [1, 2, 5, 10])
    expect(error(60 * (factor + 1), 100 * (factor + 1))).toBeLessThan(error(60 * factor, 100 * factor))
})

test('counts that are no counts and a confidence outside (0, 1) are refused', () => {
  for (const [acted, count] of [
    [1, 0],
    [3, 2],
    [-1, 5],
    [0.5, 5],
    [Number.NaN, 5],
  ] as const) {
    expect(() => actedErrorBound(budget, acted, count)).toThrow(/must be an integer/)
  }
  for (const confidence of [0, 1, Number.NaN]) {
    expect(() => actedErrorBound(budget, 1, 2, confidence)).toThrow(
      'actedErrorBound: confidence must be a number in (0, 1)',
    )
  }
})

test('under the sharp rule little is divided by the share acted on', () => {
  const rule = { kind: 'neighbourhoods', rounds: 3, fewestRows: 128 } as const
  const sharp = resolveBudget('test', { beta: 0.15, delta: 0.03, epsilon: 0.02, deltaOmega: 0.01 }, rule)
  const { alpha, epsilon, shortfall } = sharp
  const found = actedErrorBound(sharp, 30, 100)
  expect(found).toMatchObject({ kind: 'bound', error: alpha + epsilon + shortfall / found.actLow })
  expect(shortfall).toBeCloseTo(0.01 + (0.3033 * 0.03) / Math.sqrt(128), 12)
})
