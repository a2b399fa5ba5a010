import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createModel, type ModelOptions } from '../../src/model/create-model.ts'
import type { Model } from '../../src/model/model.ts'
import { type FakeProvider, startFakeProvider } from '../fake-provider/fake-provider.ts'
import { modelErrorFrom, requestOf } from './requests.ts'

const KEY = 'sk-planted-5f3a9c7e1b2d4680'
const NOW = Date.UTC(2026, 0, 1)
let fake: FakeProvider
let given: { text: string; finish: 'stop' | 'length' | 'refusal' }

beforeAll(async () => {
  fake = await startFakeProvider({ echoesKey: true, answer: () => given })
})
afterAll(() => fake.close())
beforeEach(() => {
  given = { text: 'The answer is B.', finish: 'stop' }
})

const PROVIDERS = [
  ['anthropic/claude-haiku-4-5', '/v1', 'ANTHROPIC_API_KEY'],
  ['openai/gpt-4.1-mini', '/v1', 'OPENAI_API_KEY'],
  ['deepseek/deepseek-chat', '', 'DEEPSEEK_API_KEY'],
  ['bedrock/anthropic.claude-haiku-4-5-20251001-v1:0', '', 'AWS_BEARER_TOKEN_BEDROCK'],
  ['openai-compatible/qwen3-32b', '/v1', 'QWEN_KEY'],
] as const

describe.each(PROVIDERS)('%s', (id, path, variable) => {
  function model(options: Partial<ModelOptions> = {}): Model {
    const env = { [variable]: KEY }
    const apiKeyEnv = variable === 'QWEN_KEY' ? variable : undefined
    return createModel(id, {
      env,
      baseURL: `${fake.url}${path}`,
      apiKeyEnv,
      trustConfig: true,
      now: () => NOW,
      ...options,
    })
  }

  test('gives text, finish and usage, and sends the key and the messages', async () => {
    const reply = await model().call(requestOf('Which one?'))
    expect(reply.text).toBe('The answer is B.')
    expect(reply.finish).toBe('stop')
    expect(reply.usage).toEqual({ inputTokens: 5, outputTokens: 4 })
    const { authorization, 'x-api-key': key } = fake.lastHeaders()
    expect([authorization, key]).toContain(variable === 'ANTHROPIC_API_KEY' ? KEY : `Bearer ${KEY}`)
    expect(JSON.stringify(fake.lastBody())).toContain('Which one?')
  })

  test('says which host it would talk to and whose limits it shares', () => {
    const host = new URL(fake.url).host
    expect(model().hosts).toEqual([host])
    expect(model().provider).toBe(variable === 'QWEN_KEY' ? host : id.split('/')[0])
  })

  test('maps an exhausted token limit and a refusal, also without text', async () => {
    given = { text: 'The answer', finish: 'length' }
    expect((await model().call(requestOf('?'))).finish).toBe('length')
    given = { text: '', finish: 'length' }
    expect((await model().call(requestOf('?'))).text).toBe('')
    given = { text: 'I cannot help.', finish: 'refusal' }
    expect((await model().call(requestOf('?'))).finish).toBe('refusal')
  })

  test.each([
    ['rate-limit', 'rate-limit', 'no'],
    ['server-error', 'server', 'no'],
    ['overloaded', 'overloaded', 'no'],
    ['reset', 'network', 'unknown'],
    ['malformed', 'malformed', 'unknown'],
    ['truncated', 'network', 'unknown'],
    ['empty', 'empty', 'unknown'],
  ] as const)('a %s is a %s error, charged: %s', async (fault, kind, charged) => {
    fake.next(fault)
    const error = await modelErrorFrom(model().call(requestOf('?')))
    expect({ kind: error.kind, charged: error.charged }).toEqual({ kind, charged })
  })

  test.each([
    [400, 'request'],
    [401, 'key'],
    [402, 'key'],
    [403, 'key'],
    [404, 'model'],
    [307, 'request'],
    [503, 'overloaded'],
  ] as const)('status %d is a %s error', async (status, kind) => {
    fake.next({ status, headers: status === 307 ? { location: 'https://example.com/' } : {} })
    expect((await modelErrorFrom(model().call(requestOf('?')))).kind).toBe(kind)
  })

  test.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '86400' }, 86_400_000],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:05:00 GMT', date: 'Thu, 01 Jan 2026 00:03:00 GMT' }, 120_000],
    [{ 'retry-after': 'soon' }, null],
  ])('asked to wait by %o, it waits %s ms', async (headers, expected) => {
    fake.next({ status: 429, headers })
    expect((await modelErrorFrom(model().call(requestOf('?')))).retryAfterMs).toBe(expected)
  })

  test('a key that the provider repeats is in no error, however it is printed', async () => {
    for (const status of [400, 401, 429, 500]) {
      fake.next({
        status,
        message: `bad ${KEY} ${encodeURIComponent(`${KEY}`)} ${Buffer.from(KEY).toString('base64')}`,
      })
      const error = await modelErrorFrom(model().call(requestOf('?')))
      expect(error.message).toContain('[redacted]')
      expect(everything(error)).not.toContain(KEY)
      expect(everything(error)).not.toContain(Buffer.from(KEY).toString('base64').replace(/=+$/, ''))
    }
  })

  test('our time-out is a time-out, giving up is not; before it is sent nothing is charged', async () => {
    fake.next('hang')
    const hanging = fake.counts().faults.hang ?? 0
    const late = new AbortController()
    const waiting = modelErrorFrom(model().call(requestOf('?', {}, late.signal)))
    await vi.waitUntil(() => fake.counts().faults.hang === hanging + 1, { interval: 1, timeout: 120_000 })
    late.abort(new DOMException('late', 'TimeoutError'))
    expect(await waiting).toMatchObject({ kind: 'time-out', charged: 'unknown' })
    const gone = AbortSignal.abort()
    expect(await modelErrorFrom(model().call(requestOf('?', {}, gone)))).toMatchObject({
      kind: 'aborted',
      charged: 'no',
    })
  })

  test('a missing key is reported by the first call, with the name of its variable', async () => {
    const error = await modelErrorFrom(model({ env: {} }).call(requestOf('?')))
    expect(error).toMatchObject({ kind: 'key', charged: 'no' })
    expect(error.message).toContain(variable)
  })

  test('a connection that is refused charges nothing', async () => {
    const gone = await startFakeProvider()
    await gone.close()
    const error = await modelErrorFrom(model({ baseURL: `${gone.url}${path}` }).call(requestOf('?')))
    expect(error).toMatchObject({ kind: 'network', charged: 'no' })
  })
})

