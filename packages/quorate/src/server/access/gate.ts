import type { Context, MiddlewareHandler } from 'hono'
import type { Route } from '../../contract/routes.ts'
import type { AppEnvironment } from '../app-parts.ts'
import { problemResponse } from '../problem-response.ts'
import { type Credentials, identify } from './identify.ts'
import { permission } from './identity.ts'
import { isLoopback, isOwnHost, isOwnOrigin, type Listening } from './own-address.ts'
import type { RateLimit } from './rate-limit.ts'

export interface Gate {
  readonly listening: () => Listening
  readonly credentials: Credentials
  /** Off loopback nobody comes in without a token; on loopback only where that was asked for. */
  readonly requiresToken: boolean
  readonly requests: RateLimit
  /** Of wrong tokens, by address: guessing is slow. */
  readonly guesses: RateLimit
  readonly now: () => number
  readonly addressOf: (context: Context) => string
}

/** What every request passes before anything of it is read, page and API alike. */
export function ownHostOnly({ listening }: Gate): MiddlewareHandler {
  return async (context, next) => {
    const isLocal = isLoopback(listening().host)
    if (isLocal && !isOwnHost(context.req.header('host'), listening())) {
      return problemResponse(context, {
        status: 403,
        detail: 'the Host header must be localhost, 127.0.0.1 or [::1] with the port of this server',
        next: 'open the address that quorate serve printed',
      })
    }
    return next()
  }
}

/** Who it is and whether they may; then the route may read the body. */
export function guard(gate: Gate, route: Route): MiddlewareHandler<AppEnvironment> {
  return async (context, next) => {
    const refused = refuseForeign(context) ?? refuseFlood(context, gate)
    if (refused !== null) return refused
    if (route.role === null) return next()
    // Who guessed too often is not even told whether this one was right.
    const resting = tooMany(context, gate.guesses.waiting(gate.addressOf(context), gate.now()))
    if (resting !== null) return resting
    const found = await identify(
      {
        authorization: context.req.header('authorization'),
        cookie: context.req.header('cookie'),
        now: gate.now(),
      },
      { credentials: gate.credentials, allowsLocal: !gate.requiresToken },
    )
    if (found.kind !== 'known') return refuseStranger(context, gate, found.kind)
    const allowed = permission(found.identity, { ...route, role: route.role })
    if (allowed.kind === 'refused') {
      return problemResponse(context, { status: 403, detail: `${route.method} ${route.path} ${allowed.why}` })
    }
    context.set('identity', found.identity)
    return next()
  }
}

/** Of a request without a token, or with a wrong one, which counts as a guess. */
export function refuseStranger(context: Context, gate: Gate, kind: 'missing' | 'wrong'): Response {
  if (kind === 'wrong') gate.guesses.take(gate.addressOf(context), gate.now())
  return problemResponse(context, {
    status: 401,
    detail: kind === 'wrong' ? 'the token is unknown, expired or revoked' : 'a token is needed',
    next: 'quorate token create --name NAME --role viewer|reviewer|admin --kind human|machine',
    headers: { 'www-authenticate': 'Bearer' },
  })
}

/** `seconds` to wait; null: it may pass. */
export function tooMany(context: Context, seconds: number | null): Response | null {
  if (seconds === null) return null
  return problemResponse(context, {
    status: 429,
    detail: `more requests than are allowed: try again in ${seconds} s`,
    retryAfterSeconds: seconds,
  })
}

const JSON_TYPES = /^application\/(json|x-ndjson|jsonl)\s*(;|$)/i

/** A page of another site can send a form, but neither our Origin nor JSON. */
function refuseForeign(context: Context): Response | null {
  if (context.req.method === 'GET' || context.req.method === 'HEAD') {
    const isForeign = /^(cross|same)-site$/.test(context.req.header('sec-fetch-site') ?? '')
    if (!isForeign) return null
    return problemResponse(context, { status: 403, detail: 'pages of other sites may not ask this server' })
  }
  if (!isOwnOrigin(context.req.header('origin'), context.req.header('host'))) {
    return problemResponse(context, { status: 403, detail: 'the Origin must be this server, or there must be none' })
  }
  if (!JSON_TYPES.test(context.req.header('content-type') ?? '')) {
    return problemResponse(context, { status: 415, detail: 'the Content-Type must be application/json' })
  }
  return null
}

function refuseFlood(context: Context, { requests, addressOf, now }: Gate): Response | null {
  return tooMany(context, requests.take(addressOf(context), now()))
}
