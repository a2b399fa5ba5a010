import type { Context } from 'hono'
import { ROUTES } from '../contract/routes.ts'
import { problemResponse } from './problem-response.ts'
import type { WebFile, WebFiles } from './web-files.ts'

const PATTERNS = ROUTES.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** A file of the app, else what else could be done with the path, else 404. */
export function answerUnknown(context: Context, web: WebFiles | null): Response {
  const { method, path } = context.req
  const isReading = method === 'GET' || method === 'HEAD'
  const file = web?.get(path)
  if (file !== undefined && isReading) return fileResponse(context, file)
  const allowed = allowedMethods(path, file !== undefined)
  if (allowed.length > 0) return answerOther(context, allowed)
  if (path === '/' && isReading) return notBuilt(context)
  return problemResponse(context, { status: 404, detail: 'there is nothing at this address', next: 'see /docs' })
}

function allowedMethods(path: string, isFile: boolean): readonly string[] {
  const methods: string[] = PATTERNS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  if (isFile || methods.includes('GET')) methods.push('GET', 'HEAD')
  return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])]
}

/** OPTIONS says what may be asked, and allows no other site anything. */
function answerOther(context: Context, allowed: readonly string[]): Response {
  const allow = allowed.join(', ')
  if (context.req.method === 'OPTIONS') return context.body(null, 204, { allow })
  return problemResponse(context, { status: 405, detail: `this address takes ${allow}`, headers: { allow } })
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
    detail: 'the web app is not built; the API is here',
    next: 'npm run build, or see /docs',
  })
}
