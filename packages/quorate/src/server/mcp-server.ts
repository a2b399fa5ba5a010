import { type CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import {
  certifyInputSchema,
  type DecisionView,
  decisionViewSchema,
  questionInputSchema,
  type ShownCertifyAnswer,
  shownCertifyAnswerSchema,
} from '../contract/decisions.ts'
import { pageOf } from '../contract/page.ts'
import { problemSchema } from '../contract/problem.ts'
import { reviewQuerySchema, reviewRowSchema } from '../contract/reviews.ts'
import { jsonOf } from '../record/parse-stored.ts'
import { joinSentences } from '../text/error-sentence.ts'
import { countOf } from '../text/number-text.ts'

/** Sends a request to the HTTP API on behalf of the caller of the tool. The API enforces roles and blindness. */
export type CallApi = (
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly text: string }>

/** The result of a tool. The path is left out, because it contains the panel's answers before it deferred. */
const decisionResultSchema = z.object({
  decisionId: z.string(),
  status: decisionViewSchema.shape.status,
  kind: z.enum(['act', 'defer', 'continue']).nullable().describe('Null until it is decided, and while it is hidden'),
  answer: z.string().nullable().describe('Null unless the kind is act'),
  bound: z.number().nullable(),
  threshold: z.number().nullable(),
  reason: z.string().nullable().describe('Why it was deferred'),
  reviewId: z.string().nullable().describe('The item of the review queue in which a person decides it'),
  isHidden: z.boolean().describe('It is hidden until a person has reviewed it'),
})
const certifyResultSchema = decisionResultSchema.omit({ status: true, reviewId: true }).extend({
  isSpotCheck: z.boolean().nullable().describe('True: continue to the last round and certify it, whatever was decided'),
})

const reviewsResultSchema = pageOf(reviewRowSchema)

const INSTRUCTIONS =
  'quorate decides whether an AI panel may act on its own answer. Act only on a decision whose kind is "act". ' +
  'A decision whose kind is "defer" waits for a person: never answer in their place. Reviews are submitted by people in the app, ' +
  'and no tool submits one.'

/** The tools of quorate. None of them labels: only people decide what is right. */
export function createMcpServer(callApi: CallApi, version: string): McpServer {
  const server = new McpServer({ name: 'quorate', version }, { instructions: INSTRUCTIONS })
  server.registerTool(
    'decide',
    {
      title: 'Ask the panel',
      description:
        'Asks the panel a question with given options. Returns an id immediately. Read the decision with get_decision. The same id ' +
        'with the same question is asked once.',
      inputSchema: questionInputSchema,
      outputSchema: decisionResultSchema,
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    (input) => answered(callApi('POST', '/v1/decisions', input), decisionViewSchema, decisionResult),
  )
  server.registerTool(
    'get_decision',
    {
      title: 'Read a decision',
      description: 'Reads a decision of the panel, and waits for it up to 60 seconds.',
      inputSchema: z.object({
        decisionId: z.string().min(1).max(200),
        waitSeconds: z.number().min(0).max(60).default(0).describe('How long to wait until it is decided'),
      }),
      outputSchema: decisionResultSchema,
      annotations: { readOnlyHint: true },
    },
    ({ decisionId, waitSeconds }) => {
      const path = `/v1/decisions/${encodeURIComponent(decisionId)}?wait=${waitSeconds}`
      return answered(callApi('GET', path), decisionViewSchema, decisionResult)
    },
  )
  server.registerTool(
    'certify',
    {
      title: 'Certify a debate',
      description:
        'Decides the rounds so far of a debate of your own panel: act, continue with another round, or defer.',
      inputSchema: certifyInputSchema,
      outputSchema: certifyResultSchema,
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    (input) => answered(callApi('POST', '/v1/certify', input), shownCertifyAnswerSchema, certifyResult),
  )
  server.registerTool(
    'list_reviews',
    {
      title: 'List the review queue',
      description: 'Lists the questions that wait for a person, page by page. People review them in the app.',
      inputSchema: reviewQuerySchema,
      outputSchema: reviewsResultSchema,
      annotations: { readOnlyHint: true },
    },
    (query) => {
      const asked = new URLSearchParams({ limit: String(query.limit) })
      if (query.cursor !== undefined) asked.set('cursor', query.cursor)
      if (query.status !== undefined) asked.set('status', query.status)
      if (query.assignedTo !== undefined) asked.set('assignedTo', query.assignedTo)
      const path = `/v1/reviews?${asked}`
      return answered(callApi('GET', path), reviewsResultSchema, (page) => ({
        words: `${countOf(page.items.length, 'item')}${page.next === null ? '' : '. More follow'}`,
        result: page,
      }))
    },
  )
  return server
}

interface ToolAnswer {
  readonly words: string
  readonly result: Readonly<Record<string, unknown>>
}

async function answered<Answer>(
  called: ReturnType<CallApi>,
  schema: z.ZodType<Answer>,
  show: (answer: Answer) => ToolAnswer,
): Promise<CallToolResult> {
  const { status, text } = await called
  if (status >= 400) return { isError: true, content: [{ type: 'text', text: problemWords(status, text) }] }
  const { words, result } = show(schema.parse(jsonOf(text)))
  return { content: [{ type: 'text', text: words }], structuredContent: { ...result } }
}

function problemWords(status: number, text: string): string {
  // A proxy may respond with a page of its own.
  const problem = problemSchema.safeParse(jsonOf(text)).data
  if (problem === undefined) return `the server answered ${status}`
  const fields = (problem.errors ?? []).map(({ field, expected }) => `${field} must be ${expected}`)
  return joinSentences([problem.detail, ...fields, problem.next ?? ''])
}

function decisionResult(view: DecisionView): ToolAnswer {
  const { id: decisionId, status, decision, reviewId, isHidden } = view
  const result: z.infer<typeof decisionResultSchema> = {
    decisionId,
    status,
    kind: decision?.kind ?? null,
    answer: decision?.kind === 'act' ? decision.answer : null,
    bound: decision?.bound ?? null,
    threshold: decision?.threshold ?? null,
    reason: decision?.reason ?? null,
    reviewId,
    isHidden,
  }
  if (isHidden) return { words: 'Hidden until it is reviewed. Do not act.', result }
  if (decision === null) return { words: `Decision ${decisionId} is ${status}. Do not act yet.`, result }
  return { words: verdictWords(decision), result }
}

function certifyResult(answer: ShownCertifyAnswer): ToolAnswer {
  const { decisionId, kind, bound, threshold, reason, isHidden, isSpotCheck } = answer
  const acted = kind === 'act' ? answer.answer : null
  const result = { decisionId, kind, answer: acted, bound, threshold, reason, isHidden, isSpotCheck }
  return {
    words: kind === null ? 'Hidden until it is reviewed. Do not act.' : verdictWords({ ...answer, kind }),
    result,
  }
}

type ShownVerdict = Pick<
  NonNullable<DecisionView['decision']>,
  'kind' | 'answer' | 'bound' | 'threshold' | 'reasonText'
>

function verdictWords({ kind, answer, bound, threshold, reasonText }: ShownVerdict): string {
  if (kind === 'act') return `Act on the answer ${JSON.stringify(answer)}: bound ${bound}, threshold ${threshold}.`
  if (kind === 'continue') return 'Debate another round, then certify again. Do not act yet.'
  return `Deferred to a person (${reasonText ?? 'no reason is known'}). Do not act, and do not answer in their place.`
}
