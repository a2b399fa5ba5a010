import {
  chatAnswerSchema,
  chatRequestSchema,
  modelListSchema,
  responsesAnswerSchema,
  responsesRequestSchema,
} from '../../contract/openai.ts'
import { isKeptBlind } from '../access/identity.ts'
import { endpoint, type Request } from '../endpoint.ts'
import { frameStream } from '../event-stream.ts'
import { type ClientRequest, readChatRequest, readResponsesRequest } from '../openai/read-request.ts'
import {
  type AnswerWriter,
  answerHeaders,
  chatWriter,
  type ModelAnswer,
  modelAnswer,
  responsesWriter,
} from '../openai/write-answer.ts'
import {
  modelProblem,
  orNotFound,
  ProblemError,
  type ProblemParts,
  partsOf,
  serverStopping,
} from '../problem-response.ts'
import { MOST_JSON_BYTES } from '../read-body.ts'
import { shownDecision } from './blind-answers.ts'
import { idempotencyKey, refuseTwin } from './decisions.ts'

type OpenAIRequest = Request<undefined, undefined, unknown>

/** The panel as a model for OpenAI clients. No deferral can be mistaken for an answer. */
export const openaiEndpoints = {
  'POST /v1/chat/completions': endpoint({
    body: chatRequestSchema,
    mostBytes: MOST_JSON_BYTES,
    answer: chatAnswerSchema,
    run: (request) => respond(request, readChatRequest(request.body, request.parts.labels), chatWriter),
  }),
  'POST /v1/responses': endpoint({
    body: responsesRequestSchema,
    mostBytes: MOST_JSON_BYTES,
    answer: responsesAnswerSchema,
    run: (request) => respond(request, readResponsesRequest(request.body, request.parts.labels), responsesWriter),
  }),
  'GET /v1/models': endpoint({
    answer: modelListSchema,
    run: async () => ({ object: 'list' as const, data: [PANEL_MODEL] }),
  }),
}

const PANEL_MODEL = { id: 'quorate/panel', object: 'model', created: 0, owned_by: 'quorate' } as const

async function respond(request: OpenAIRequest, asked: ClientRequest, writer: AnswerWriter): Promise<Response> {
  const { context, services, who } = request
  const wantsError = readOnDefer(context.req.header('x-quorate-on-defer'))
  const key = idempotencyKey(context.req.header('idempotency-key'))
  // Spot checks are never paused, so a pause would reveal that a question is none. A person's question is therefore decided
  // even if they disconnect.
  const isAttended = !isKeptBlind(who)
  const asking = { who, idempotencyKey: key, isAttended, beforeNew: () => refuseTwin(services, who, asked.question) }
  const { id, createdAt } = await services.decisions.ask(asked.question, asking)
  if (!asked.isStreamed) {
    const answer = await answerOf(request, asked, { id, signal: context.req.raw.signal })
    if (wantsError && answer.content === null) throw deferralProblem(answer)
    return context.json(writer.whole(answer), 200, answerHeaders(answer))
  }
  const begun = { model: asked.model, created: Math.floor(createdAt / 1000), decisionId: id }
  const gone = new AbortController()
  const signal = AbortSignal.any([gone.signal, context.req.raw.signal])
  async function* frames(): AsyncGenerator<string> {
    yield* writer.opening(begun)
    try {
      const answer = await answerOf(request, asked, { id, signal })
      if (wantsError && answer.content === null) throw deferralProblem(answer)
      yield* writer.ending(answer)
    } catch (error) {
      // The status line was already sent.
      const parts = partsOf(error)
      if (parts.status >= 500) request.parts.report('a streamed answer could not be made', error)
      yield* writer.failing(modelProblem(parts))
    }
  }
  const { sleep, heartbeatMs, report } = request.parts
  const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no', 'x-quorate-decision-id': id }
  return context.body(frameStream(frames(), { gone, sleep, heartbeatMs, report }), 200, headers)
}

/** Waits for the decision. If the client disconnects and no other client waits for the question, its debate is paused. */
async function answerOf(
  { services, who, parts }: OpenAIRequest,
  asked: ClientRequest,
  { id, signal }: { readonly id: string; readonly signal: AbortSignal },
): Promise<ModelAnswer> {
  const waiting = AbortSignal.any([signal, parts.stopping])
  const view = await shownDecision({ services, who }, orNotFound(await services.decisions.attend(id, waiting)))
  if (view.status === 'decided') return modelAnswer(view, asked)
  if (view.status === 'failed') throw notDecided(id)
  throw parts.stopping.aborted ? serverStopping() : new ProblemError(DISCONNECTED)
}

/** The client is gone, so nobody receives this response. */
const DISCONNECTED: ProblemParts = { status: 424, detail: 'Cancelled: the client disconnected.' }

/** Clients do not retry this status automatically. Without an idempotency key a retry would be another question. */
function notDecided(id: string): ProblemError {
  const detail = `Decision ${id} could not be made. The log of the server has the reason.`
  return new ProblemError({ status: 424, detail, next: 'The question is stored, and a restarted server continues it.' })
}

function deferralProblem(answer: ModelAnswer): ProblemError {
  const { refusal, quorate } = answer
  return new ProblemError({ status: 422, detail: refusal ?? '', quorate, headers: answerHeaders(answer) })
}

function readOnDefer(header: string | undefined): boolean {
  if (header === undefined || header === 'refusal') return false
  if (header === 'error') return true
  const errors = [{ field: 'x-quorate-on-defer', expected: 'error or refusal' }]
  throw new ProblemError({ status: 400, detail: 'A header cannot be read.', errors })
}
