import type { RouteConfig } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { z } from 'zod'
import { problemSchema } from '../contract/problem.ts'
import type { ROUTES, Route } from '../contract/routes.ts'
import type { AccessControl } from './access/access-control.ts'
import type { Identity } from './access/identity.ts'
import type { AppEnvironment, AppParts } from './app-parts.ts'
import type { Services } from './services.ts'

type NameOf<Known> = Known extends {
  readonly method: infer Method extends string
  readonly path: infer Path extends string
}
  ? `${Method} ${Path}`
  : never

/** `GET /v1/debates` and so on. The table of endpoints must contain each of them. */
export type RouteName = NameOf<(typeof ROUTES)[number]>

type Fields = z.ZodObject<z.ZodRawShape>
type Read<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** What every endpoint can use. */
export interface EndpointTools {
  readonly services: Services
  readonly access: AccessControl
  readonly parts: AppParts
  /** Sends a request of this server to itself. */
  readonly app: (request: globalThis.Request, environment: AppEnvironment['Bindings']) => Promise<Response>
}

export interface Request<Params, Query, Body> extends EndpointTools {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly who: Identity
  readonly context: Context<AppEnvironment>
}

/** The schemas of a route and its handler. */
export interface Definition<Params, Query, Body, Answer> {
  readonly params?: Params
  readonly query?: Query
  /** The schema of a JSON body. */
  readonly body?: Body
  /** The most bytes that the JSON may have; 100 kB unless given. */
  readonly mostBytes?: number
  /** The schema of the response; null: `run` returns a `Response`. */
  readonly answer: Answer
  /** The response may be long: requests of one token are answered one at a time, and the JSON is written in pieces. */
  readonly isLong?: true
  /** 200 unless given. */
  readonly status?: 200 | 202
  /** The content type of a body that the route reads itself, up to `most` bytes. */
  readonly streamed?: { readonly type: string; readonly most: number }
  /** The content type of a response that is not JSON. */
  readonly type?: string
  run(
    request: Request<Read<Params>, Read<Query>, Read<Body>>,
  ): Promise<Response | (Answer extends z.ZodType ? Frozen<z.input<Answer>> : never)>
}

/** An endpoint as the app sees it. Its own definition checks the types of its requests. */
export interface Endpoint extends Omit<Definition<Fields, Fields, z.ZodType, z.ZodType | null>, 'run'> {
  run(request: Request<unknown, unknown, unknown>): Promise<unknown>
}

export function endpoint<
  Answer extends z.ZodType | null,
  Params extends Fields | undefined = undefined,
  Query extends Fields | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(definition: Definition<Params, Query, Body, Answer>): Endpoint {
  // The app validates params, query and body with exactly these schemas before it calls `run`.
  return definition as unknown as Endpoint
}

/** Services return read-only values. */
type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value

/** The OpenAPI description of a route, from which its validators are made too. */
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

function bodyOf({ body, streamed }: Endpoint) {
  if (body !== undefined) return { body: { required: true, content: { 'application/json': { schema: body } } } }
  if (streamed !== undefined) return { body: { required: true, content: { [streamed.type]: { schema: z.string() } } } }
  return {}
}

function contentOf({ answer, type }: Endpoint) {
  if (answer !== null) return { content: { 'application/json': { schema: answer } } }
  return type === undefined ? {} : { content: { [type]: { schema: z.string() } } }
}
