import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import OpenAI from 'openai'
import { onTestFinished } from 'vitest'
import type { Services } from '../../../src/server/services.ts'
import { FRESH, serveWorld, type WorldOptions } from '../deciding/world.ts'
import { startTestServer, type TestOptions } from '../test-server.ts'

export const QUESTIONS = FRESH

export type AskedQuestion = (typeof FRESH)[number]

/** The real server over simulated agents, with real OpenAI clients. */
export async function modelWorld(
  world: WorldOptions = {},
  { known, ...options }: TestOptions & { readonly known?: string } = {},
) {
  const { services, store, kill } = await serveWorld(world)
  const attended = { begun: 0, ended: 0 }
  const decisions: Services['decisions'] = {
    ...services.decisions,
    async attend(id, signal) {
      attended.begun += 1
      const view = await services.decisions.attend(id, signal)
      attended.ended += 1
      return view
    },
  }
  const server = await startTestServer({ services: { ...services, decisions }, store, requiresToken: true, ...options })
  onTestFinished(() => server.stop())
  const token = known ?? (await server.token({ name: 'claims', role: 'reviewer', kind: 'machine' }))
  const baseURL = `http://127.0.0.1:${server.port}/v1`
  return {
    server,
    /** How many requests have waited for their decision, and how many have stopped waiting. */
    attended,
    kill,
    services,
    store,
    token,
    baseURL,
    openai: new OpenAI({ apiKey: token, baseURL }),
    aiSdk: createOpenAICompatible({ name: 'quorate', apiKey: token, baseURL, supportsStructuredOutputs: true }),
    post: (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${baseURL}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  }
}

/** A JSON Schema with one property, whose constants have the texts of the options. */
export function choiceOf({ options }: AskedQuestion) {
  const anyOf = options.map(({ name, text }) => ({ const: name, description: text }))
  return {
    type: 'object' as const,
    properties: { answer: { type: 'string' as const, anyOf } },
    required: ['answer'],
    additionalProperties: false,
  }
}

export function chatBody(question: AskedQuestion) {
  return {
    model: 'quorate/panel',
    messages: [{ role: 'user' as const, content: question.question }],
    response_format: {
      type: 'json_schema' as const,
      json_schema: { name: 'choice', strict: true, schema: choiceOf(question) },
    },
  }
}

export function responsesBody(question: AskedQuestion) {
  const format = { type: 'json_schema' as const, name: 'choice', strict: true, schema: choiceOf(question) }
  return { model: 'quorate/panel', input: question.question, text: { format } }
}
