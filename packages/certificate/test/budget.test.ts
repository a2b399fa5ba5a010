import { expect, test } from 'vitest'
import { usualBudget } from '../src/budget.ts'

test('the usual split is .03 and .02 from .10 on, and in proportion below', () => {
  expect(usualBudget(0.1)).toEqual({ beta: 0.1, delta: 0.03, epsilon: 0.02 })
  expect(usualBudget(0.3)).toEqual({ beta: 0.3, delta: 0.03, epsilon: 0.02 })
  expect(usualBudget(0.001)).toEqual({ beta: 0.001, delta: 0.0003, epsilon: 0.0002 })
})
