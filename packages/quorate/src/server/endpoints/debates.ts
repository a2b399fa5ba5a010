import { z } from 'zod'
import { debateQuerySchema, debateRowSchema, debateViewSchema } from '../../contract/debates.ts'
import {
  auditSchema,
  evaluateQuerySchema,
  evaluationSchema,
  operatingPointSchema,
} from '../../contract/operating-point.ts'
import { pageOf } from '../../contract/page.ts'
import { revealSchema } from '../../contract/reveal.ts'
import { isKeptBlind } from '../access/kept-blind.ts'
import { endpoint } from '../endpoint.ts'
import { orNotFound } from '../problem-response.ts'

const placeSchema = z.object({ runId: z.string().min(1).max(200), questionId: z.string().min(1).max(1000) })

export const debateEndpoints = {
  'GET /v1/debates': endpoint({
    query: debateQuerySchema,
    answer: pageOf(debateRowSchema),
    run: ({ query, who, services }) => services.debates.list(query, who),
  }),
  'GET /v1/debates/{runId}/{questionId}': endpoint({
    params: placeSchema,
    query: revealSchema,
    answer: debateViewSchema,
    run: async ({ params: { runId, questionId }, query, who, services }) =>
      orNotFound(await services.debates.find(runId, questionId, { who, isRevealed: query.reveal === 'true' })),
  }),
  'GET /v1/operating-point': endpoint({
    answer: operatingPointSchema,
    isLong: true,
    run: ({ who, services }) => services.operatingPoint({ hidesBlind: isKeptBlind(who) }),
  }),
  'GET /v1/evaluate': endpoint({
    query: evaluateQuerySchema,
    answer: evaluationSchema,
    run: ({ query, who, services, context }) =>
      services.evaluate({ ...query, hidesBlind: isKeptBlind(who) }, context.req.raw.signal),
  }),
  'GET /v1/audit': endpoint({
    answer: auditSchema,
    run: ({ who, services, context }) => services.audit({ hidesBlind: isKeptBlind(who) }, context.req.raw.signal),
  }),
}
