import { z } from 'zod'
import {
  certificateRowSchema,
  certificateViewSchema,
  madeCertificateViewSchema,
  makeCertificateQuerySchema,
} from '../../contract/certificates.ts'
import { activateSchema } from '../../contract/monitor.ts'
import { pageOf, pageQuerySchema } from '../../contract/page.ts'
import { isKeptBlind } from '../access/identity.ts'
import { endpoint } from '../endpoint.ts'
import { orNotFound, ProblemError } from '../problem-response.ts'
import { limited } from '../read-body.ts'

const idSchema = z.object({ id: z.string().min(1).max(200) })
const MOST_JSONL_BYTES = 200_000_000

export const certificateEndpoints = {
  'GET /v1/certificates': endpoint({
    query: pageQuerySchema,
    answer: pageOf(certificateRowSchema),
    run: ({ query, services }) => services.certificates.list(query),
  }),
  'POST /v1/certificates': endpoint({
    query: makeCertificateQuerySchema,
    streamed: { type: 'application/x-ndjson', most: MOST_JSONL_BYTES },
    answer: madeCertificateViewSchema,
    async run({ query, who, services, context }) {
      const { body } = context.req.raw
      if (body === null)
        throw new ProblemError({ status: 400, detail: 'The body must be debates, one JSON object per line.' })
      return services.certificates.make(query, limited(body, MOST_JSONL_BYTES), who)
    },
  }),
  'GET /v1/certificates/{id}': endpoint({
    params: idSchema,
    answer: certificateViewSchema,
    run: async ({ params, who, services }) =>
      orNotFound(await services.certificates.find(params.id, { hidesBlind: isKeptBlind(who) })),
  }),
  'POST /v1/certificates/{id}/activate': endpoint({
    params: idSchema,
    body: activateSchema,
    answer: certificateViewSchema,
    run: async ({ params, body, who, services }) =>
      orNotFound(await services.certificates.activate(params.id, { who, ...body })),
  }),
}
