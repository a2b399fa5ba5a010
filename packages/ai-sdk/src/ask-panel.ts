import { APICallError } from '@ai-sdk/provider'
import { z } from 'zod'

/** The part of a response that describes the decision. */
const quorateSchema = z.object({
  kind: z.enum(['act', 'defer', 'hidden']),
  bound: z.number().nullable(),
  threshold: z.number().nullable(),
  reason: z.string().nullable(),
  decisionId: z.string(),
  reviewId: z.string().nullable(),
})
export type QuorateDecision = z.infer<typeof quorateSchema>

/** Thrown when the panel defers to a person. There is no answer to act on. */
export class DeferredError extends Error {
  override readonly name = 'DeferredError'
  /** The reason, with the ids of the decision and of the item in the review queue. */
  readonly decision: QuorateDecision

  constructor(message: string, decision: QuorateDecision) {
    super(message)
    this.decision = decision
  }
}

export interface PanelSettings {
  /** Address of the server. The default is the environment variable QUORATE_URL, or else http://127.0.0.1:4711. */
  readonly url?: string
  /** A machine token with the role reviewer. The default is the environment variable QUORATE_TOKEN. */
  readonly token?: string
  /** `throw` (default) throws DeferredError for a deferral. `refuse` returns the finish reason content-filter. */
  readonly onDefer?: 'throw' | 'refuse'
  readonly fetch?: typeof globalThis.fetch
}

export interface PanelQuestion {
  readonly model: string
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[]
  /** JSON Schema with one enum property; null for the labels of the server's config. */
  readonly schema: object | null
  readonly id?: string | undefined
  readonly group?: string | undefined
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  readonly signal?: AbortSignal | undefined
}

/** The content of an action, or the text of a refusal. */
export interface PanelAnswer {
  readonly content: string | null
  readonly refusal: string | null
  readonly quorate: QuorateDecision
}

const completionSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullable(), refusal: z.string().nullable() }) })),
  quorate: quorateSchema,
})

const problemSchema = z.object({ detail: z.string(), quorate: quorateSchema.optional() })

/** Asks one question and waits for the decision. Throws DeferredError for a deferral, unless `onDefer` is `refuse`. */
export async function askPanel(settings: PanelSettings, question: PanelQuestion): Promise<PanelAnswer> {
  const { fetch = globalThis.fetch, onDefer = 'throw' } = settings
  const server = settings.url ?? process.env['QUORATE_URL'] ?? 'http://127.0.0.1:4711'
  const url = `${server.replace(/\/$/, '')}/v1/chat/completions`
  const token = settings.token ?? process.env['QUORATE_TOKEN']
  const body = requestBody(question)
  const answer = await fetch(url, {
    method: 'POST',
    // A redirect would send the question to another server, whose answer must not be acted on.
    redirect: 'error',
    headers: {
      ...definedOnly(question.headers ?? {}),
      'content-type': 'application/json',
      'x-quorate-on-defer': onDefer === 'throw' ? 'error' : 'refusal',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
    ...(question.signal === undefined ? {} : { signal: question.signal }),
  })
  const text = await answer.text()
  if (answer.ok) return answerOf(completionSchema.parse(JSON.parse(text)))
  const problem = problemSchema.safeParse(parsed(text)).data
  if (problem?.quorate !== undefined) throw new DeferredError(problem.detail, problem.quorate)
  throw new APICallError({
    message: problem?.detail ?? `the server answered ${answer.status}`,
    url,
    requestBodyValues: body,
    statusCode: answer.status,
    responseBody: text,
    // Retry only if the server is overloaded or shutting down.
    isRetryable: answer.status === 429 || answer.status === 503,
  })
}

function requestBody({ model, messages, schema, id, group }: PanelQuestion): object {
  const metadata = {
    ...(id === undefined ? {} : { quorate_id: id }),
    ...(group === undefined ? {} : { quorate_group: group }),
  }
  const format = { type: 'json_schema', json_schema: { name: 'choice', schema } }
  const name = model.startsWith('quorate/') ? model : `quorate/${model}`
  return { model: name, messages, metadata, ...(schema === null ? {} : { response_format: format }) }
}

function answerOf({ choices, quorate }: z.infer<typeof completionSchema>): PanelAnswer {
  const { content = null, refusal = null } = choices[0]?.message ?? {}
  // Only the text of an action is an answer.
  return { content: quorate.kind === 'act' ? content : null, refusal, quorate }
}

function definedOnly(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const defined = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return Object.fromEntries(defined)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy may respond with a page of its own.
    return null
  }
}
