import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createModel } from '../../src/model/create-model.ts'
import { knownDrops, SETTING_NAMES, unacceptable } from '../../src/model/dropped-settings.ts'
import { PRICE_TABLE } from '../../src/model/price-table.ts'
import { REMOTE_PROVIDERS } from '../../src/model/providers.ts'
import { type FakeProvider, startFakeProvider } from '../fake-provider/fake-provider.ts'
import { requestOf } from './requests.ts'

const KEY = 'sk-planted-5f3a9c7e1b2d4680'
let fake: FakeProvider

beforeAll(async () => {
  fake = await startFakeProvider({ answer: () => 'A' })
})
afterAll(() => fake.close())

/** What the SDK reports about a call with every setting. */
async function warningsOf(id: string): Promise<readonly string[]> {
  const path = /^(deepseek|bedrock)\//.test(id) ? '' : '/v1'
  const standard = Object.values(REMOTE_PROVIDERS).flatMap(({ standard: own }) => own?.variable ?? [])
  const env = Object.fromEntries([...standard, 'AWS_BEARER_TOKEN_BEDROCK'].map((name) => [name, KEY]))
  const model = createModel(id, { env, baseURL: `${fake.url}${path}`, trustConfig: true, now: () => 0 })
  return (await model.call(requestOf('?', { temperature: 0.7, seed: 3, topLogprobs: 5 }))).warnings
}

describe('settings that a model is known to drop', () => {
  const unpriced = ['anthropic/claude-opus-4-8', 'openai-compatible/qwen3-32b', 'gemini/gemini-3-flash'].concat([
    'mistral/mistral-large-latest',
    'xai/grok-4.5',
    'groq/llama-3.3-70b',
    'openrouter/qwen/qwen3-32b',
  ])

  test.each([...Object.keys(PRICE_TABLE), ...unpriced])('%s: are those that its provider warns of', async (id) => {
    const warnings = await warningsOf(id)
    const known = knownDrops(id)
    expect(known.filter((setting) => unacceptable([setting], warnings).length === 0)).toEqual([])
    // The first reply of an OpenAI model may reveal more than the table knows.
    const others = SETTING_NAMES.filter((setting) => !known.includes(setting))
    expect(id.startsWith('openai/') ? [] : unacceptable(others, warnings)).toEqual([])
  })

  test('are empty for models that take no settings', () => {
    for (const id of ['simulated/ada', 'manual/eve', 'scripted/x.jsonl', 'replay/anthropic/claude-haiku-4-5']) {
      expect(knownDrops(id)).toEqual([])
    }
  })
})

describe('a config that insists', () => {
  const warnings = ['seed: not supported by this model, dropped', 'topLogprobs: none came back', 'be careful']

  test.each([
    [true, warnings],
    [false, []],
    [['seed'], warnings.slice(0, 1)],
    [['logprobs'], warnings.slice(1, 2)],
    [['temperature', 'maxOutputTokens'], []],
  ] as const)('on %o does not accept %o', (insist, expected) => {
    expect(unacceptable(insist, warnings)).toEqual(expected)
  })
})