describe('log-probabilities', () => {
  test.each(PROVIDERS.slice(1, 3).concat(PROVIDERS.slice(4)))(
    '%s: alternatives at each token, the chosen first',
    async (id, path, variable) => {
      const options = { env: { [variable]: KEY }, apiKeyEnv: variable, trustConfig: true, now: () => NOW }
      const model = createModel(id, { ...options, baseURL: `${fake.url}${path}` })
      const { logprobs, warnings } = await model.call(requestOf('?', { topLogprobs: 3 }))
      expect(warnings).toEqual([])
      expect(logprobs?.map(([chosen]) => chosen?.token).join('')).toBe('The answer is B.')
      expect(logprobs?.[0]).toHaveLength(3)
      expect(logprobs?.[0]?.[0]?.logprob).toBeCloseTo(Math.log(0.7), 12)
      expect((await model.call(requestOf('?'))).logprobs).toBeNull()
    },
  )

  test("blanks with log-probabilities are the model's reply, not a lost one", async () => {
    const message = { role: 'assistant', content: ' \n' }
    const logprobs = { content: [{ token: ' \n', logprob: -0.5, top_logprobs: [{ token: 'B', logprob: -1 }] }] }
    const choices = [{ index: 0, message, finish_reason: 'stop', logprobs }]
    const answer = async () => Response.json({ id: '1', created: 0, model: 'm', choices })
    const model = createModel('openai-compatible/m', { env: {}, baseURL: fake.url, now: () => NOW, fetch: answer })
    const reply = await model.call(requestOf('?', { topLogprobs: 3 }))
    expect(reply.logprobs?.[0]?.map(({ token }) => token)).toEqual([' \n', 'B'])
    expect((await modelErrorFrom(model.call(requestOf('?')))).kind).toBe('empty')
  })

  test.each([PROVIDERS[0], PROVIDERS[3]])('%s has none and says so', async (id, path, variable) => {
    const options = { env: { [variable]: KEY }, trustConfig: true, now: () => NOW }
    const model = createModel(id, { ...options, baseURL: `${fake.url}${path}` })
    const { logprobs, warnings } = await model.call(requestOf('?', { topLogprobs: 3 }))
    expect(logprobs).toBeNull()
    expect(warnings.join()).toContain('topLogprobs')
  })
})

