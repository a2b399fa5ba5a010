import type { z } from 'zod'
import { type QuestionInput, questionInputSchema } from '../../contract/decisions.ts'
import type { ChatRequest, chatMessageSchema, RefusedFields, ResponsesRequest } from '../../contract/openai.ts'
import { fieldErrors, ProblemError } from '../problem-response.ts'

/** The options that the config declares, in their order; null: each request must list its own. */
export type DeclaredLabels = Readonly<Record<string, string>> | null

/** A request of an OpenAI client as a question, and the form of its answer. */
export interface ClientRequest {
  readonly model: string
  readonly question: QuestionInput
  /** The property of the JSON object that contains the answer; null: the answer is the name of the option as plain text. */
  readonly property: string | null
  readonly isStreamed: boolean
}

export function readChatRequest(body: ChatRequest, labels: DeclaredLabels): ClientRequest {
  checkRefused(body)
  const { model, messages, response_format: format, stream, metadata } = body
  const form = format ?? null
  const answer = readAnswerForm(
    form === null ? null : { type: form.type, schema: form.json_schema?.schema },
    'response_format',
    labels,
  )
  const text = questionText(messages.map((message, at) => turnOf(message, `messages.${at}`)))
  return { model, question: questionOf(text, answer, metadata), property: answer.property, isStreamed: stream === true }
}

export function readResponsesRequest(body: ResponsesRequest, labels: DeclaredLabels): ClientRequest {
  checkRefused(body)
  const { model, input, instructions, text: wanted, stream, metadata } = body
  const form = wanted?.format ?? null
  const answer = readAnswerForm(form === null ? null : form, 'text.format', labels)
  const given = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  const turns = given.map((item, at) => {
    const { type = 'message', role } = item
    if (type !== 'message' || role === undefined) {
      throw refused(`input.${at}`, `a message: the panel answers one question, and takes no ${JSON.stringify(type)}`)
    }
    return turnOf({ ...item, role }, `input.${at}`)
  })
  const leading: readonly ChatMessage[] =
    typeof instructions === 'string' && instructions !== '' ? [{ role: 'system', text: instructions }] : []
  const text = questionText([...leading, ...turns])
  return { model, question: questionOf(text, answer, metadata), property: answer.property, isStreamed: stream === true }
}

/** Expectations for fields that would change the question or the answer. An empty list, false and null count as absent. */
const REFUSED: Readonly<Record<keyof RefusedFields & string, string>> = {
  tools: 'absent: the panel calls no tools. Let your program act on the answer',
  functions: 'absent: the panel calls no functions. Let your program act on the answer',
  n: '1: the panel has one answer',
  logprobs: 'absent: the bound is in the field quorate of the answer',
  audio: 'absent: the panel answers with one of its options, as text',
  web_search_options: 'absent: the panel searches nothing. Put what it needs into the question',
  previous_response_id: 'absent: each question stands alone. Send the whole conversation',
  conversation: 'absent: each question stands alone. Send the whole conversation',
  prompt: 'absent: the server has no stored prompts. Send the text',
  background: 'absent: use POST /v1/decisions, which returns an id immediately',
}

function checkRefused(body: RefusedFields): void {
  for (const [field, expected] of Object.entries(REFUSED)) {
    const value = body[field]
    const isUnset = value === undefined || value === null || value === false || (field === 'n' && value === 1)
    if (isUnset || (Array.isArray(value) && value.length === 0)) continue
    throw refused(field, expected)
  }
}

interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly text: string
}

const ROLES: Readonly<Record<string, ChatMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
}

function turnOf({ role, content }: z.infer<typeof chatMessageSchema>, field: string): ChatMessage {
  const known = Object.hasOwn(ROLES, role) ? ROLES[role] : undefined
  if (known === undefined)
    throw refused(`${field}.role`, 'system, developer, user or assistant: the panel calls no tools')
  if (typeof content === 'string') return { role: known, text: content }
  const texts = (content ?? []).map(({ type, text }, at) => {
    const isText = type === 'text' || type === 'input_text' || type === 'output_text'
    if (!isText || text === undefined) throw refused(`${field}.content.${at}`, 'text: the panel reads nothing else')
    return text
  })
  return { role: known, text: texts.join('\n') }
}

