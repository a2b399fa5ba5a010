import { z } from 'zod'
import {
  madeTokenSchema,
  newTokenSchema,
  settingsSchema,
  tokenListSchema,
  tokenRowSchema,
} from '../../contract/settings.ts'
import { endpoint } from '../endpoint.ts'
import { orNotFound } from '../problem-response.ts'

export const settingsEndpoints = {
  'GET /v1/settings': endpoint({
    answer: settingsSchema,
    run: async ({ services }) => services.settings(),
  }),
  'GET /v1/tokens': endpoint({
    answer: tokenListSchema,
    run: ({ services }) => services.tokens.list(),
  }),
  'POST /v1/tokens': endpoint({
    body: newTokenSchema,
    answer: madeTokenSchema,
    run: ({ body, who, services }) => services.tokens.create(body, who),
  }),
  'POST /v1/tokens/{id}/revoke': endpoint({
    params: z.object({ id: z.string().min(1).max(100) }),
    answer: tokenRowSchema,
    run: async ({ params, who, services }) => orNotFound(await services.tokens.revoke(params.id, who)),
  }),
}
