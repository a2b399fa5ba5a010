import {
  auditSchema,
  evaluateQuerySchema,
  evaluationSchema,
  operatingPointSchema,
} from '../../contract/operating-point.ts'
import { isKeptBlind } from '../access/identity.ts'
import { endpoint } from '../endpoint.ts'

export const studyEndpoints = {
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
