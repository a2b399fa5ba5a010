import { describe, expect, test } from 'vitest'
import { debateExitCode, decideExitCode } from '../../src/cli/run-exit-code.ts'
import type { RunResult } from '../../src/run/run-to-end.ts'

interface Case {
  readonly halt?: RunResult['halt']
  readonly errors?: number
  readonly failures?: number
  readonly deferred?: number
}

function result({ halt = null, errors = 0, failures = 0, deferred = 0 }: Case): Pick<RunResult, 'halt' | 'tally'> {
  const statuses = { pending: 0, done: 5, 'agent-failure': failures, 'time-out': 0, error: errors }
  return { halt, tally: { questions: 9, statuses, acted: 1, deferred: deferred > 0 ? { 'bound-low': deferred } : {} } }
}

describe('if several exit codes apply, the first of 130, 1, 40, 20, 10 is used', () => {
  const all = { errors: 1, deferred: 1 }
  test.each([
    [130, { ...all, halt: 'interrupted' }, { canAct: false, failOnDefer: true }],
    [1, { ...all, halt: 'spend-cap' }, { canAct: false, failOnDefer: true }],
    [40, { deferred: 1, halt: 'spend-cap' }, { canAct: false, failOnDefer: true }],
    [20, { deferred: 1 }, { canAct: false, failOnDefer: true }],
    [10, { deferred: 1 }, { canAct: true, failOnDefer: true }],
    [0, { deferred: 1 }, { canAct: true, failOnDefer: false }],
    [0, {}, { canAct: true, failOnDefer: true }],
  ] as const)('decide: %i', (code, given, choice) => {
    expect(decideExitCode(result(given), choice)).toBe(code)
  })

  test.each([
    [130, { failures: 1, halt: 'interrupted' }],
    [1, { failures: 1, halt: 'spend-cap' }],
    [1, { errors: 1 }],
    [40, { halt: 'spend-cap' }],
    [0, {}],
  ] as const)('debate: %i', (code, given) => {
    expect(debateExitCode(result(given))).toBe(code)
  })
})
