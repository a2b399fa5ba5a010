import type { DecisionView, QuestionInput } from '../../contract/decisions.ts'
import type { ChatAnswer, OutputPart, QuorateFields, ResponsesAnswer } from '../../contract/openai.ts'
import type { ClientRequest } from './read-request.ts'

/** The result of a request, for either API. */
export interface ModelAnswer {
  readonly model: string
  /** Seconds since 1970. */
  readonly created: number
  /** The answer in the form that the client asked for; null unless the panel acts. */
  readonly content: string | null
  /** Why there is no content; null if there is. No option of the question occurs in it. */
  readonly refusal: string | null
  readonly quorate: QuorateFields
}

export function modelAnswer(view: DecisionView, { model, question, property }: ClientRequest): ModelAnswer {
  const { id: decisionId, decision, reviewId, isHidden } = view
  const created = Math.floor(view.createdAt / 1000)
  if (!isHidden && decision?.kind === 'act' && decision.answer !== null) {
    const { answer, bound, threshold } = decision
    const content = property === null ? answer : JSON.stringify({ [property]: answer })
    const quorate = { kind: 'act' as const, bound, threshold, reason: null, decisionId, reviewId }
    return { model, created, content, refusal: null, quorate }
  }
  const kind = isHidden ? ('hidden' as const) : ('defer' as const)
  const { reason = null, reasonText = null, threshold = null } = (isHidden ? null : decision) ?? {}
  const quorate = { kind, bound: null, threshold, reason, decisionId, reviewId }
  const words = isHidden
    ? 'Hidden until it is reviewed'
    : `Deferred to human review${reasonText === null ? '' : `: ${reasonText}`}`
  const see = `See decision ${decisionId}.`
  const texts = [`${words}. ${see}`, see, `quorate-${kind}-${decisionId}`]
  // One word of letters and digits, which is not an option.
  const bare = `id${decisionId.replaceAll('-', '')}`
  return { model, created, content: null, refusal: withoutOptions(texts, question.options) ?? bare, quorate }
}

/** The first text in which no option occurs, because a client that searches a refusal for an option must find none. */
function withoutOptions(texts: readonly string[], options: QuestionInput['options']): string | null {
  const pairs = Array.isArray(options) ? options.map((name) => [name]) : Object.entries(options ?? {})
  const names = pairs.flat().filter((name) => name !== '')
  return texts.find((text) => !names.some((name) => occurs(name, text))) ?? null
}

/** Matches whole words. An option without letters or digits, such as -, matches anywhere. */
function occurs(name: string, text: string): boolean {
  const words = wordsOf(name)
  return words.trim() === '' ? text.includes(name) : wordsOf(text).includes(words)
}

/** The text in lower case, with each word between spaces. */
function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}

export function answerHeaders({ quorate }: ModelAnswer): Readonly<Record<string, string>> {
  const { kind, bound, threshold, reason, decisionId, reviewId } = quorate
  const named = {
    'x-quorate-kind': kind,
    'x-quorate-bound': bound,
    'x-quorate-threshold': threshold,
    'x-quorate-reason': reason,
    'x-quorate-decision-id': decisionId,
    'x-quorate-review-id': reviewId,
  }
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) => (value === null ? [] : [[name, `${value}`]])),
  )
}

/** Writes an answer in the format of one OpenAI API, whole or as frames of a stream. */
export interface AnswerWriter {
  whole(answer: ModelAnswer): object
  /** The frames before the decision is known. */
  opening(begun: Begun): readonly string[]
  ending(answer: ModelAnswer): readonly string[]
  /** The last frames if the client wants deferrals as errors, or if there is no answer. */
  failing(problem: FailedAnswer): readonly string[]
}

/** `error` is the part of a problem that OpenAI clients read. */
export interface FailedAnswer {
  readonly error: { readonly message: string; readonly code: string | null }
  readonly quorate?: QuorateFields | undefined
}

export type Begun = Pick<ModelAnswer, 'model' | 'created'> & { readonly decisionId: string }

