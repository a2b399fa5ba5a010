import { expect, test } from 'vitest'
import { addCounts, outcomesOf, type SuiteReport, summaryLine } from '../count-tests.ts'

const FAILURE = { title: 'a.test.ts > counts', messages: ['expected 115 to be at most 110\n  at a.test.ts:7'] }
const COUNTED: SuiteReport = { passed: 2, skipped: 1, seconds: 3, failures: [] }

function outcomesWith(web: SuiteReport, exitCode: number) {
  return outcomesOf(['web'], { suites: { web }, unhandled: [] }, exitCode)
}

test('counts what passed, was skipped and failed, and says what failed and why', () => {
  expect(outcomesWith({ ...COUNTED, failures: [FAILURE] }, 1)).toEqual([
    {
      name: 'web',
      passed: 2,
      failed: 1,
      skipped: 1,
      seconds: 3,
      failures: ['FAILED a.test.ts > counts\n    expected 115 to be at most 110\n      at a.test.ts:7'],
    },
  ])
  expect(outcomesWith(COUNTED, 0)).toMatchObject([{ passed: 2, failed: 0, skipped: 1, failures: [] }])
})

test('counts each suite for itself', () => {
  const suites = { web: COUNTED, server: { ...COUNTED, failures: [FAILURE] } }
  expect(outcomesOf(['web', 'server'], { suites, unhandled: [] }, 1)).toMatchObject([
    { name: 'web', failed: 0 },
    { name: 'server', failed: 1 },
  ])
})

test('an exit code that no failure explains and an error outside of all tests are failures of vitest itself', () => {
  expect(outcomesWith(COUNTED, 1)).toMatchObject([
    { name: 'web', failed: 0 },
    { name: 'vitest', failed: 1, failures: ['FAILED vitest, which exited with 1\n    no test failed'] },
  ])
  const unhandled = [{ title: 'outside of any test', messages: ['no room'] }]
  expect(outcomesOf(['web'], { suites: { web: COUNTED }, unhandled }, 0)).toMatchObject([
    { name: 'web', failed: 0 },
    { name: 'vitest', failed: 1 },
  ])
})

test.each([
  ['a missing report', undefined],
  ['a report without the suite', { suites: {}, unhandled: [] }],
  ['a suite without tests', { suites: { web: { ...COUNTED, passed: 0, skipped: 0 } }, unhandled: [] }],
])('counts %s as one failure, also when vitest reports success', (_, report) => {
  expect(outcomesOf(['web'], report, 0)).toMatchObject([{ failed: 1, failures: ['FAILED web\n    no tests ran'] }])
})

test('accepts a run in which everything was skipped', () => {
  expect(outcomesWith({ ...COUNTED, passed: 0 }, 0)).toMatchObject([{ failed: 0, skipped: 1 }])
})

test('shows the beginning of a long failure', () => {
  const messages = [Array.from({ length: 99 }, (_, k) => `line ${k}`).join('\n')]
  const [text = ''] = outcomesWith({ ...COUNTED, failures: [{ title: 'a', messages }] }, 1)[0]?.failures ?? []
  expect(text.split('\n')).toHaveLength(32)
  expect(text.endsWith('    line 29\n    …')).toBe(true)
})

test('ends with the line that programs read', () => {
  const total = addCounts([
    { passed: 3, failed: 0, skipped: 0 },
    { passed: 4, failed: 1, skipped: 0 },
  ])
  expect(summaryLine(total)).toBe('7 passed, 1 failed')
  expect(summaryLine({ ...total, skipped: 2 })).toBe('7 passed, 1 failed, 2 skipped')
})
