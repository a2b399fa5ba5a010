import { z } from 'zod'

/** A chat in any of the formats, as far as the fake cares. */
export interface Chat {
  readonly model: string
  readonly text: string
  /** The reply must follow a JSON Schema. */
  readonly isStructured: boolean
  /** Log-probabilities to give at each token; null: none. */
  readonly top: number | null
}

export interface Answer {
  readonly id: string
  readonly model: string
  readonly text: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly finish: 'stop' | 'length' | 'refusal'
  readonly top: number | null
}

export interface Format {
  readChat(body: unknown, path: string): Chat
  write(answer: Answer): unknown
  writeError(error: { status: number; message: string }): unknown
}

const Content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])
const Messages = z.array(z.object({ role: z.string(), content: Content }))

const OpenAi = z.object({
  model: z.string(),
  messages: Messages,
  logprobs: z.boolean().optional(),
  top_logprobs: z.number().optional(),
  response_format: z.looseObject({ type: z.string() }).optional(),
})

/** Chat completions: OpenAI, DeepSeek and everything compatible. */
const OPENAI: Format = {
  readChat(body) {
    const { model, messages, logprobs, top_logprobs: top, response_format: form } = OpenAi.parse(body)
    const isStructured = form?.type === 'json_schema'
    return { model, text: joined(messages), isStructured, top: logprobs === true ? (top ?? 0) : null }
  },
  write: ({ id, model, text, inputTokens, outputTokens, finish, top }) => ({
    id,
    object: 'chat.completion',
    created: 1_760_000_000,
    model: `${model}-served`,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text },
        finish_reason: finish === 'refusal' ? 'content_filter' : finish,
        logprobs: top === null ? null : { content: tokensOf(text).map((token) => withTop(token, top)) },
      },
    ],
    usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
  }),
  writeError: ({ status, message }) => ({ error: { message, type: `status_${status}`, param: null, code: null } }),
}

const Anthropic = z.object({
  model: z.string(),
  system: Content.optional(),
  messages: Messages,
  output_config: z.looseObject({ format: z.looseObject({ type: z.string() }) }).optional(),
})

const ANTHROPIC: Format = {
  readChat(body) {
    const { model, messages, system, output_config: output } = Anthropic.parse(body)
    const isStructured = output?.format.type === 'json_schema'
    return { model, text: joined([{ content: system ?? '' }, ...messages]), isStructured, top: null }
  },
  write: ({ id, model, text, inputTokens, outputTokens, finish }) => ({
    id,
    type: 'message',
    role: 'assistant',
    model: `${model}-served`,
    content: text === '' ? [] : [{ type: 'text', text }],
    stop_reason: { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' }[finish],
    stop_sequence: null,
    usage: { input_tokens: inputTokens, output_tokens: outputTokens },
  }),
  writeError: ({ status, message }) => ({ type: 'error', error: { type: `status_${status}`, message } }),
}

const Converse = z.object({
  system: z.array(z.object({ text: z.string() })).optional(),
  messages: z.array(z.object({ role: z.string(), content: z.array(z.looseObject({ text: z.string().optional() })) })),
})

const BEDROCK: Format = {
  readChat(body, path) {
    const { messages, system } = Converse.parse(body)
    const model = decodeURIComponent(/\/model\/([^/]+)\/converse$/.exec(path)?.[1] ?? '')
    return { model, text: joined([{ content: system ?? '' }, ...messages]), isStructured: false, top: null }
  },
  write: ({ text, inputTokens, outputTokens, finish }) => ({
    output: { message: { role: 'assistant', content: [{ text }] } },
    stopReason: { stop: 'end_turn', length: 'max_tokens', refusal: 'content_filtered' }[finish],
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    metrics: { latencyMs: 1 },
  }),
  writeError: ({ message }) => ({ message }),
}

export function formatOf(path: string): Format | null {
  if (path.endsWith('/chat/completions')) return OPENAI
  if (path.endsWith('/messages')) return ANTHROPIC
  return path.endsWith('/converse') ? BEDROCK : null
}

/** Words with the blank before them, about as a tokenizer would cut. */
export function tokensOf(text: string): readonly string[] {
  return text.match(/\s*\S{1,6}/g) ?? []
}

function withTop(token: string, top: number) {
  const chosen = { token, logprob: Math.log(0.7), bytes: null }
  const others = Array.from({ length: Math.max(0, top - 1) }, (_, index) => ({
    token: `${token}?${index}`,
    logprob: Math.log(0.3 / (index + 2)),
    bytes: null,
  }))
  return { ...chosen, top_logprobs: top === 0 ? [] : [chosen, ...others] }
}

function joined(messages: readonly { readonly content: z.infer<typeof Content> | '' }[]): string {
  return messages
    .map(({ content }) => (typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('\n')))
    .join('\n')
}
