import { expect, test } from 'vitest'
import { addCounts, countTests, failures, summaryLine } from '../count-tests.ts'

const file = (status: string, ...tests: string[]) => ({
  name: 'a.test.ts',
  status,
  message: status === 'failed' && tests.length === 0 ? 'Cannot find module' : '',
  assertionResults: tests.map((each, k) => ({
    fullName: `test ${k}`,
    status: each,
    failureMessages: each === 'failed' ? ['expected 115 to be at most 110\n  at a.test.ts:7'] : [],
  })),
})

test('counts passed, failed and skipped tests', () => {
  const report = { testResults: [file('failed', 'passed', 'failed', 'pending'), file('passed', 'passed', 'todo')] }
  expect(countTests(report, 1)).toEqual({ passed: 2, failed: 1, skipped: 2 })
})

test('counts a file that could not be loaded as one failure', () => {
  expect(countTests({ testResults: [file('failed'), file('passed', 'passed')] }, 1)).toMatchObject({ failed: 1 })
})

test('counts a crash, a missing report and a run without tests as one failure', () => {
  expect(countTests({ testResults: [file('passed', 'passed')] }, 1)).toMatchObject({ passed: 1, failed: 1 })
  expect(countTests(undefined, 1)).toMatchObject({ passed: 0, failed: 1 })
  expect(countTests(undefined, 0)).toMatchObject({ passed: 0, failed: 1 })
  expect(countTests({ testResults: [] }, 0)).toMatchObject({ passed: 0, failed: 1 })
})

test('accepts a run in which everything was skipped', () => {
  expect(countTests({ testResults: [file('passed', 'skipped')] }, 0)).toEqual({ passed: 0, failed: 0, skipped: 1 })
})

test('tells what failed and why once more, and nothing of what passed', () => {
  const report = { testResults: [file('failed', 'passed', 'failed'), file('failed'), file('passed', 'passed')] }
  expect(failures(report)).toEqual([
    'FAILED a.test.ts > test 1\n    expected 115 to be at most 110\n      at a.test.ts:7',
    'FAILED a.test.ts\n    Cannot find module',
  ])
  expect(failures(undefined)).toEqual([])
})

test('ends with the line that machines read', () => {
  const total = addCounts([
    { passed: 3, failed: 0, skipped: 0 },
    { passed: 4, failed: 1, skipped: 0 },
  ])
  expect(summaryLine(total)).toBe('7 passed, 1 failed')
  expect(summaryLine({ ...total, skipped: 2 })).toBe('7 passed, 1 failed, 2 skipped')
})