test('settings that are dropped come back as warnings', async () => {
  const model = createModel('anthropic/claude-haiku-4-5', {
    env: { ANTHROPIC_API_KEY: KEY },
    baseURL: `${fake.url}/v1`,
    trustConfig: true,
    now: () => NOW,
  })
  expect((await model.call(requestOf('?', { seed: 7, temperature: 0.7 }))).warnings.join()).toContain('seed')
})

test.each([
  ['mistral/mistral-large-latest', 'MISTRAL_API_KEY', { random_seed: 7 }],
  ['gemini/gemini-3-flash', 'GEMINI_API_KEY', {}],
  ['groq/llama-3.3-70b', 'GROQ_API_KEY', { seed: 7 }],
  ['xai/grok-4.5', 'XAI_API_KEY', { seed: 7 }],
  ['openrouter/qwen/qwen3-32b', 'OPENROUTER_API_KEY', { seed: 7, logprobs: true, top_logprobs: 3 }],
])('%s is sent its own fields, its key and nothing that it refuses', async (id, variable, fields) => {
  const options = { env: { [variable]: KEY }, baseURL: `${fake.url}/v1`, trustConfig: true, now: () => NOW }
  await createModel(id, options).call(requestOf('?', { seed: 7, topLogprobs: 3 }))
  expect(fake.lastHeaders()['authorization']).toBe(`Bearer ${KEY}`)
  const { seed, random_seed, logprobs, top_logprobs } = Object(fake.lastBody())
  const sent = Object.entries({ seed, random_seed, logprobs, top_logprobs }).filter(([, value]) => value !== undefined)
  expect(Object.fromEntries(sent)).toEqual(fields)
})

test('an error that no retry fixes says what to check', async () => {
  const options = { env: { OPENAI_API_KEY: KEY }, baseURL: `${fake.url}/v1`, trustConfig: true, now: () => NOW }
  const model = createModel('openai/gpt-5', options)
  for (const [status, words] of [
    [401, /\. Check OPENAI_API_KEY$/],
    [403, /\. Check OPENAI_API_KEY$/],
    [404, /\. Check the model's name and its baseURL$/],
    [400, /not now.*(?<!baseURL)$/],
  ] as const) {
    fake.next({ status })
    expect((await modelErrorFrom(model.call(requestOf('?')))).message).toMatch(words)
  }
})

test('an account without credit is an error of the key, not a reason to wait', async () => {
  const options = { env: { OPENAI_API_KEY: KEY }, baseURL: `${fake.url}/v1`, trustConfig: true, now: () => NOW }
  fake.next({ status: 429, message: 'insufficient_quota' })
  expect((await modelErrorFrom(createModel('openai/gpt-5', options).call(requestOf('?')))).kind).toBe('key')
})

/** Everything that a logger could print of an error. */
function everything(error: Error): string {
  const { cause } = error
  const own = `${error.message}${error.stack}${JSON.stringify(error, Object.getOwnPropertyNames(error))}`
  return cause instanceof Error ? own + everything(cause) : own
}

describe('structured output', () => {
  const schema = {
    type: 'object',
    properties: { reasoning: { type: 'string' }, answer: { type: 'string', enum: ['A', 'B'] } },
    required: ['reasoning', 'answer'],
    additionalProperties: false,
  }

  test.each([
    ['openai/gpt-4.1-mini', 'OPENAI_API_KEY'],
    ['anthropic/claude-haiku-4-5', 'ANTHROPIC_API_KEY'],
    ['anthropic/claude-sonnet-5', 'ANTHROPIC_API_KEY'],
  ])('%s is sent the schema, and its reply comes back word for word whether it fits or not', async (id, variable) => {
    const options = { env: { [variable]: KEY }, baseURL: `${fake.url}/v1`, trustConfig: true, now: () => 0 }
    const model = createModel(id, options)
    for (const text of ['{"reasoning":"It rains.",\n "answer":"B"}', 'I would say B.', '{"answer":']) {
      given = { text, finish: 'stop' }
      const reply = await model.call(requestOf('?', { schema }))
      expect(reply).toMatchObject({ text, finish: 'stop', warnings: [] })
      expect(JSON.stringify(fake.lastBody())).toContain('"enum":["A","B"]')
    }
    given = { text: '{"reasoning":"It ra', finish: 'length' }
    expect(await model.call(requestOf('?', { schema }))).toMatchObject({
      finish: 'length',
      text: '{"reasoning":"It ra',
    })
    await model.call(requestOf('?'))
    expect(JSON.stringify(fake.lastBody())).not.toContain('enum')
  })
})
