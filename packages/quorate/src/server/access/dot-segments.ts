import type { MiddlewareHandler } from 'hono'
import type { AppEnvironment } from '../app-parts.ts'
import { problemResponse } from '../problem-response.ts'

/** `.` and `..` between two slashes, also escaped. */
const DOTS = /\/(?:\.|%2e){1,2}(?:\/|$)/i

/** URL parsers take such segments out: the request would be answered as one about something else. */
export function noDotSegments(): MiddlewareHandler<AppEnvironment> {
  return async (context, next) => {
    const [path = ''] = (context.env?.incoming?.url ?? '').split(/[?#]/, 1)
    if (!DOTS.test(path)) return next()
    return problemResponse(context, {
      status: 400,
      detail: 'the path has the segment . or .., which no id can be',
      next: 'list what there is, and ask for one of its ids',
    })
  }
}
