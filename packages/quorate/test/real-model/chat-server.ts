import { createServer, type IncomingMessage } from 'node:http'
import { z } from 'zod'
import { type Generation, generate, logProbabilities, mostLikely } from './language-model.ts'
import type { Runtime } from './runtime.ts'

const Body = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(1),
  temperature: z.number().min(0).max(2).default(1),
  max_tokens: z.int().min(1).max(64),
  seed: z.int().min(0).default(0),
  stop: z.union([z.string().transform((word) => [word]), z.array(z.string())]).default([]),
  logprobs: z.boolean().default(false),
  top_logprobs: z.int().min(0).max(20).default(0),
  stream: z.literal(false).default(false),
})

type ChatRequest = z.output<typeof Body>

/** What the server knows of a reply, beyond what it sends. */
export interface LoggedReply {
  readonly request: ChatRequest
  readonly text: string
  readonly finish: Generation['finish']
  readonly promptTokens: number
  readonly completionTokens: number
  /** The largest logits of the first token; none where the model said nothing. */
  readonly firstLogits: readonly { readonly token: string; readonly logit: number }[]
}

const LOGGED = 40

/** The chat part of the OpenAI interface over one model, on loopback. `log` is called before a reply is sent. */
export function startChatServer(runtime: Runtime, log: (reply: LoggedReply) => void): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const { status, value } = await respond(incoming).catch((error: unknown) => refusal(500, String(error)))
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  })
  const respond = async (incoming: IncomingMessage) => {
    if (incoming.method !== 'POST' || incoming.url !== '/v1/chat/completions') return refusal(404, 'no such place')
    const body = Body.safeParse(await bodyOf(incoming))
    if (!body.success) return refusal(400, z.prettifyError(body.error))
    const request = body.data
    const made = await generate(runtime, { ...request, maxTokens: request.max_tokens })
    log(logged(runtime, request, made))
    return { status: 200, value: completion(runtime, request, made) }
  }
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('the server has no port')
      resolve(`http://127.0.0.1:${address.port}/v1`)
    })
  })
}

function refusal(status: number, message: string) {
  return { status, value: { error: { message, type: 'invalid_request_error' } } }
}

async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  const text = (await incoming.setEncoding('utf8').toArray()).join('')
  try {
    return JSON.parse(text)
  } catch {
    return undefined // refused as any other body that is none
  }
}

function completion(runtime: Runtime, request: ChatRequest, made: Generation) {
  const { text, finish, promptTokens, completionTokens } = made
  const content = request.logprobs ? made.steps.map((step) => placeOf(runtime, step, request.top_logprobs)) : null
  return {
    id: `chatcmpl-${request.seed}`,
    object: 'chat.completion',
    created: 0,
    model: request.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text },
        finish_reason: finish,
        logprobs: content === null ? null : { content },
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  }
}

function placeOf(runtime: Runtime, { id, logits }: Generation['steps'][number], top: number) {
  const logprobs = logProbabilities(logits)
  const entry = (token: number) => ({ token: runtime.decode([token]), logprob: logprobs[token] ?? 0, bytes: null })
  return { ...entry(id), top_logprobs: mostLikely(logits, top).map(entry) }
}

function logged(runtime: Runtime, request: ChatRequest, made: Generation): LoggedReply {
  const { text, finish, promptTokens, completionTokens, steps } = made
  const logits = steps[0]?.logits ?? new Float32Array(0)
  const firstLogits = mostLikely(logits, LOGGED).map((id) => ({ token: runtime.decode([id]), logit: logits[id] ?? 0 }))
  return { request, text, finish, promptTokens, completionTokens, firstLogits }
}
