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

test.each([
  ['pac', 0.8, 'total and classes, sure'],
  ['pac', null, 'total, sure'],
  ['average', 0.8, 'total average, classes sure'],
  ['average', null, 'total, average'],
  ['selective', null, 'of those acted on, sure'],
] as const)('total with the promise %s and floor %s promises: %s', (kind, floor, words) => {
  expect(PROMISE_WORDS[promiseOf('total', { kind, floor })]).toBe(words)
  expect(promiseOf('cells', { kind, floor })).toBe('each')
})
