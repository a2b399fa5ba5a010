import type { OpenAPIHono } from '@hono/zod-openapi'
import { ROUTES } from '../contract/routes.ts'
import { SESSION_KEY_HEADER } from '../contract/session.ts'
import { PLAIN_NAME } from '../record/names.ts'
import { type AccessControl, guard } from './access/access-control.ts'
import { isSecureSite } from './access/own-address.ts'
import { sessionCookieName } from './access/session-cookie.ts'
import type { AppEnvironment } from './app-parts.ts'
import { docsPage, docsStyle } from './docs-page.ts'

/** Adds /openapi.json, and /docs to read it in a browser. */
export function addDescription(app: OpenAPIHono<AppEnvironment>, access: AccessControl, version: string): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'token', {
    type: 'http',
    scheme: 'bearer',
    description: 'quorate token create --name NAME --role ROLE --kind human|machine',
  })
  app.openAPIRegistry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName(isSecureSite(access.site())),
    description: `of POST /v1/session; only together with its sessionKey in the header ${SESSION_KEY_HEADER}`,
  })
  // Generated once: it never changes during the life of the process.
  let document: ReturnType<typeof app.getOpenAPI31Document> | undefined
  const describe = () => {
    document ??= withPortablePatterns(
      app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'quorate', version, description: DESCRIPTION } }),
    )
    return document
  }
  for (const route of ROUTES.filter(({ path }) => path === '/openapi.json')) {
    app.get(route.path, guard(access, route), (context) => {
      context.set('route', route.path)
      return context.json(describe())
    })
  }
  const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }
  app.get('/docs', (context) => context.body(docsPage(describe()), 200, html))
  app.get('/docs.css', (context) => context.body(docsStyle(), 200, { 'content-type': 'text/css; charset=utf-8' }))
}

const DESCRIPTION =
  'You declare how often your AI panel may act wrongly. It acts only when a bound computed from your own labelled debates allows it, and defers the rest to a person. Errors are problem+json (RFC 9457). Lists have cursors: repeat the request with ?cursor=NEXT until next is null. Times are milliseconds since 1970.'

/**
 * The document with patterns that every validator understands. The flags of a literal are not part of a pattern, and classes
 * such as \p{Cc} need a flag that JSON Schema cannot express. Only the server refuses lone surrogates.
 */
function withPortablePatterns<Document>(document: Document): Document {
  const read: unknown = JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    key === 'pattern' && typeof value === 'string' ? portable(value) : value,
  )
  return read as Document // only the texts of patterns differ
}

const PORTABLE: ReadonlyMap<string, string> = new Map([[PLAIN_NAME.source, '^[^\\x00-\\x1f\\x7f-\\x9f]*$']])

/** zod-to-openapi leaves the end of a literal such as /^a$/u in place. A slash inside the pattern is escaped. */
function portable(pattern: string): string {
  const source = pattern.replace(/(?<!\\)\/[a-z]*$/, '')
  return PORTABLE.get(source) ?? source
}
