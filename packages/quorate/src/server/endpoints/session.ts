import { sessionSchema, signInSchema } from '../../contract/session.ts'
import { type Gate, refuseStranger, tooMany } from '../access/gate.ts'
import { sessionSecret } from '../access/identify.ts'
import type { Identity } from '../access/identity.ts'
import { sessionCookie } from '../access/sessions.ts'
import type { AppParts } from '../app-parts.ts'
import { endpoint } from '../endpoint.ts'

export const sessionEndpoints = {
  'POST /v1/session': endpoint({
    body: signInSchema,
    answer: null,
    async run({ body, context, gate, parts }) {
      const resting = tooMany(context, gate.guesses.waiting(gate.addressOf(context), gate.now()))
      if (resting !== null) return resting
      const now = gate.now()
      const begun = await parts.sessions.begin(body.token, now)
      if (begun === null) return refuseStranger(context, gate, 'wrong')
      const { name, role, kind } = begun.token
      const maxAge = (begun.expiresAt - now) / 1000
      context.header('set-cookie', sessionCookie(begun.secret, { host: gate.listening().host, maxAge }))
      context.set('identity', { name, role, kind, isLocal: false })
      return context.json(sessionView({ name, role, kind, isLocal: false }, parts))
    },
  }),
  'GET /v1/session': endpoint({
    answer: sessionSchema,
    run: async ({ who, parts }) => sessionView(who, parts),
  }),
  'DELETE /v1/session': endpoint({
    answer: null,
    async run({ context, gate, parts }) {
      const secret = sessionSecret(context.req.header('cookie'))
      if (secret !== undefined) await parts.sessions.end(secret)
      return context.body(null, 204, { 'set-cookie': emptyCookie(gate) })
    },
  }),
}

function emptyCookie(gate: Gate): string {
  return sessionCookie('', { host: gate.listening().host, maxAge: 0 })
}

function sessionView({ name, role, kind, isLocal }: Identity, { undoMs, version }: AppParts) {
  return { name, role, kind, isLocal, undoMs, version }
}
