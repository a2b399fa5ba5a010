import { pageOf, pageQuerySchema } from '../../contract/page.ts'
import { runRowSchema } from '../../contract/runs.ts'
import { isKeptBlind } from '../access/identity.ts'
import { endpoint } from '../endpoint.ts'

export const runEndpoints = {
  'GET /v1/runs': endpoint({
    query: pageQuerySchema,
    answer: pageOf(runRowSchema),
    run: ({ query, who, services }) => services.runs.list(query, { hidesBlind: isKeptBlind(who) }),
  }),
}
