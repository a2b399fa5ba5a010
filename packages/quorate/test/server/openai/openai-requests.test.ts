import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { QuestionRequest } from '../../../src/server/services.ts'
import { samplePlan } from '../../run/run-world.ts'
import { ask } from '../ask.ts'
import { DECISION } from '../fake-services.ts'
import { startTestServer, type TestServer } from '../test-server.ts'

let server: TestServer
const asked: QuestionRequest[] = []

beforeAll(async () => {
  server = await startTestServer({
    services: {
      decisions: {
        async ask(question) {
          asked.push(question)
          return DECISION
        },
        find: async () => DECISION,
        attend: async () => DECISION,
        events: async () => null,
      },
    },
  })
})
afterAll(() => server.stop())

const CHOICE = { type: 'object', properties: { verdict: { enum: ['A', 'B'] } } }
const FORMAT = { type: 'json_schema', json_schema: { name: 'choice', schema: CHOICE } }
const CHAT = { model: 'quorate/triage', messages: [{ role: 'user', content: 'Which?' }], response_format: FORMAT }
const RESPONSES = {
  model: 'quorate/triage',
  input: 'Which?',
  text: { format: { type: 'json_schema', schema: CHOICE } },
}

const errorSchema = z.looseObject({ error: z.object({ message: z.string(), param: z.string().nullable() }).loose() })

const post = (path: string, body: object) => ask(server.port, path, { method: 'POST', body: JSON.stringify(body) })

async function refusal(path: string, body: object) {
  const count = asked.length
  const answer = await post(path, body)
  expect({ status: answer.status, asked: asked.length }).toEqual({ status: 400, asked: count })
  return errorSchema.parse(answer.json()).error
}

test('tools and other fields that would change the answer are refused in words', async () => {
  const tool = { type: 'function', function: { name: 'refund' } }
  expect((await refusal('/v1/chat/completions', { ...CHAT, tools: [tool] })).message).toMatch(/calls no tools/)
  expect((await refusal('/v1/responses', { ...RESPONSES, tools: [tool] })).message).toMatch(/calls no tools/)
  expect((await refusal('/v1/chat/completions', { ...CHAT, n: 2 })).param).toBe('n')
  expect((await refusal('/v1/chat/completions', { ...CHAT, logprobs: true })).param).toBe('logprobs')
  expect((await refusal('/v1/responses', { ...RESPONSES, previous_response_id: 'x' })).param).toBe(
    'previous_response_id',
  )
  expect((await refusal('/v1/responses', { ...RESPONSES, background: true })).message).toMatch(/v1\/decisions/)
  const result = { role: 'tool', tool_call_id: 'x', content: 'done' }
  expect((await refusal('/v1/chat/completions', { ...CHAT, messages: [result] })).message).toMatch(/calls no tools/)
  const picture = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] }
  expect((await refusal('/v1/chat/completions', { ...CHAT, messages: [picture] })).message).toMatch(/must be text/)
  expect((await refusal('/v1/chat/completions', { ...CHAT, model: 'gpt-5' })).param).toBe('model')
})

test('what clients send by default and changes nothing is not refused', async () => {
  const usual = {
    tools: [],
    tool_choice: 'none',
    temperature: 0,
    max_tokens: 5,
    seed: 1,
    n: 1,
    logprobs: false,
    user: 'u',
  }
  expect((await post('/v1/chat/completions', { ...CHAT, ...usual })).status).toBe(200)
  expect((await post('/v1/responses', { ...RESPONSES, tools: [], store: false, temperature: 0 })).status).toBe(200)
})

test('options come from one enum property, also by reference or as constants with texts, and from nothing else', async () => {
  const formats = [
    { properties: { verdict: { enum: ['A', 'B'] } } },
    { properties: { verdict: { $ref: '#/$defs/V' } }, $defs: { V: { enum: ['A', 'B'], type: 'string' } } },
    { properties: { verdict: { anyOf: [{ const: 'A' }, { const: 'B' }] } } },
  ]
  for (const schema of formats) {
    const format = { type: 'json_schema', json_schema: { name: 'choice', schema } }
    const answer = await post('/v1/chat/completions', { ...CHAT, response_format: format })
    expect(asked.at(-1)?.options).toEqual(['A', 'B'])
    expect(answer.json()).toMatchObject({
      model: 'quorate/triage',
      choices: [{ message: { content: '{"verdict":"A"}' }, finish_reason: 'stop' }],
    })
  }
  const described = { properties: { v: { oneOf: [{ const: 'A', description: 'in full' }, { const: 'B' }] } } }
  await post('/v1/responses', { ...RESPONSES, text: { format: { type: 'json_schema', schema: described } } })
  expect(asked.at(-1)?.options).toEqual({ A: 'in full', B: 'B' })
  const wrong = [
    {},
    { properties: {} },
    { properties: { a: { enum: ['A', 'B'] }, b: { type: 'string' } } },
    { properties: { a: { type: 'string' } } },
    { properties: { a: { enum: ['A', 2] } } },
    { properties: { a: { enum: ['A'] } } },
    { properties: { a: { $ref: '#/$defs/Gone' } } },
  ]
  for (const schema of wrong) {
    await refusal('/v1/chat/completions', {
      ...CHAT,
      response_format: { type: 'json_schema', json_schema: { schema } },
    })
  }
  await refusal('/v1/chat/completions', { ...CHAT, response_format: { type: 'json_object' } })
  await refusal('/v1/chat/completions', { ...CHAT, response_format: undefined })
})

