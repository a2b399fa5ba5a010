import { expect, test } from 'vitest'
import { POLICY_NAMES } from '../../src/policies/policy.ts'
import { PROMISE_WORDS, promiseOf } from '../../src/policies/promise.ts'

test('only certificates, risk control and conformal sets promise anything', () => {
  expect(POLICY_NAMES.filter((name) => promiseOf(name) !== 'none').map((name) => [name, promiseOf(name)])).toEqual([
    ['total', 'both'],
    ['cells', 'each'],
    ['tight', 'each'],
    ['paper', 'each'],
    ['conformal-risk-control', 'total'],
    ['conformal-risk-learned', 'total'],
    ['learn-then-test', 'sure'],
    ['social-choice', 'total'],
  ])
})

test('every promise has words', () => {
  for (const name of POLICY_NAMES) expect(PROMISE_WORDS[promiseOf(name)]).toMatch(/^(total.*(sure|average)|none)$/)
})
