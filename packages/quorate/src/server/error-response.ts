import { CertificateError } from '@quorate/certificate'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { FileError } from '../files/file-error.ts'
import { StoreError, type StoreErrorKind } from '../record/store-error.ts'
import { ProblemError, type ProblemParts, problemResponse } from './problem-response.ts'

/** problem+json for whatever was thrown. Of a fault of ours only the log hears more than that it was one. */
export function errorResponse(
  error: unknown,
  context: Context,
  report: (words: string, cause: unknown) => void,
): Response {
  const parts = partsOf(error)
  if (parts.status >= 500) report(`${context.req.method} answered ${parts.status}`, error)
  return problemResponse(context, parts)
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

function partsOf(error: unknown): ProblemParts {
  const thrown = problemBehind(error)
  if (thrown !== null) return thrown
  if (error instanceof HTTPException) return httpParts(error)
  // Both name what was given in, what was expected of it and what came.
  if (error instanceof CertificateError || error instanceof FileError) return { status: 422, detail: error.message }
  const status = error instanceof StoreError ? STORE_STATUS[error.kind] : undefined
  if (status === undefined) return { status: 500, detail: 'something went wrong here; the log says what' }
  if (status === 503) return { status, detail: 'the store cannot be used at the moment', next: 'try again later' }
  return { status, detail: error instanceof Error ? error.message : '' }
}

/** A stream that was cut may be wrapped by whoever read it. */
function problemBehind(error: unknown): ProblemParts | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof ProblemError) return at.parts
  }
  return null
}

/** What the framework itself refuses. */
function httpParts({ status }: HTTPException): ProblemParts {
  if (status === 415) return { status, detail: 'the Content-Type must be application/json' }
  if (status === 400) return { status, detail: 'the body must be JSON' }
  return { status: status >= 500 ? 500 : (status as ContentfulStatusCode), detail: 'the request cannot be answered' }
}
