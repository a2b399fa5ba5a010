import type { Context } from 'hono'
import { type SignedIn, sessionSchema, signInSchema } from '../../contract/session.ts'
import { isLoopback } from '../../model/loopback.ts'
import { type AccessControl, refuseUnauthenticated } from '../access/access-control.ts'
import type { Identity } from '../access/identity.ts'
import { isSecureSite } from '../access/own-address.ts'
import { presentedSession, sessionCookie } from '../access/session-cookie.ts'
import type { AppParts } from '../app-parts.ts'
import { endpoint } from '../endpoint.ts'
import { problemResponse } from '../problem-response.ts'

export const sessionEndpoints = {
  'POST /v1/session': endpoint({
    body: signInSchema,
    answer: null,
    async run({ body, context, access, parts }) {
      if (losesCookie(context.req.header('origin'), access)) return refusePlain(context)
      const now = access.now()
      const begun = await parts.sessions.begin(body.token, now)
      if (begun === null) return refuseUnauthenticated(context, access, 'wrong')
      const { name, role, kind } = begun.token
      const maxAge = (begun.expiresAt - now) / 1000
      context.header('set-cookie', sessionCookie(begun.cookie, { isSecure: isSecureSite(access.site()), maxAge }))
      context.set('identity', { name, role, kind, isLocal: false })
      const view: SignedIn = { ...sessionView({ name, role, kind, isLocal: false }, parts), sessionKey: begun.key }
      return context.json(view)
    },
  }),
  'GET /v1/session': endpoint({
    answer: sessionSchema,
    run: async ({ who, parts }) => sessionView(who, parts),
  }),
  'DELETE /v1/session': endpoint({
    answer: null,
    async run({ context, access, parts }) {
      const session = presentedSession((name) => context.req.header(name), isSecureSite(access.site()))
      if (session.kind === 'one') await parts.sessions.end(session.secret)
      return context.body(null, 204, { 'set-cookie': emptyCookie(access) })
    },
  }),
}

/** Whether the page was loaded over plain HTTP from another machine: its browser silently drops a Secure cookie. */
function losesCookie(origin: string | undefined, access: AccessControl): boolean {
  if (!isSecureSite(access.site()) || origin === undefined || !URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return protocol === 'http:' && !isLoopback(hostname)
}

function refusePlain(context: Context): Response {
  return problemResponse(context, {
    status: 403,
    detail:
      'This page was opened over plain HTTP: the token could be read on its way, and no browser would keep the session.',
    next: 'Put TLS in front of the server and open it over https. Programs send their token as Authorization: Bearer.',
  })
}

function emptyCookie(access: AccessControl): string {
  return sessionCookie('', { isSecure: isSecureSite(access.site()), maxAge: 0 })
}

function sessionView({ name, role, kind, isLocal }: Identity, { undoMs, version }: AppParts) {
  return { name, role, kind, isLocal, undoMs, version }
}
