import { expect, test } from 'vitest'
import { createModel } from '../../../src/model/create-model.ts'
import { cacheKey } from '../../../src/run/calls/pay-for-call.ts'

const CALL = {
  questionId: 'q',
  agent: 'ann',
  round: 1,
  repeat: 0,
  isReminder: false,
  messages: [{ role: 'user', content: 'Which?' }],
  settings: { temperature: null, maxOutputTokens: 256, seed: null, topLogprobs: null, schema: null },
} as const

function keyAt(baseURL: string): string {
  return cacheKey(createModel('openai-compatible/m', { env: {}, now: () => 0, baseURL }), CALL)
}

test('answers are shared only by models at the same address, its path and scheme included', () => {
  const addresses = [
    'http://127.0.0.1:9/v1',
    'http://127.0.0.1:9/api/v9',
    'https://127.0.0.1:9/v1',
    'http://127.0.0.1:8/v1',
  ]
  expect(new Set(addresses.map(keyAt)).size).toBe(addresses.length)
  expect(keyAt('http://127.0.0.1:9/v1/')).toBe(keyAt('http://127.0.0.1:9/v1'))
})
