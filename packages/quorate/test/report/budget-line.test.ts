import { resolveBudget } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { budgetLine } from '../../src/report/budget-line.ts'

test('beta is printed with the parts that add up to it', () => {
  const budget = resolveBudget('test', { beta: 0.1, delta: 0.03, epsilon: 0.02 })
  expect(budgetLine(budget)).toBe('beta 0.100 = delta 0.030 + alpha 0.050 + epsilon 0.020')
})

test('parts that are larger than beta are said to be, and no negative alpha is printed', () => {
  const budget = resolveBudget('test', { beta: 0.001, delta: 0.03, epsilon: 0 })
  expect(budgetLine(budget)).toBe('beta 0.001 is less than delta 0.030 + epsilon 0.000: nothing is left for alpha')
})