export const chatWriter: AnswerWriter = {
  whole({ model, created, content, refusal, quorate }): ChatAnswer {
    const message = { role: 'assistant' as const, content, refusal }
    const finish_reason = content === null ? ('content_filter' as const) : ('stop' as const)
    return {
      id: `chatcmpl-${quorate.decisionId}`,
      object: 'chat.completion',
      created,
      model,
      choices: [{ index: 0, message, logprobs: null, finish_reason }],
      quorate,
    }
  },
  opening: (begun) => [data(chunkOf(begun, { delta: { role: 'assistant' }, finish_reason: null }))],
  ending(answer) {
    const { content, refusal, quorate } = answer
    const begun = { ...answer, decisionId: quorate.decisionId }
    const delta = content === null ? { refusal } : { content }
    const finish_reason = content === null ? 'content_filter' : 'stop'
    return [
      data(chunkOf(begun, { delta, finish_reason: null })),
      data({ ...chunkOf(begun, { delta: {}, finish_reason }), quorate }),
      'data: [DONE]\n\n',
    ]
  },
  failing: (problem) => [data(problem), 'data: [DONE]\n\n'],
}

function chunkOf({ model, created, decisionId }: Begun, choice: object): object {
  const choices = [{ index: 0, ...choice }]
  return { id: `chatcmpl-${decisionId}`, object: 'chat.completion.chunk', created, model, choices }
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

export const responsesWriter: AnswerWriter = {
  whole: (answer) => responseOf(answer),
  opening(begun) {
    const response = { ...emptyResponse(begun), status: 'in_progress' }
    return ['response.created', 'response.in_progress'].map((type, at) => event(type, at, { response }))
  },
  ending(answer) {
    const response = responseOf(answer)
    const [item] = response.output
    const [part] = item?.content ?? []
    if (item === undefined || part === undefined) throw new Error('responseOf: an answer has one message with one part')
    const isText = part.type === 'output_text'
    const place = { item_id: item.id, output_index: 0, content_index: 0 }
    const name = isText ? 'response.output_text' : 'response.refusal'
    const words = isText ? part.text : part.refusal
    const empty: OutputPart = isText ? { ...part, text: '' } : { ...part, refusal: '' }
    const steps: readonly (readonly [string, object])[] = [
      ['response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress', content: [] } }],
      ['response.content_part.added', { ...place, part: empty }],
      [`${name}.delta`, { ...place, delta: words }],
      [`${name}.done`, { ...place, ...(isText ? { text: words } : { refusal: words }) }],
      ['response.content_part.done', { ...place, part }],
      ['response.output_item.done', { output_index: 0, item }],
      [`response.${response.status}`, { response }],
    ]
    return steps.map(([type, fields], at) => event(type, at + 2, fields))
  },
  failing: (problem) => [event('error', 2, { ...problem.error, ...problem })],
}

function responseOf({ model, created, content, refusal, quorate }: ModelAnswer): ResponsesAnswer {
  const status = content === null ? ('incomplete' as const) : ('completed' as const)
  const part: OutputPart =
    content === null
      ? { type: 'refusal', refusal: refusal ?? '' }
      : { type: 'output_text', text: content, annotations: [] }
  const { decisionId } = quorate
  return {
    ...emptyResponse({ model, created, decisionId }),
    status,
    output: [{ type: 'message', id: `msg_${decisionId}`, role: 'assistant', status, content: [part] }],
    incomplete_details: content === null ? { reason: 'content_filter' } : null,
    quorate,
  }
}

function emptyResponse({ model, created, decisionId }: Begun): Omit<ResponsesAnswer, 'status' | 'quorate'> {
  return {
    id: `resp_${decisionId}`,
    object: 'response',
    created_at: created,
    model,
    output: [],
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: false,
    tool_choice: 'none',
    tools: [],
    temperature: null,
    top_p: null,
  }
}

function event(type: string, sequence: number, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ ...fields, type, sequence_number: sequence })}\n\n`
}
