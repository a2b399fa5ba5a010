import { expect, test } from 'vitest'
import { addCounts, outcomeOf, summaryLine } from '../count-tests.ts'

const FAILURE = { title: 'a.test.ts > counts', messages: ['expected 115 to be at most 110\n  at a.test.ts:7'] }

test('counts what passed, was skipped and failed, and tells what failed and why', () => {
  expect(outcomeOf({ passed: 2, skipped: 1, failures: [FAILURE] }, 1)).toEqual({
    ...{ passed: 2, failed: 1, skipped: 1 },
    told: ['FAILED a.test.ts > counts\n    expected 115 to be at most 110\n      at a.test.ts:7'],
  })
  expect(outcomeOf({ passed: 2, skipped: 1, failures: [] }, 0)).toEqual({ passed: 2, failed: 0, skipped: 1, told: [] })
})

test.each([
  ['an exit code that nothing explains', { passed: 1, skipped: 0, failures: [] }, 1],
  ['a missing report', undefined, 1],
  ['a missing report of a run that claims success', undefined, 0],
  ['a run without tests', { passed: 0, skipped: 0, failures: [] }, 0],
])('counts %s as one failure, in words', (_, report, exitCode) => {
  const { failed, told } = outcomeOf(report, exitCode)
  expect(failed).toBe(1)
  expect(told).toEqual([expect.stringContaining(`FAILED vitest, which ended with ${exitCode}\n    `)])
})

test('accepts a run in which everything was skipped', () => {
  expect(outcomeOf({ passed: 0, skipped: 1, failures: [] }, 0)).toMatchObject({ failed: 0, skipped: 1 })
})

test('tells the beginning of a long failure', () => {
  const messages = [Array.from({ length: 99 }, (_, k) => `line ${k}`).join('\n')]
  const [told = ''] = outcomeOf({ passed: 0, skipped: 0, failures: [{ title: 'a', messages }] }, 1).told
  expect(told.split('\n')).toHaveLength(32)
  expect(told.endsWith('    line 29\n    …')).toBe(true)
})

test('ends with the line that machines read', () => {
  const total = addCounts([
    { passed: 3, failed: 0, skipped: 0 },
    { passed: 4, failed: 1, skipped: 0 },
  ])
  expect(summaryLine(total)).toBe('7 passed, 1 failed')
  expect(summaryLine({ ...total, skipped: 2 })).toBe('7 passed, 1 failed, 2 skipped')
})
