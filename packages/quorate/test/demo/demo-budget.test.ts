import { expect, test } from 'vitest'
import { demoBudget } from '../../src/demo/demo-budget.ts'

test('beta is split in proportion up to .10 and from there with delta .03 and epsilon .02', () => {
  expect(demoBudget(0.1)).toEqual({ beta: 0.1, delta: 0.03, epsilon: 0.02 })
  expect(demoBudget(0.3)).toEqual({ beta: 0.3, delta: 0.03, epsilon: 0.02 })
  expect(demoBudget(0.001)).toEqual({ beta: 0.001, delta: 0.0003, epsilon: 0.0002 })
})
