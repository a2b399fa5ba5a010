import { createRoute, OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { ROUTES, type Route } from '../contract/routes.ts'
import { type AccessControl, guard, noDotSegments, ownHostOnly } from './access/access-control.ts'
import type { Identity } from './access/identity.ts'
import { SECURITY_HEADERS } from './access/security-headers.ts'
import type { AppEnvironment, AppParts } from './app-parts.ts'
import { addDescription } from './description.ts'
import { type Endpoint, type EndpointTools, endpointRoute, type RouteName } from './endpoint.ts'
import { certificateEndpoints } from './endpoints/certificates.ts'
import { debateEndpoints } from './endpoints/debates.ts'
import { decisionEndpoints } from './endpoints/decisions.ts'
import { labelEndpoints } from './endpoints/labels.ts'
import { ledgerEndpoints } from './endpoints/ledger.ts'
import { mcpEndpoints } from './endpoints/mcp.ts'
import { openaiEndpoints } from './endpoints/openai.ts'
import { policyEndpoints } from './endpoints/policy.ts'
import { reviewEndpoints } from './endpoints/reviews.ts'
import { runEndpoints } from './endpoints/runs.ts'
import { sessionEndpoints } from './endpoints/session.ts'
import { settingsEndpoints } from './endpoints/settings.ts'
import { studyEndpoints } from './endpoints/studies.ts'
import { upkeepEndpoints } from './endpoints/upkeep.ts'
import { createLongAnswers, type LongAnswers } from './long-answers.ts'
import { fieldErrors, partsOf, problemResponse } from './problem-response.ts'
import { checkLength, readJson } from './read-body.ts'
import type { Services } from './services.ts'
import type { WebFile, WebFiles } from './web-files.ts'

const PATTERNS = ROUTES.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** Every route of the contract except the OpenAPI document, which is generated from the others. */
const ENDPOINTS: Readonly<Record<Exclude<RouteName, 'GET /openapi.json'>, Endpoint>> = {
  ...upkeepEndpoints,
  ...sessionEndpoints,
  ...decisionEndpoints,
  ...openaiEndpoints,
  ...mcpEndpoints,
  ...certificateEndpoints,
  ...debateEndpoints,
  ...studyEndpoints,
  ...reviewEndpoints,
  ...labelEndpoints,
  ...policyEndpoints,
  ...runEndpoints,
  ...ledgerEndpoints,
  ...settingsEndpoints,
}

export type App = OpenAPIHono<AppEnvironment>

/** Serves the routes of the contract, their OpenAPI document, and the files of the web app. */
export function createApp(services: Services, access: AccessControl, parts: AppParts): App {
  const app: App = new OpenAPIHono<AppEnvironment>({
    defaultHook: (result, context) => {
      if (result.success) return undefined
      const detail = `The ${result.target === 'json' ? 'body' : result.target} cannot be read.`
      return problemResponse(context, { status: 400, detail, errors: fieldErrors(result.error) })
    },
  })
  app.router = fixedPathsOnce(app.router)
  app.use(recorded(access, parts))
  app.use(ownHostOnly(access))
  app.use(noDotSegments())
  const long = createLongAnswers()
  const inside: EndpointTools['app'] = async (request, environment) => app.fetch(request, environment)
  for (const route of ROUTES) {
    if (route.path === '/openapi.json') continue
    serve(app, route, ENDPOINTS[nameOf(route)], { services, access, parts, long, app: inside })
  }
  addDescription(app, access, parts.version)
  app.onError((error, context) => errorResponse(error, context, parts.report))
  app.notFound((context) => answerUnknown(context, parts.web))
  return app
}

const FIXED_PATHS: ReadonlySet<string> = new Set(ROUTES.map(({ path }) => path).filter((path) => !path.includes('{')))

/** Caches the lookup of paths without an id. There are few of them, and few methods, so the cache stays small. */
function fixedPathsOnce(router: App['router']): App['router'] {
  const known = new Map<string, ReturnType<typeof router.match>>()
  return {
    name: 'fixed paths first',
    add: (method, path, handler) => router.add(method, path, handler),
    match(method, path) {
      if (!FIXED_PATHS.has(path)) return router.match(method, path)
      const name = `${method} ${path}`
      const found = known.get(name) ?? router.match(method, path)
      known.set(name, found)
      return found
    },
  }
}

/** Every route with the schemas of its request and response, as in the OpenAPI document. */
export function describedRoutes(): readonly RouteConfig[] {
  return ROUTES.flatMap((route) =>
    route.path === '/openapi.json' ? [] : [endpointRoute(route, ENDPOINTS[nameOf(route)])],
  )
}

function nameOf({
  method,
  path,
}: Exclude<(typeof ROUTES)[number], { readonly path: '/openapi.json' }>): Exclude<RouteName, 'GET /openapi.json'> {
  // Both parts come from the same row of ROUTES.
  return `${method} ${path}` as Exclude<RouteName, 'GET /openapi.json'>
}

function serve(app: App, route: Route, endpoint: Endpoint, given: EndpointTools & { long: LongAnswers }): void {
  const { long, ...tools } = given
  const { access } = tools
  const reads = endpoint.body === undefined ? lengthOnly(endpoint) : readJson(endpoint.mostBytes)
  const config = createRoute({
    ...endpointRoute(route, endpoint),
    middleware: [named(route), guard(access, route), reads],
  })
  app.openapi(config, async (context) => {
    // The validators of the config store their results there, if the endpoint has the schema.
    const valid = context.req.valid as (target: string) => unknown
    const who = context.get('identity') ?? NOBODY
    const run = () =>
      endpoint.run({
        ...tools,
        context,
        params: valid.call(context.req, 'param'),
        query: valid.call(context.req, 'query'),
        body: valid.call(context.req, 'json'),
        who,
      })
    if (endpoint.isLong === true) {
      const text = await long.take(`${who.name} ${route.path}`, context.req.raw.signal, run)
      return context.body(text, endpoint.status ?? 200, { 'content-type': 'application/json' })
    }
    const answer = await run()
    if (answer instanceof Response) return answer
    return context.json(answer, endpoint.status ?? 200)
  })
}

/** The caller of a route that anybody may use. */
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

/** Sets the security headers, and logs each request. */
function recorded(
  access: AccessControl,
  { log, figures, newId, stopwatch }: AppParts,
): MiddlewareHandler<AppEnvironment> {
  return async (context, next) => {
    const began = stopwatch()
    const id = newId()
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.header(name, value)
    context.header('x-request-id', id)
    // Files of the app override it.
    context.header('cache-control', 'no-store')
    await next()
    const { method } = context.req
    const line = {
      route: context.get('route') ?? null,
      status: context.res.status,
      ms: thousandths(stopwatch() - began),
    }
    figures.count({ method, ...line })
    log({ time: access.now(), id, method, ...line, who: context.get('identity')?.name ?? null })
  }
}

function thousandths(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}

/** problem+json for any error. The details of an internal error appear only in the log. */
function errorResponse(error: unknown, context: Context, report: (words: string, cause: unknown) => void): Response {
  const parts = partsOf(error)
  if (parts.status >= 500) report(`${context.req.method} answered ${parts.status}`, error)
  return problemResponse(context, parts)
}

/** Pages of the app, whose addresses begin with `/#/`. People also type them without the `#`. */
const TYPED_PAGE = /^\/(runs|debates|review|certificates|settings)(\/[\w-]+)*$/

/** Responds with a file of the app, else with the methods that the path allows, else with 404. */
function answerUnknown(context: Context, web: WebFiles | null): Response {
  const { method, path } = context.req
  const isReading = method === 'GET' || method === 'HEAD'
  const file = web?.get(path)
  if (file !== undefined && isReading) return fileResponse(context, file)
  const isBrowser = context.req.header('accept')?.includes('text/html') === true
  if (web !== null && isReading && isBrowser && TYPED_PAGE.test(path)) return context.redirect(`/#${path}`)
  const allowed = allowedMethods(path, file !== undefined)
  if (allowed.length > 0) return answerOther(context, allowed)
  if (path === '/' && isReading) return notBuilt(context)
  return problemResponse(context, { status: 404, detail: 'No route has this address.', next: 'See /docs.' })
}

function allowedMethods(path: string, isFile: boolean): readonly string[] {
  const methods: string[] = PATTERNS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  if (isFile || methods.includes('GET')) methods.push('GET', 'HEAD')
  return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])]
}

/** OPTIONS lists the methods. Without CORS headers it permits nothing to other sites. */
function answerOther(context: Context, allowed: readonly string[]): Response {
  const allow = allowed.join(', ')
  if (context.req.method === 'OPTIONS') return context.body(null, 204, { allow })
  return problemResponse(context, { status: 405, detail: `This address accepts only ${allow}.`, headers: { allow } })
}

function fileResponse(context: Context, { bytes, gzipped, type, etag, isForever }: WebFile): Response {
  const headers = {
    etag,
    vary: 'accept-encoding',
    'content-type': type,
    'cache-control': isForever ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  const known = context.req.header('if-none-match')?.split(',') ?? []
  if (known.some((tag) => tag.trim().replace(/^W\//, '') === etag)) return context.body(null, 304, headers)
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(context.req.header('accept-encoding') ?? '')
  if (gzipped === null || !takesGzip) return context.body(bytes, 200, headers)
  return context.body(gzipped, 200, { ...headers, 'content-encoding': 'gzip' })
}

function notBuilt(context: Context): Response {
  return problemResponse(context, {
    status: 404,
    detail: 'The web app is not built. This server offers only the API.',
    next: 'Run npm run build, or see /docs.',
  })
}
