import { z } from 'zod'

export const roleSchema = z.enum(['viewer', 'reviewer', 'admin'])
export type Role = z.infer<typeof roleSchema>

export const tokenKindSchema = z.enum(['human', 'machine'])

/** GET /v1/session: who the caller is. Without a token over loopback it is the local admin. */
export const sessionSchema = z.object({
  name: z.string(),
  role: roleSchema,
  kind: tokenKindSchema,
  isLocal: z.boolean(),
  undoMs: z.int(),
  version: z.string(),
})
export type SessionView = z.infer<typeof sessionSchema>

/** POST /v1/session: exchanges a token for a cookie and a key that the page stores. */
export const signInSchema = z.object({ token: z.string().min(1).max(200) })

/** A session needs both the cookie and this key, which is sent in the header `x-quorate-session`. */
export const signedInSchema = sessionSchema.extend({ sessionKey: z.string() })
export type SignedIn = z.infer<typeof signedInSchema>

export const SESSION_KEY_HEADER = 'x-quorate-session'
