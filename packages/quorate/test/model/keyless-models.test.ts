import { describe, expect, test } from 'vitest'
import { checkModelKey, createModel } from '../../src/model/create-model.ts'
import { functionModel } from '../../src/model/function-model.ts'
import { manualModel } from '../../src/model/manual-model.ts'
import { ModelError } from '../../src/model/model-error.ts'
import { ruledModel } from '../../src/model/scripted-model.ts'
import { cacheKey } from '../../src/run/calls/pay-for-call.ts'
import { modelErrorFrom, requestOf } from './requests.ts'
import { scriptedModel } from './scripted-model.ts'

describe('a scripted model', () => {
  test('replies with its lines in order, records the requests, and throws after the last line', async () => {
    const late = new ModelError('time-out', 'late', { charged: 'unknown' })
    const model = scriptedModel('x', ['one', late, { text: 'three', finish: 'length' }])
    expect((await model.call(requestOf('a'))).text).toBe('one')
    expect(await modelErrorFrom(model.call(requestOf('b')))).toBe(late)
    expect((await model.call(requestOf('c'))).finish).toBe('length')
    const error = await modelErrorFrom(model.call(requestOf('d')))
    expect(error.kind).toBe('exhausted')
    expect(error.message).toBe('scripted/x: call 4, but the script has 3 lines')
    expect(model.requests.map(({ messages }) => messages[1]?.content)).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('a script with conditions', () => {
  const rules = [{ when: 'capital', say: '<answer-{code}>B</answer-{code}>' }, { say: 'A' }]

  test('replies with the first line that fits, whatever was asked before', async () => {
    const model = ruledModel('lines.jsonl', rules)
    for (const [asked, given] of [
      ['Which?', 'A'],
      ['The capital? <answer-c0de1234>', '<answer-c0de1234>B</answer-c0de1234>'],
      ['Which?', 'A'],
    ] as const) {
      expect((await model.call(requestOf(asked))).text).toBe(given)
    }
  })

  test('throws if no line fits, and another script is another model to the cache', async () => {
    const narrow = ruledModel('lines.jsonl', rules.slice(0, 1))
    expect((await modelErrorFrom(narrow.call(requestOf('Which?')))).kind).toBe('exhausted')
    expect(narrow.variant).not.toBe(ruledModel('lines.jsonl', rules).variant)
  })
})

describe('a replay', () => {
  const options = { env: {}, now: () => 0 }

  test('knows the name and the host under which the answers were stored, needs no key and sends nothing', async () => {
    const replay = createModel('replay/openai/gpt-5', options)
    expect(replay).toMatchObject({ provider: 'replay', hosts: [], replays: { id: 'openai/gpt-5' } })
    expect(replay.replays?.hosts).toEqual(['api.openai.com'])
    expect(() => checkModelKey('replay/openai/gpt-5', options)).not.toThrow()
    expect(await modelErrorFrom(replay.call(requestOf('?')))).toMatchObject({ kind: 'exhausted', charged: 'no' })
  })

  test('has the key of the cache that the original had, for any model', () => {
    const call = {
      questionId: 'q',
      agent: 'ann',
      round: 2,
      repeat: 1,
      isReminder: false,
      messages: [{ role: 'user' as const, content: 'Which?' }],
      settings: { temperature: 0.7, maxOutputTokens: 9, seed: 3, topLogprobs: null, schema: null },
    }
    const script = [{ say: 'A' }]
    for (const [id, more] of [
      ['simulated/ada', { isSampled: true }],
      ['scripted/x.jsonl', { script }],
      ['openai-compatible/x', { baseURL: 'http://127.0.0.1:8000/v1' }],
    ] as const) {
      const key = cacheKey(createModel(id, { ...options, ...more }), call)
      expect(cacheKey(createModel(`replay/${id}`, { ...options, ...more }), call)).toBe(key)
      expect(cacheKey(createModel(`replay/${id}`, { ...options, ...more }), { ...call, round: 1 })).not.toBe(key)
    }
  })
})

describe('a person', () => {
  test('is asked one thing at a time', async () => {
    const open: ((typed: string) => void)[] = []
    const model = manualModel('eve', () => new Promise((resolve) => open.push(resolve)))
    const answers = [model.call(requestOf('first')), model.call(requestOf('second'))]
    await new Promise(setImmediate)
    expect(open).toHaveLength(1)
    open[0]?.('A')
    expect((await answers[0])?.text).toBe('A')
    await new Promise(setImmediate)
    open[1]?.('B')
    expect((await answers[1])?.text).toBe('B')
  })

  test('types an answer and, if asked, a confidence, and the tags are put around both', async () => {
    const typed = ['B', '80']
    const shown: string[] = []
    const model = manualModel('eve', async (text) => {
      shown.push(text)
      return typed.shift() ?? null
    })
    const asked = '<answer-c0de1234>A|B</answer-c0de1234><confidence-c0de1234>0-100</confidence-c0de1234>'
    const { text } = await model.call(requestOf(asked))
    expect(text).toBe('<answer-c0de1234>B</answer-c0de1234>\n<confidence-c0de1234>80</confidence-c0de1234>')
    expect(shown[1]).toMatch(/from 0 to 100/)
  })

  test('who types nothing gives no answer, and the next question is still asked', async () => {
    const typed = ['  ', 'C']
    const model = manualModel('eve', async () => typed.shift() ?? '')
    expect((await modelErrorFrom(model.call(requestOf('?')))).kind).toBe('empty')
    expect((await model.call(requestOf('?'))).text).toBe('C')
  })

  test('shares the terminal with other persons', async () => {
    const open: ((typed: string) => void)[] = []
    const prompt = () => new Promise<string>((resolve) => open.push(resolve))
    const answers = ['eve', 'max'].map((name) => manualModel(name, prompt).call(requestOf('?')))
    await new Promise(setImmediate)
    expect(open).toHaveLength(1)
    open[0]?.('A')
    await answers[0]
    await new Promise(setImmediate)
    open[1]?.('B')
    expect((await answers[1])?.text).toBe('B')
  })

  test('who leaves or runs out of time gives no answer', async () => {
    const gone = manualModel('eve', async () => null)
    expect(await modelErrorFrom(gone.call(requestOf('?')))).toMatchObject({ kind: 'request', charged: 'no' })
    const late = new AbortController()
    const slow = manualModel('max', (_, signal) => {
      late.abort(new DOMException('late', 'TimeoutError'))
      return Promise.reject(signal.reason)
    })
    expect((await modelErrorFrom(slow.call(requestOf('?', {}, late.signal)))).kind).toBe('time-out')
  })
})

describe('a function of a program', () => {
  test('returns a text, or a text with facts about the call', async () => {
    const plain = functionModel('own', async ({ messages }) => `heard: ${messages.at(-1)?.content}`, {})
    expect(await plain.call(requestOf('a'))).toMatchObject({ text: 'heard: a', finish: 'stop', usage: null })
    const usage = { inputTokens: 3, outputTokens: 1 }
    const known = functionModel('own', async () => ({ text: 'b', usage, servedModel: 'own-2' }), {})
    expect(await known.call(requestOf('a'))).toMatchObject({ text: 'b', usage, servedModel: 'own-2', warnings: [] })
  })

  test('fails as an attempt, without a secret in the message, whatever it throws or returns', async () => {
    const env = { OWN_API_KEY: 'not-to-be-told' }
    const broken = functionModel('own', () => Promise.reject(new Error('401 for not-to-be-told')), env)
    const error = await modelErrorFrom(broken.call(requestOf('a')))
    expect([error.kind, error.charged, error.message]).toEqual([
      'server',
      'unknown',
      'function/own: 401 for [redacted]',
    ])
    const late = new ModelError('rate-limit', 'slow down', { charged: 'no', retryAfterMs: 5 })
    expect(await modelErrorFrom(functionModel('own', () => Promise.reject(late), {}).call(requestOf('a')))).toBe(late)
    const silent = functionModel('own', async () => ' ', {})
    expect((await modelErrorFrom(silent.call(requestOf('a')))).kind).toBe('empty')
    const counted = async () => ({ text: 'a', usage: { inputTokens: -1, outputTokens: 0 } })
    expect((await modelErrorFrom(functionModel('own', counted, {}).call(requestOf('a')))).kind).toBe('malformed')
  })

  test('must be passed when the model is created', () => {
    const functions = { own: async () => 'A' }
    expect(createModel('function/own', { env: {}, now: () => 0, functions }).id).toBe('function/own')
    expect(() => createModel('function/toString', { env: {}, now: () => 0, functions })).toThrow('createPanel({ models')
  })
})
