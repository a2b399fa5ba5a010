import { CertificateError } from '@quorate/certificate'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import type { Problem } from '../contract/problem.ts'
import { FileError } from '../files/file-error.ts'
import { StoreError, type StoreErrorKind } from '../record/store-error.ts'
import { joinSentences } from '../text/error-sentence.ts'

const TITLES: Readonly<Record<number, string>> = {
  400: 'the request cannot be read',
  401: 'not signed in',
  403: 'not allowed',
  404: 'not found',
  405: 'no such method',
  409: 'in conflict with the current state',
  413: 'too large',
  415: 'not JSON',
  422: 'not acceptable',
  424: 'not decided',
  429: 'too many requests',
  500: 'server error',
  503: 'not ready',
}

export interface ProblemParts extends Pick<Problem, 'detail' | 'next' | 'errors' | 'retryAfterSeconds' | 'quorate'> {
  readonly status: ContentfulStatusCode
  readonly headers?: Readonly<Record<string, string>>
}

/** Thrown by a route that cannot answer. The app turns it into problem+json. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly parts: ProblemParts

  constructor(parts: ProblemParts) {
    super(parts.detail)
    this.parts = parts
  }
}

export function problemResponse(context: Context, parts: ProblemParts): Response {
  const { status, headers = {}, retryAfterSeconds: wait } = parts
  const isModel = MODEL_PATHS.has(context.req.path)
  return context.body(JSON.stringify(isModel ? modelProblem(parts) : problemOf(parts)), status, {
    ...headers,
    // OpenAI clients retry a request after a conflict unless this header forbids it.
    ...(isModel && wait === undefined && status !== 503 ? { 'x-should-retry': 'false' } : {}),
    ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
    'content-type': 'application/problem+json',
  })
}

function problemOf({ headers: _, status, ...rest }: ProblemParts): Problem {
  return { type: 'about:blank', title: TITLES[status] ?? 'an error', status, ...rest }
}

/** The OpenAI-compatible routes. */
const MODEL_PATHS: ReadonlySet<string> = new Set(['/v1/chat/completions', '/v1/responses', '/v1/models'])

/** The problem with the member `error`, which OpenAI clients read. */
export function modelProblem(parts: ProblemParts): Problem & { readonly error: NonNullable<Problem['error']> } {
  const { status, detail, next, errors, quorate } = parts
  const fields = (errors ?? []).filter(({ field }) => !detail.startsWith(field))
  const words = fields.map(({ field, expected }) => `${field} must be ${expected}`)
  const message = joinSentences([detail, ...words, next ?? ''])
  const type = quorate !== undefined ? 'quorate_deferral' : status >= 500 ? 'server_error' : 'invalid_request_error'
  const code = quorate === undefined ? null : quorate.kind === 'hidden' ? 'quorate_hidden' : 'quorate_deferred'
  return { ...problemOf(parts), error: { message, type, param: errors?.[0]?.field ?? null, code } }
}

export function serverStopping(): ProblemError {
  return new ProblemError({ status: 503, detail: 'The server is shutting down.', next: 'Retry in a moment.' })
}

/** The client is gone, so nobody receives this response. */
export function clientDisconnected(): ProblemError {
  return new ProblemError({ status: 503, detail: 'Cancelled: the client disconnected.' })
}

/** Throws a 404 for null. */
export function orNotFound<Found>(found: Found | null): Found {
  if (found !== null) return found
  throw new ProblemError({ status: 404, detail: 'Not found: no item has this id.' })
}

/** The fields that zod refused, at most 20. Received values are not quoted. */
export function fieldErrors(error: z.ZodError): NonNullable<Problem['errors']> {
  return error.issues.slice(0, 20).map((issue) => ({
    field: issue.path.map(String).join('.') || '(the whole)',
    expected: issue.message.replace(/^[^:]+: expected /, '').replace(/, received [^,]*$/, ''),
  }))
}

const STORE_STATUS: Readonly<Partial<Record<StoreErrorKind, ContentfulStatusCode>>> = {
  exists: 409,
  missing: 404,
  invalid: 422,
  busy: 503,
  'disk-full': 503,
  'read-only': 503,
  unreachable: 503,
  closed: 503,
}

/** The part of an error that the caller may see. An internal error reveals no details. */
export function partsOf(error: unknown): ProblemParts {
  const thrown = problemBehind(error)
  if (thrown !== null) return thrown
  if (error instanceof HTTPException) return httpParts(error)
  // Both name the input, the expected value and the received one.
  if (error instanceof CertificateError || error instanceof FileError) return { status: 422, detail: error.message }
  const status = error instanceof StoreError ? STORE_STATUS[error.kind] : undefined
  if (status === undefined) return { status: 500, detail: 'The server failed. Its log has the reason.' }
  if (status === 503) return { status, detail: 'The store cannot be used at the moment.', next: 'Retry later.' }
  return { status, detail: error instanceof Error ? error.message : '' }
}

/** A reader may wrap the ProblemError of an aborted stream in errors of its own. */
function problemBehind(error: unknown): ProblemParts | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof ProblemError) return at.parts
  }
  return null
}

/** Errors of the framework itself. */
function httpParts({ status }: HTTPException): ProblemParts {
  if (status === 415) return { status, detail: 'The Content-Type must be application/json.' }
  if (status === 400) return { status, detail: 'The body must be JSON.' }
  const shown = status >= 500 ? 500 : (status as ContentfulStatusCode) // the framework only refuses with these
  return { status: shown, detail: 'The request cannot be answered.' }
}
