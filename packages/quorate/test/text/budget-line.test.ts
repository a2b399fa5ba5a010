import { resolveBudget } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { budgetLine } from '../../src/text/budget-line.ts'

test('beta is printed with the parts that add up to it', () => {
  const budget = resolveBudget('test', { beta: 0.1, delta: 0.03, epsilon: 0.02 }, { kind: 'printed' })
  expect(budgetLine(budget)).toBe('beta 0.100 = delta 0.030 + alpha 0.050 + epsilon 0.020')
})

test('under the sharp rule no sum is printed that does not add up', () => {
  const budget = resolveBudget('test', { beta: 0.1, delta: 0.03, epsilon: 0.02 }, { kind: 'every-round', rounds: 4 })
  expect(budgetLine(budget)).toMatch(
    /^beta 0.100\d*, which leaves alpha 0.0986\d+ with delta 0.030\d* and epsilon 0.0+$/,
  )
})

test('parts that exceed beta are reported, and no negative alpha is printed', () => {
  const budget = resolveBudget('test', { beta: 0.001, delta: 0.03, epsilon: 0 }, { kind: 'printed' })
  expect(budgetLine(budget)).toBe('beta 0.001 leaves nothing for alpha beside delta 0.030 and epsilon 0.000')
})
