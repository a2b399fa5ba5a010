import { expect, test } from 'vitest'
import { standingOf } from '../../src/evaluation/standing.ts'

const figure = (mean: number, low: number, high: number) => ({ mean, min: mean, max: mean, low, high })

test.each([
  ['within', 0.02, 0.08],
  ['within', 0.02, 0.1],
  ['unclear', 0.05, 0.11],
  ['over', 0.11, 0.2],
] as const)('%s: wrong actions between %d and %d against a beta of .1', (standing, low, high) => {
  expect(standingOf({ act: figure(0.5, 0.4, 0.6), wrongActions: figure((low + high) / 2, low, high) }, 0.1)).toBe(
    standing,
  )
})

test('a policy that never acted has shown nothing', () => {
  expect(standingOf({ act: figure(0, 0, 0.01), wrongActions: figure(0, 0, 0.01) }, 0.1)).toBe('no evidence')
})
