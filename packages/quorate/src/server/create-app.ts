import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { ROUTES, type Route } from '../contract/routes.ts'
import { noDotSegments } from './access/dot-segments.ts'
import { type Gate, guard, ownHostOnly } from './access/gate.ts'
import type { Identity } from './access/identity.ts'
import { SECURITY_HEADERS } from './access/security-headers.ts'
import type { AppEnvironment, AppParts } from './app-parts.ts'
import { addDescription } from './description.ts'
import { type Endpoint, endpointRoute, type RouteName, type Surroundings } from './endpoint.ts'
import { certificateEndpoints } from './endpoints/certificates.ts'
import { debateEndpoints } from './endpoints/debates.ts'
import { decisionEndpoints } from './endpoints/decisions.ts'
import { mcpEndpoints } from './endpoints/mcp.ts'
import { openaiEndpoints } from './endpoints/openai.ts'
import { policyEndpoints } from './endpoints/policy.ts'
import { reviewEndpoints } from './endpoints/reviews.ts'
import { sessionEndpoints } from './endpoints/session.ts'
import { settingsEndpoints } from './endpoints/settings.ts'
import { upkeepEndpoints } from './endpoints/upkeep.ts'
import { createLongAnswers, type LongAnswers } from './long-answers.ts'
import { fieldErrors, partsOf, problemResponse } from './problem-response.ts'
import { checkLength, readJson } from './read-body.ts'
import type { Services } from './services.ts'
import { answerUnknown } from './unknown-path.ts'

/** Each route of the contract but the description itself, which is made from all of them. */
const ENDPOINTS: Readonly<Record<Exclude<RouteName, 'GET /openapi.json'>, Endpoint>> = {
  ...upkeepEndpoints,
  ...sessionEndpoints,
  ...decisionEndpoints,
  ...openaiEndpoints,
  ...mcpEndpoints,
  ...certificateEndpoints,
  ...debateEndpoints,
  ...reviewEndpoints,
  ...policyEndpoints,
  ...settingsEndpoints,
}

export type App = OpenAPIHono<AppEnvironment>

/** Everything that is served: routes of the contract, their description, and the files of the app. */
export function createApp(services: Services, gate: Gate, parts: AppParts): App {
  const app: App = new OpenAPIHono<AppEnvironment>({
    defaultHook: (result, context) => {
      if (result.success) return undefined
      const detail = `the ${result.target === 'json' ? 'body' : result.target} cannot be read`
      return problemResponse(context, { status: 400, detail, errors: fieldErrors(result.error) })
    },
  })
  app.use(recorded(gate, parts))
  app.use(ownHostOnly(gate))
  app.use(noDotSegments())
  const long = createLongAnswers()
  const inside: Surroundings['app'] = async (request, environment) => app.fetch(request, environment)
  for (const route of ROUTES) {
    if (route.path === '/openapi.json') continue
    serve(app, route, ENDPOINTS[nameOf(route)], { services, gate, parts, long, app: inside })
  }
  addDescription(app, gate, parts.version)
  app.onError((error, context) => errorResponse(error, context, parts.report))
  app.notFound((context) => answerUnknown(context, parts.web))
  return app
}

type Described = Exclude<(typeof ROUTES)[number], { readonly path: '/openapi.json' }>

function nameOf({ method, path }: Described): Exclude<RouteName, 'GET /openapi.json'> {
  // The two parts of one row of the table.
  return `${method} ${path}` as Exclude<RouteName, 'GET /openapi.json'>
}

function serve(app: App, route: Route, endpoint: Endpoint, given: Surroundings & { long: LongAnswers }): void {
  const { long, ...surroundings } = given
  const { gate } = surroundings
  const reads = endpoint.body === undefined ? lengthOnly(endpoint) : readJson(endpoint.mostBytes)
  const config = createRoute({
    ...endpointRoute(route, endpoint),
    middleware: [named(route), guard(gate, route), reads],
  })
  app.openapi(config, async (context) => {
    // The validators of the config put them there, where the endpoint has the schema.
    const valid = context.req.valid as (target: string) => unknown
    const who = context.get('identity') ?? NOBODY
    const run = () =>
      endpoint.run({
        ...surroundings,
        context,
        params: valid.call(context.req, 'param'),
        query: valid.call(context.req, 'query'),
        body: valid.call(context.req, 'json'),
        who,
      })
    if (endpoint.isLong === true) {
      const line = { key: `${who.name} ${route.path}`, signal: context.req.raw.signal }
      const text = await long.take(line, run)
      return context.body(text, endpoint.status ?? 200, { 'content-type': 'application/json' })
    }
    const answer = await run()
    if (answer instanceof Response) return answer
    return context.json(answer, endpoint.status ?? 200)
  })
}

/** Of routes that anybody may use. */
const NOBODY: Identity = Object.freeze({ name: 'nobody', role: 'viewer', kind: 'machine', isLocal: false })

function named({ path }: Route): MiddlewareHandler<AppEnvironment> {
  return (context, next) => {
    context.set('route', path)
    return next()
  }
}

const SMALL_BODY_BYTES = 10_000

function lengthOnly({ streamed }: Endpoint): MiddlewareHandler {
  return (context, next) => {
    checkLength(context.req.header('content-length'), streamed?.most ?? SMALL_BODY_BYTES)
    return next()
  }
}

/** The security headers, and a line of the log for each request. */
function recorded(gate: Gate, { log, figures, newId, stopwatch }: AppParts): MiddlewareHandler<AppEnvironment> {
  return async (context, next) => {
    const began = stopwatch()
    const id = newId()
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.header(name, value)
    context.header('x-request-id', id)
    // Files of the app say otherwise.
    context.header('cache-control', 'no-store')
    await next()
    const { method } = context.req
    const line = {
      route: context.get('route') ?? null,
      status: context.res.status,
      ms: thousandths(stopwatch() - began),
    }
    figures.count({ method, ...line })
    log({ time: gate.now(), id, method, ...line, who: context.get('identity')?.name ?? null })
  }
}

function thousandths(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}

/** problem+json for whatever was thrown. Of a fault of ours only the log hears more than that it was one. */
function errorResponse(error: unknown, context: Context, report: (words: string, cause: unknown) => void): Response {
  const parts = partsOf(error)
  if (parts.status >= 500) report(`${context.req.method} answered ${parts.status}`, error)
  return problemResponse(context, parts)
}
