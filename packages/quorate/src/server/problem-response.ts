import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import type { Problem } from '../contract/problem.ts'

const TITLES: Readonly<Record<number, string>> = {
  400: 'the request cannot be read',
  401: 'who are you?',
  403: 'not allowed',
  404: 'not found',
  405: 'no such method',
  409: 'in conflict with what is there',
  413: 'too large',
  415: 'not JSON',
  422: 'not acceptable',
  429: 'too many requests',
  500: 'a fault of the server',
  503: 'not ready',
}

export interface ProblemParts extends Pick<Problem, 'detail' | 'next' | 'errors' | 'retryAfterSeconds'> {
  readonly status: ContentfulStatusCode
  readonly headers?: Readonly<Record<string, string>>
}

/** Thrown by a route that cannot answer; the app turns it into problem+json. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly parts: ProblemParts

  constructor(parts: ProblemParts) {
    super(parts.detail)
    this.parts = parts
  }
}

export function problemResponse(context: Context, { status, headers = {}, ...rest }: ProblemParts): Response {
  const body: Problem = { type: 'about:blank', title: TITLES[status] ?? 'an error', status, ...rest }
  const { retryAfterSeconds: wait } = rest
  return context.body(JSON.stringify(body), status, {
    ...headers,
    ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
    'content-type': 'application/problem+json',
  })
}

/** What was looked for, or 404. */
export function orNotFound<Found>(found: Found | null): Found {
  if (found !== null) return found
  throw new ProblemError({ status: 404, detail: 'Not found: no item has this id.' })
}

/** What zod refused, field by field; what came is named by its kind, never quoted at length. */
export function fieldErrors(error: z.ZodError): NonNullable<Problem['errors']> {
  return error.issues.slice(0, 20).map((issue) => ({
    field: issue.path.map(String).join('.') || '(the whole)',
    expected: issue.message,
  }))
}