/** The text for the panel: the instructions, a blank line, then the question, or the conversation with its speakers. */
function questionText(turns: readonly ChatMessage[]): string {
  const instructions = turns.filter(({ role }) => role === 'system').map(({ text }) => text)
  const conversation = turns.filter(({ role }) => role !== 'system')
  if (conversation.at(-1)?.role !== 'user')
    throw refused('messages', 'a conversation whose last message is of the user')
  const lines =
    conversation.length === 1
      ? conversation.map(({ text }) => text)
      : conversation.map(({ role, text }) => `${role === 'user' ? 'User' : 'Assistant'}: ${text}`)
  return [...instructions, ...lines].filter((text) => text !== '').join('\n\n')
}

interface RequestedAnswer {
  readonly options: QuestionInput['options']
  readonly property: string | null
}

const FORM_WORDS =
  'a json_schema of an object with one property, whose enum lists the options: {"type":"object","properties":{"answer":{"enum":["yes","no"]}}}'

function readAnswerForm(
  form: { readonly type: string; readonly schema?: object | undefined } | null,
  field: string,
  labels: DeclaredLabels,
): RequestedAnswer {
  if (form === null || form.type === 'text') {
    if (labels !== null) return { options: labels, property: null }
    throw refused(field, `${FORM_WORDS}. Or declare labels in the config of the server`)
  }
  if (form.type !== 'json_schema' || form.schema === undefined) throw refused(field, FORM_WORDS)
  const schema: JsonObject = { ...form.schema }
  const properties = Object.entries(objectOf(schema['properties']) ?? {})
  const [only] = properties
  if (only === undefined || properties.length !== 1) throw refused(field, FORM_WORDS)
  const [property, described] = only
  const options = optionsOf(resolved(objectOf(described), schema))
  if (options === null) throw refused(field, FORM_WORDS)
  return { options, property }
}

type JsonObject = Readonly<Record<string, unknown>>

function objectOf(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

/** Some libraries write an enum as a reference into the same schema. */
function resolved(property: JsonObject | null, schema: JsonObject): JsonObject | null {
  const reference = property?.['$ref']
  if (typeof reference !== 'string') return property
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference)?.[1]
  const definitions = objectOf(schema['$defs']) ?? objectOf(schema['definitions'])
  return name === undefined || definitions === null ? null : objectOf(definitions[name])
}

/** The names of an `enum`, or constants with a description each. */
function optionsOf(property: JsonObject | null): QuestionInput['options'] | null {
  const { enum: names } = property ?? {}
  if (Array.isArray(names)) return names.every((name) => typeof name === 'string') ? names : null
  const choices = property?.['anyOf'] ?? property?.['oneOf']
  if (!Array.isArray(choices)) return null
  const named = choices.map((choice: unknown) => {
    const { const: name, description } = objectOf(choice) ?? {}
    return { name, text: typeof description === 'string' && description !== '' ? description : name }
  })
  if (!named.every(({ name }) => typeof name === 'string')) return null
  if (named.every(({ name, text }) => name === text)) return named.map(({ name }) => String(name))
  return Object.fromEntries(named.map(({ name, text }) => [String(name), String(text)]))
}

function questionOf(text: string, { options }: RequestedAnswer, metadata: ChatRequest['metadata']): QuestionInput {
  const { quorate_id: id, quorate_group: group } = metadata ?? {}
  // A field that the schema comes to require does not compile until it is here.
  const input: z.input<typeof questionInputSchema> = {
    question: text,
    options,
    ...(id === undefined ? {} : { id }),
    ...(group === undefined ? {} : { group }),
  }
  const read = questionInputSchema.safeParse(input)
  if (read.success) return read.data
  throw new ProblemError({ status: 400, detail: 'The question cannot be read.', errors: fieldErrors(read.error) })
}

function refused(field: string, expected: string): ProblemError {
  const detail = `${field} must be ${expected}`
  return new ProblemError({ status: 400, detail, errors: [{ field, expected }] })
}
