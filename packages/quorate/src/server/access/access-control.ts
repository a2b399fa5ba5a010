import type { Context, MiddlewareHandler } from 'hono'
import type { Route } from '../../contract/routes.ts'
import { isLoopback } from '../../model/loopback.ts'
import type { AppEnvironment } from '../app-parts.ts'
import { problemResponse } from '../problem-response.ts'
import { type AuthFailure, type Credentials, identify } from './identify.ts'
import { permission } from './identity.ts'
import { isOwnHost, isOwnOrigin, isSecureSite, type Site } from './own-address.ts'
import type { KeyedRateLimit } from './rate-limit.ts'
import { sessionCookie } from './session-cookie.ts'

export interface AccessControl {
  readonly site: () => Site
  readonly credentials: Credentials
  /** Always true off loopback and behind a proxy; on loopback only if it is configured. */
  readonly requiresToken: boolean
  readonly requests: KeyedRateLimit
  /** Limits wrong tokens per address, so that guessing is slow. */
  readonly guesses: KeyedRateLimit
  readonly now: () => number
  readonly addressOf: (context: Context) => string
}

/** Checks the Host header of every request, for pages and the API alike, before anything else of it is read. */
export function ownHostOnly({ site }: AccessControl): MiddlewareHandler {
  return async (context, next) => {
    const { listening, publicOrigin } = site()
    if (isLoopback(listening.host) && !isOwnHost(context.req.header('host'), { listening, publicOrigin })) {
      const other = publicOrigin === null ? '' : `, or that of ${publicOrigin}`
      return problemResponse(context, {
        status: 403,
        detail: `The Host header must be localhost, 127.0.0.1 or [::1] with the port of this server${other}.`,
        next: 'Open the address that quorate serve printed. Behind a proxy, start it with --public-url and the address of the proxy.',
      })
    }
    return next()
  }
}

/** Authenticates and authorises the caller before the route reads the body. */
export function guard(access: AccessControl, route: Route): MiddlewareHandler<AppEnvironment> {
  return async (context, next) => {
    const refused = refuseForeign(context, access) ?? refuseFlood(context, access)
    if (refused !== null) return refused
    if (route.role === null) return next()
    const headerOf = (name: string) => context.req.header(name)
    const found = await identify(
      { headerOf, isForwarded: isForwarded(context), isSecure: isSecureSite(access.site()), now: access.now() },
      { credentials: access.credentials, allowsLocal: !access.requiresToken },
    )
    if (found.kind === 'unknown') return refuseUnauthenticated(context, access, found.why)
    const allowed = permission(found.identity, { ...route, role: route.role })
    if (allowed.kind === 'refused') {
      return problemResponse(context, { status: 403, detail: `${route.method} ${route.path} ${allowed.why}.` })
    }
    context.set('identity', found.identity)
    return next()
  }
}

const AUTH_FAILURES: Readonly<Record<AuthFailure, string>> = {
  missing: 'A token is needed.',
  wrong: 'The token is unknown, expired or revoked.',
  ended: 'The session is over. Sign in again.',
  doubled:
    'The request has several session cookies, which another program of this host sets. Delete the cookies of this host and sign in again.',
  forwarded:
    'The request came through a proxy, where a token is required. Start the server with --require-token or --public-url.',
}

/**
 * Only wrong tokens are guesses, so only they are delayed: they must not lock out others who share the address, as everybody
 * does behind a proxy. A token has 256 bits, so accepting the right one without delay does not help a guesser.
 */
export function refuseUnauthenticated(context: Context, access: AccessControl, why: AuthFailure): Response {
  const waits = why === 'wrong' ? tooMany(context, access.guesses.take(access.addressOf(context), access.now())) : null
  if (waits !== null) return waits
  const emptied =
    why === 'ended' ? { 'set-cookie': sessionCookie('', { isSecure: isSecureSite(access.site()), maxAge: 0 }) } : {}
  return problemResponse(context, {
    status: 401,
    detail: AUTH_FAILURES[why],
    next: 'Run "quorate token create --name NAME --role viewer|reviewer|admin --kind human|machine".',
    headers: { 'www-authenticate': 'Bearer', ...emptied },
  })
}

/** `seconds` is the time to wait; null: the request may proceed. */
function tooMany(context: Context, seconds: number | null): Response | null {
  if (seconds === null) return null
  return problemResponse(context, {
    status: 429,
    detail: `Too many requests: try again in ${seconds} s.`,
    retryAfterSeconds: seconds,
  })
}

const FORWARDED = /^(forwarded|via|x-real-ip|x-forwarded(-.*)?|x-original-.*|x-client-ip|true-client-ip|cf-.*)$/

/** Programs on this machine send none of these headers. A proxy usually does, even one that sets Host to the server's name. */
function isForwarded(context: Context<AppEnvironment>): boolean {
  return Object.keys(context.env?.incoming?.headers ?? context.req.header()).some((name) => FORWARDED.test(name))
}

const JSON_TYPES = /^application\/(json|x-ndjson|jsonl)\s*(;|$)/i

/** A page of another site can send a form, but neither the server's Origin nor JSON. */
function refuseForeign(context: Context<AppEnvironment>, { site }: AccessControl): Response | null {
  if (context.req.method === 'GET' || context.req.method === 'HEAD') {
    const isForeign = /^(cross|same)-site$/.test(context.req.header('sec-fetch-site') ?? '')
    if (!isForeign) return null
    return problemResponse(context, { status: 403, detail: 'Requests from pages of other sites are refused.' })
  }
  const { publicOrigin } = site()
  const origin = context.req.header('origin')
  const came = () => ({ hostHeader: context.req.header('host'), publicOrigin, isForwarded: isForwarded(context) })
  if (origin !== undefined && !isOwnOrigin(origin, came())) {
    const expected = publicOrigin ?? 'this server'
    return problemResponse(context, {
      status: 403,
      detail: `The Origin must be ${expected}, or there must be none.`,
      ...(publicOrigin === null && { next: 'Behind a proxy, start quorate serve with --public-url.' }),
    })
  }
  if (!JSON_TYPES.test(context.req.header('content-type') ?? '')) {
    return problemResponse(context, { status: 415, detail: 'The Content-Type must be application/json.' })
  }
  return null
}

function refuseFlood(context: Context, { requests, addressOf, now }: AccessControl): Response | null {
  return tooMany(context, requests.take(addressOf(context), now()))
}

/** `.` and `..` between two slashes, even if escaped. */
const DOTS = /\/(?:\.|%2e){1,2}(?:\/|$)/i

/** URL parsers remove such segments, so the request would be answered for another path. */
export function noDotSegments(): MiddlewareHandler<AppEnvironment> {
  return async (context, next) => {
    const [path = ''] = (context.env?.incoming?.url ?? '').split(/[?#]/, 1)
    if (!DOTS.test(path)) return next()
    return problemResponse(context, {
      status: 400,
      detail: 'The path contains the segment "." or "..", which is not a valid id.',
      next: 'List the items, and request one of their ids.',
    })
  }
}
