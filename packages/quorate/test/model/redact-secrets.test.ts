import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ModelReply } from '../../src/model/model.ts'
import { keyForms, redactSecrets, withoutKeys } from '../../src/model/redact-secrets.ts'

test('a secret is never shown, whatever surrounds it', () => {
  const secret = fc.string({ minLength: 8, maxLength: 60 }).filter((value) => value.trim().length >= 8)
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
      const text = `${before}${value}${after} ${JSON.stringify(value)} ${encodeURIComponent(value)}`
      expect(redactSecrets(text, { ANY_API_KEY: value })).not.toContain(value)
    }),
    { numRuns: 300 },
  )
})

test('the longer of two secrets leaves nothing of itself behind', () => {
  const env = { A_KEY: 'abcdefgh', B_KEY: 'abcdefghijklmnop' }
  expect(redactSecrets('x abcdefghijklmnop y', env)).toBe('x [redacted] y')
})

test('a named variable is secret, whatever it is called and however short it is', () => {
  expect(redactSecrets('I got hush', { QWEN: 'hush' }, ['QWEN'])).toBe('I got [redacted]')
  expect(redactSecrets('I got hush', { QWEN: 'hush' })).toBe('I got hush')
})

test.each([
  'Incorrect API key provided: sk-abcd1234***wxyz.',
  'Authorization: Bearer eyJhbGciOi.eyJzdWIi.c2ln',
  'credential AKIAIOSFODNN7EXAMPLE was refused',
  'postgres://quorate:hunter22@db.example/x',
])('what looks like a key is taken out: %s', (text) => {
  expect(redactSecrets(text, {})).toMatch(/\[redacted\]/)
  expect(redactSecrets(text, {})).not.toMatch(/abcd1234|eyJhb|IOSFODNN|hunter22/)
})

test('ordinary words stay', () => {
  const text = 'model gpt-5 is overloaded; try again in 20 s'
  expect(redactSecrets(text, { PATH: '/usr/bin', OPENAI_API_KEY: 'sk-12345678' })).toBe(text)
})

describe('an answer', () => {
  const reply: ModelReply = {
    text: 'the key is planted-key-1, EMPTY',
    finish: 'stop',
    usage: null,
    servedModel: 'm-planted-key-1',
    logprobs: [[{ token: 'the', logprob: 0 }]],
    warnings: ['planted-key-1'],
  }
  const env = { QWEN: 'planted-key-1', SHORT: 'EMPTY', OTHER_API_KEY: 'the key is' }

  test('that repeats the key it was asked with loses it, and the tokens that spell it', () => {
    expect(withoutKeys(reply, keyForms(env, ['QWEN', 'SHORT', 'ABSENT']))).toEqual({
      ...reply,
      text: 'the key is [redacted], EMPTY',
      servedModel: 'm-[redacted]',
      logprobs: null,
      warnings: ['[redacted]'],
    })
  })

  test('is left as it is otherwise', () => {
    expect(withoutKeys(reply, keyForms(env, ['SHORT']))).toEqual(reply)
  })
})
