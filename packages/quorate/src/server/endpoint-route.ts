import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import { problemSchema } from '../contract/problem.ts'
import type { Route } from '../contract/routes.ts'
import type { Endpoint } from './endpoint.ts'

/** A route as the OpenAPI document has it, which its validators are made from too. */
export function endpointRoute(route: Route, endpoint: Endpoint): RouteConfig {
  const { method, path, role, humanOnly, summary } = route
  const { params, query, status = 200 } = endpoint
  const request = { ...(params && { params }), ...(query && { query }), ...bodyOf(endpoint) }
  const who = role === null ? 'anybody' : `${role}${humanOnly === true ? ', a person only' : ''}`
  return {
    method: METHODS[method],
    path,
    summary,
    description: `For: ${who}.`,
    tags: [path.split('/')[2] ?? 'upkeep'],
    security: role === null ? [] : [{ token: [] }, { session: [] }],
    ...(Object.keys(request).length === 0 ? {} : { request }),
    responses: {
      [status]: { description: 'done', ...contentOf(endpoint) },
      default: {
        description: 'refused',
        content: { 'application/problem+json': { schema: problemSchema } },
      },
    },
  }
}

const METHODS = { GET: 'get', POST: 'post', DELETE: 'delete' } as const

function bodyOf({ body, streamed }: Endpoint): Pick<NonNullable<RouteConfig['request']>, 'body'> {
  if (body !== undefined) return { body: { required: true, content: { 'application/json': { schema: body } } } }
  if (streamed !== undefined) return { body: { required: true, content: { [streamed.type]: { schema: z.string() } } } }
  return {}
}

function contentOf({ answer, type }: Endpoint) {
  if (answer !== null) return { content: { 'application/json': { schema: answer } } }
  return type === undefined ? {} : { content: { [type]: { schema: z.string() } } }
}