test('the question is the instructions and the message, or the conversation with who said what', async () => {
  const user = {
    role: 'user',
    content: [
      { type: 'text', text: 'Which' },
      { type: 'text', text: 'one?' },
    ],
  }
  const system = { role: 'developer', content: 'Be strict.' }
  await post('/v1/chat/completions', { ...CHAT, messages: [system, user] })
  expect(asked.at(-1)?.question).toBe('Be strict.\n\nWhich\none?')
  const turns = [user, { role: 'assistant', content: 'Hm.' }, { role: 'user', content: 'Well?' }]
  await post('/v1/chat/completions', { ...CHAT, messages: turns })
  expect(asked.at(-1)?.question).toBe('User: Which\none?\n\nAssistant: Hm.\n\nUser: Well?')
  await post('/v1/responses', {
    ...RESPONSES,
    instructions: 'Be strict.',
    input: [{ role: 'user', content: 'Which?' }],
  })
  expect(asked.at(-1)?.question).toBe('Be strict.\n\nWhich?')
  await refusal('/v1/chat/completions', { ...CHAT, messages: [system] })
  await refusal('/v1/responses', { ...RESPONSES, input: [{ type: 'function_call_output', output: 'x' }] })
  const metadata = { quorate_id: 'claim-1', quorate_group: 'law' }
  await post('/v1/chat/completions', { ...CHAT, metadata })
  expect(asked.at(-1)).toMatchObject({ id: 'claim-1', group: 'law' })
})

test('labels of the config are the options where the request lists none, and the answer is the bare label', async () => {
  const labels = { A: 'refund', B: 'no refund' }
  const plan = samplePlan()
  const answers = { kind: 'labels', labels, shuffle: true } as const
  const elsewhere = {
    open: () => Promise.reject(new Error('unused')),
    add: () => Promise.reject(new Error('unused')),
    progress: async () => [],
    hasWorkers: async () => true,
  }
  const panel = { plan: { ...plan, panel: { ...plan.panel, answers } }, elsewhere }
  const labelled = await startTestServer({ panel, services: { decisions: { ...askingOnly } } })
  const body = JSON.stringify({ model: 'quorate/triage', messages: CHAT.messages })
  const answer = await ask(labelled.port, '/v1/chat/completions', { method: 'POST', body })
  await labelled.stop()
  expect(asked.at(-1)?.options).toEqual(labels)
  expect(answer.json()).toMatchObject({ choices: [{ message: { content: 'A' } }] })
})

const askingOnly = {
  async ask(question: QuestionRequest) {
    asked.push(question)
    return DECISION
  },
  find: async () => DECISION,
  attend: async () => DECISION,
  events: async () => null,
}

test('models are listed', async () => {
  expect((await ask(server.port, '/v1/models')).json()).toMatchObject({ data: [{ id: 'quorate/panel' }] })
})

test('a decision that could not be made is no answer, and of a status that clients do not send again', async () => {
  const failed = { ...DECISION, status: 'failed' as const, decision: null }
  const failing = await startTestServer({ services: { decisions: { ...askingOnly, attend: async () => failed } } })
  const answer = await ask(failing.port, '/v1/chat/completions', { method: 'POST', body: JSON.stringify(CHAT) })
  const streamed = await ask(failing.port, '/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify({ ...CHAT, stream: true }),
  })
  await failing.stop()
  expect(answer.status).toBe(424)
  expect(errorSchema.parse(answer.json()).error.message).toMatch(/could not be made/)
  expect(streamed.text).toMatch(/could not be made/)
  expect(streamed.text).not.toMatch(/"content":/)
})
