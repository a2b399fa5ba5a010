import { expect, test } from 'vitest'
import { POLICY_NAMES } from '../../src/policies/policy.ts'
import { promiseOf } from '../../src/policies/promise.ts'

test('only certificates and the two kinds of risk control promise anything', () => {
  expect(POLICY_NAMES.filter((name) => promiseOf(name) !== 'none').map((name) => [name, promiseOf(name)])).toEqual([
    ['total', 'both'],
    ['cells', 'each'],
    ['tight', 'each'],
    ['paper', 'each'],
    ['conformal-risk-control', 'total'],
    ['learn-then-test', 'sure'],
  ])
})
