import { z } from 'zod'
import {
  type DebateSummaryQuery,
  debateQuerySchema,
  debateRowSchema,
  debateSummaryQuerySchema,
  debateSummarySchema,
  debateViewSchema,
} from '../../contract/debates.ts'
import { pageOf } from '../../contract/page.ts'
import { revealSchema } from '../../contract/reveal.ts'
import { ANSWER_FORMATS, type AnswerFormat } from '../../run/exchange/answer-lines.ts'
import { isKeptBlind } from '../access/identity.ts'
import { endpoint, type Request } from '../endpoint.ts'
import { orNotFound } from '../problem-response.ts'

/** The most debates that one export may name. */
const MOST_CHOSEN = 1000

const placeSchema = z.object({ runId: z.string().min(1).max(200), questionId: z.string().min(1).max(1000) })

export const debateEndpoints = {
  'GET /v1/debates': endpoint({
    query: debateQuerySchema,
    answer: pageOf(debateRowSchema),
    run: ({ query, who, services }) => services.debates.list(query, who),
  }),
  'GET /v1/debate-summary': endpoint({
    query: debateSummaryQuerySchema,
    answer: debateSummarySchema,
    run: ({ query, who, services }) => services.debates.summary(query, who),
  }),
  'GET /v1/debates/{runId}/{questionId}': endpoint({
    params: placeSchema,
    query: revealSchema,
    answer: debateViewSchema,
    run: async ({ params: { runId, questionId }, query, who, services }) =>
      orNotFound(await services.debates.find(runId, questionId, { who, isRevealed: query.reveal === 'true' })),
  }),
  'GET /v1/export/answers': endpoint({
    query: debateSummaryQuerySchema.extend({ format: z.enum(ANSWER_FORMATS).default('csv') }),
    answer: null,
    type: 'text/csv',
    run: ({ query: { format, ...query }, ...request }) => answersFile(request, format, query),
  }),
  'POST /v1/export/answers': endpoint({
    body: z.object({ format: z.enum(ANSWER_FORMATS).default('csv'), debates: z.array(placeSchema).max(MOST_CHOSEN) }),
    answer: null,
    type: 'text/csv',
    run: ({ body: { format, debates }, ...request }) => answersFile(request, format, {}, debates),
  }),
}

async function answersFile(
  { who, services, context }: Pick<Request<unknown, unknown, unknown>, 'who' | 'services' | 'context'>,
  format: AnswerFormat,
  query: DebateSummaryQuery,
  debates?: readonly z.infer<typeof placeSchema>[],
) {
  const asked = { format, query, who, hidesBlind: isKeptBlind(who), ...(debates === undefined ? {} : { debates }) }
  const lines = orNotFound(await services.answers(asked))
  const type = format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/jsonl; charset=utf-8'
  const headers = { 'content-type': type, 'content-disposition': `attachment; filename="answers.${format}"` }
  return context.body(textStream(lines), 200, headers)
}

/** Streams lines as they are read, so that a large export does not fill the memory. */
function textStream(lines: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = lines[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next()
      if (next.done === true) controller.close()
      else controller.enqueue(encoder.encode(`${next.value}\n`))
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
