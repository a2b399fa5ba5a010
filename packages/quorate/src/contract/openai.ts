import { z } from 'zod'
import { idSchema, plainNameSchema, textSchema } from '../record/names.ts'

/** `quorate/NAME`: the panel of this server, under any name. */
const modelSchema = z
  .string()
  .refine(
    (name) => /^quorate\/[\w.-]{1,64}$/.test(name),
    'quorate/NAME: letters, digits, ".", "_" and "-", such as quorate/panel',
  )

/** What a request may specify about its question. OpenAI allows only strings here. */
const metadataSchema = z
  .looseObject({
    quorate_id: idSchema.optional().describe('Id of the question. Asking it again returns the same decision'),
    quorate_group: plainNameSchema.optional().describe('Group of the question'),
  })
  .nullish()

/** A JSON Schema that the client generates. Only its single property is read. */
const answerFormatSchema = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  schema: z.looseObject({}).optional(),
})

const partSchema = z.looseObject({ type: z.string(), text: textSchema.optional() })
const contentSchema = z.union([textSchema, z.array(partSchema).max(1000)])

/** Fields that would change the question or the answer. They are refused with an explanation if set; all others are ignored. */
const refusedSchema = z.looseObject({
  tools: z.unknown().optional(),
  functions: z.unknown().optional(),
  n: z.unknown().optional(),
  logprobs: z.unknown().optional(),
  audio: z.unknown().optional(),
  web_search_options: z.unknown().optional(),
  previous_response_id: z.unknown().optional(),
  conversation: z.unknown().optional(),
  prompt: z.unknown().optional(),
  background: z.unknown().optional(),
})
export type RefusedFields = z.infer<typeof refusedSchema>

export const chatMessageSchema = z.looseObject({ role: z.string(), content: contentSchema.nullish() })

/** POST /v1/chat/completions. */
export const chatRequestSchema = refusedSchema.extend({
  model: modelSchema,
  messages: z.array(chatMessageSchema).min(1).max(1000),
  response_format: answerFormatSchema
    .extend({ json_schema: answerFormatSchema.omit({ type: true }).optional() })
    .nullish()
    .describe('json_schema with one property, whose enum lists the options'),
  stream: z.boolean().nullish(),
  metadata: metadataSchema,
})
export type ChatRequest = z.infer<typeof chatRequestSchema>

const inputItemSchema = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: contentSchema.nullish(),
})

/** POST /v1/responses. */
export const responsesRequestSchema = refusedSchema.extend({
  model: modelSchema,
  input: z.union([textSchema.min(1), z.array(inputItemSchema).min(1).max(1000)]),
  instructions: textSchema.nullish(),
  text: z
    .looseObject({ format: answerFormatSchema.nullish() })
    .nullish()
    .describe('format: json_schema with one property, whose enum lists the options'),
  stream: z.boolean().nullish(),
  metadata: metadataSchema,
})
export type ResponsesRequest = z.infer<typeof responsesRequestSchema>

/** The fields that quorate adds to an answer. `hidden`: the decision is hidden from people until it is reviewed. */
export const quorateFieldsSchema = z.object({
  kind: z.enum(['act', 'defer', 'hidden']),
  /** The bound of the action; null for a deferral. */
  bound: z.number().nullable(),
  threshold: z.number().nullable(),
  /** Why it was deferred. */
  reason: z.string().nullable(),
  decisionId: z.string(),
  /** The review item in which a person decides it. */
  reviewId: z.string().nullable(),
})
export type QuorateFields = z.infer<typeof quorateFieldsSchema>

/** A deferral has no content, a refusal and the finish reason `content_filter`. */
export const chatAnswerSchema = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        refusal: z.string().nullable(),
      }),
      logprobs: z.null(),
      finish_reason: z.enum(['stop', 'content_filter']),
    }),
  ),
  quorate: quorateFieldsSchema,
})
export type ChatAnswer = z.infer<typeof chatAnswerSchema>

const outputPartSchema = z.union([
  z.object({ type: z.literal('output_text'), text: z.string(), annotations: z.array(z.unknown()) }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
])
export type OutputPart = z.infer<typeof outputPartSchema>

const responseStatusSchema = z.enum(['in_progress', 'completed', 'incomplete'])

/** A deferral is `incomplete`, and its output is a refusal, so that `output_text` is empty. */
export const responsesAnswerSchema = z.object({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int(),
  status: responseStatusSchema,
  model: z.string(),
  output: z.array(
    z.object({
      type: z.literal('message'),
      id: z.string(),
      role: z.literal('assistant'),
      status: responseStatusSchema,
      content: z.array(outputPartSchema),
    }),
  ),
  error: z.null(),
  incomplete_details: z.object({ reason: z.literal('content_filter') }).nullable(),
  instructions: z.null(),
  metadata: z.record(z.string(), z.string()),
  parallel_tool_calls: z.literal(false),
  tool_choice: z.literal('none'),
  tools: z.array(z.unknown()),
  temperature: z.null(),
  top_p: z.null(),
  quorate: quorateFieldsSchema.optional(),
})
export type ResponsesAnswer = z.infer<typeof responsesAnswerSchema>

/** GET /v1/models. */
export const modelListSchema = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.literal('quorate') }),
  ),
})
