import { describe, expect, test } from 'vitest'
import { checkModelKey, createModel, type ModelOptions, modelEndpoint } from '../../src/model/create-model.ts'
import { ModelError } from '../../src/model/model-error.ts'
import { ModelSetupError } from '../../src/model/model-setup-error.ts'

const KEY = 'sk-planted-5f3a9c7e1b2d4680'

function made(id: string, options: Partial<ModelOptions> = {}) {
  return () => createModel(id, { env: {}, now: () => 0, ...options })
}

describe('a standard key variable', () => {
  test.each([
    ['anthropic/claude-haiku-4-5', 'api.anthropic.com'],
    ['openai/gpt-5', 'api.openai.com'],
    ['deepseek/deepseek-reasoner', 'api.deepseek.com'],
    ['gemini/gemini-3-flash', 'generativelanguage.googleapis.com'],
    ['mistral/mistral-large-latest', 'api.mistral.ai'],
    ['xai/grok-4.5', 'api.x.ai'],
    ['groq/llama-3.3-70b', 'api.groq.com'],
    ['openrouter/qwen/qwen3-32b', 'openrouter.ai'],
  ])('of %s goes to %s without asking', (id, host) => {
    expect(made(id)().hosts).toEqual([host])
  })

  test('of AWS goes to the host of its region', () => {
    expect(made('bedrock/qwen.qwen3-32b-v1:0', { env: { AWS_REGION: 'eu-central-1' } })().hosts).toEqual([
      'bedrock-runtime.eu-central-1.amazonaws.com',
    ])
    expect(made('bedrock/x', { env: { AWS_REGION: 'cn-north-1' } })().hosts).toEqual([
      'bedrock-runtime.cn-north-1.amazonaws.com.cn',
    ])
  })

  test.each(['evil.example/x?', 'eu-central-1.evil.example#', '', '@evil.example'])(
    'the region %j is refused',
    (region) => {
      expect(made('bedrock/x', { env: { AWS_REGION: region } })).toThrow(ModelSetupError)
    },
  )

  test.each([
    ['openai/gpt-5', 'https://gateway.example/v1', undefined],
    ['openai/gpt-5', 'https://api.openai.com.evil.example/v1', undefined],
    ['openai/gpt-5', 'https://api.openai.com:8443/v1', undefined],
    ['openai/gpt-5', 'https://api.anthropic.com/v1', undefined],
    ['openai/gpt-5', 'http://127.0.0.1:8000/v1', undefined],
    ['anthropic/claude-haiku-4-5', 'https://api.anthropic.com/v1', 'GITHUB_TOKEN'],
    ['openai-compatible/x', 'https://gateway.example/v1', 'OPENAI_API_KEY'],
    ['openai-compatible/x', 'http://127.0.0.1:8000/v1', 'QWEN_KEY'],
  ])('%s at %s with %s needs --trust-config', (id, baseURL, apiKeyEnv) => {
    expect(made(id, { baseURL, apiKeyEnv })).toThrow(/--trust-config/)
    expect(made(id, { baseURL, apiKeyEnv, trustConfig: true })().hosts).toEqual([new URL(baseURL).host])
  })

  test('by its own name to its own host needs no trust, also through the compatible adapter', () => {
    const baseURL = 'https://api.openai.com/v1'
    expect(made('openai/gpt-5', { baseURL, apiKeyEnv: 'OPENAI_API_KEY' })).not.toThrow()
    expect(made('openai-compatible/gpt-5', { baseURL, apiKeyEnv: 'OPENAI_API_KEY' })).not.toThrow()
  })
})

describe('http', () => {
  test.each(['http://gateway.example/v1', 'http://192.0.2.7:8000/v1', 'http://127.0.0.1.evil.example/v1'])(
    'to %s with a key is an error, trusted or not',
    (baseURL) => {
      expect(made('openai-compatible/x', { baseURL, apiKeyEnv: 'QWEN_KEY', trustConfig: true })).toThrow(/over http/)
    },
  )

  test('is allowed without a key, and with a key only on this machine', () => {
    expect(made('openai-compatible/x', { baseURL: 'http://192.0.2.7:8000/v1' })().hosts).toEqual(['192.0.2.7:8000'])
    for (const baseURL of ['http://localhost:1234/v1', 'http://[::1]:1234/v1', 'http://127.1:1234/v1']) {
      expect(made('openai-compatible/x', { baseURL, apiKeyEnv: 'QWEN_KEY', trustConfig: true })).not.toThrow()
    }
  })
})

describe('a model', () => {
  test('without its key is created and listed, and refused only when it is used', () => {
    expect(made('openai/gpt-5')).not.toThrow()
    expect(modelEndpoint('openai/gpt-5', { env: {}, now: () => 0 })).toMatchObject({ pairing: 'standard' })
    expect(() => checkModelKey('openai/gpt-5', { env: { OPENAI_API_KEY: ' ' }, now: () => 0 })).toThrow(ModelError)
    expect(() => checkModelKey('openai/gpt-5', { env: {}, now: () => 0 })).toThrow(/OPENAI_API_KEY/)
    expect(() => checkModelKey('openai/gpt-5', { env: { OPENAI_API_KEY: KEY }, now: () => 0 })).not.toThrow()
    expect(() => checkModelKey('bedrock/x', { env: { AWS_REGION: 'us-east-1' }, now: () => 0 })).toThrow(
      /AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/,
    )
  })

  test('with a key that no header could carry names the variable, not its value', () => {
    const env = { OPENAI_API_KEY: 'sk-one\nX-Evil: 1' }
    expect(() => checkModelKey('openai/gpt-5', { env, now: () => 0 })).toThrow(
      /^openai\/gpt-5: OPENAI_API_KEY contains/,
    )
  })

  test.each([
    ['gpt-5', {}, /provider\/name/],
    ['acme/x', {}, /unknown provider/],
    ['openai-compatible/x', {}, /baseURL is missing/],
    ['openai-compatible/x', { baseURL: 'ftp://x/' }, /http or https/],
    ['openai-compatible/x', { baseURL: 'nonsense' }, /http or https/],
    ['openai-compatible/x', { baseURL: 'https://user:secret@host/v1' }, /user or a password/],
    ['openai-compatible/x', { baseURL: 'https://host/v1?key=secret' }, /without \? or #/],
    ['openai-compatible/x', { baseURL: 'https://host/v1', apiKeyEnv: KEY }, /name of an environment variable/],
    ['simulated/dave', {}, /one of ada, bob, cleo/],
    ['manual/eve', {}, /a person to ask/],
    ['replay/replay/simulated/ada', {}, /replay\/ once/],
    ['scripted/lines.jsonl', {}, /its lines/],
  ])('%s with %o is refused in words without a secret', (id, options, message) => {
    expect(made(id, options)).toThrow(message)
    expect(made(id, options)).not.toThrow(/secret|planted/)
  })

  test('that needs no host has none', () => {
    expect(made('simulated/ada')().hosts).toEqual([])
    expect(modelEndpoint('simulated/ada', { env: {}, now: () => 0 })).toBeNull()
  })
})
