import { z } from 'zod'
import {
  certifyInputSchema,
  decisionViewSchema,
  knownIdsSchema,
  type QuestionInput,
  questionInputSchema,
  shownCertifyAnswerSchema,
} from '../../contract/decisions.ts'
import { revealSchema } from '../../contract/reveal.ts'
import { type Identity, isKeptBlind } from '../access/identity.ts'
import { endpoint } from '../endpoint.ts'
import { eventStream } from '../event-stream.ts'
import { orNotFound, ProblemError } from '../problem-response.ts'
import { MOST_JSON_BYTES } from '../read-body.ts'
import type { Services } from '../services.ts'
import { shownCertified, shownDecision, shownEvents } from './blind-answers.ts'

const idSchema = z.object({ id: z.string().min(1).max(200) })
/** In seconds. A proxy would close a connection that is quiet for longer. */
const waitSchema = z.object({ wait: z.coerce.number().min(0).max(60).default(0) })

export const decisionEndpoints = {
  'POST /v1/decisions': endpoint({
    body: questionInputSchema,
    mostBytes: MOST_JSON_BYTES,
    answer: decisionViewSchema,
    status: 202,
    run: async ({ body, who, services, context }) => {
      const key = idempotencyKey(context.req.header('idempotency-key'))
      const asking = { who, idempotencyKey: key, beforeNew: () => refuseTwin(services, who, body) }
      return shownDecision({ who, services }, await services.decisions.ask(body, asking))
    },
  }),
  'POST /v1/decisions/known': endpoint({
    body: knownIdsSchema,
    mostBytes: MOST_JSON_BYTES,
    answer: z.object({ known: z.array(z.string()) }),
    run: async ({ body, services }) => ({ known: [...(await services.decidedBefore(body.ids))] }),
  }),
  'GET /v1/decisions/{id}': endpoint({
    params: idSchema,
    query: waitSchema.extend(revealSchema.shape),
    answer: decisionViewSchema,
    run: async ({ params, query, who, services, context, parts }) => {
      const signal = AbortSignal.any([context.req.raw.signal, parts.stopping])
      const view = orNotFound(await services.decisions.find(params.id, { waitMs: query.wait * 1000, signal }))
      return shownDecision({ services, who, query }, view)
    },
  }),
  'GET /v1/decisions/{id}/events': endpoint({
    params: idSchema,
    query: revealSchema,
    answer: null,
    type: 'text/event-stream',
    async run({ params, query, who, services, context, parts }) {
      const gone = new AbortController()
      const signal = AbortSignal.any([gone.signal, context.req.raw.signal, parts.stopping])
      const events = orNotFound(await shownEvents({ services, who, query }, params.id, signal))
      const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }
      if (context.req.method === 'HEAD') {
        gone.abort()
        return context.body(null, 200, headers)
      }
      const { sleep, heartbeatMs, report } = parts
      return context.body(eventStream(events, { gone, last: 'decided', sleep, heartbeatMs, report }), 200, headers)
    },
  }),
  'POST /v1/certify': endpoint({
    body: certifyInputSchema,
    mostBytes: MOST_JSON_BYTES,
    answer: shownCertifyAnswerSchema,
    run: async ({ body, who, services }) => shownCertified({ who, services }, await services.certify(body, who)),
  }),
}

/** If the same question could be asked again under another id, the panel would reveal what a blind item of any run hides. */
export async function refuseTwin({ blindness }: Services, who: Identity, question: QuestionInput): Promise<void> {
  if (!isKeptBlind(who) || !(await blindness.isHiding(question))) return
  const detail = "The same question waits for a blind review, and the panel's answer is hidden from people."
  throw new ProblemError({ status: 409, detail, next: 'Ask again when it is reviewed.' })
}

export function idempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null
  if (/^[\x21-\x7e]{1,200}$/.test(header)) return header
  const expected = '1 to 200 printable ASCII characters without spaces'
  throw new ProblemError({
    status: 400,
    detail: 'A header cannot be read.',
    errors: [{ field: 'Idempotency-Key', expected }],
  })
}
