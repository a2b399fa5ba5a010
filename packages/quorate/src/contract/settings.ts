import { z } from 'zod'
import { roleSchema, tokenKindSchema } from './session.ts'

/** A token without its secret, which is shown once, when it is created. */
export const tokenRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: roleSchema,
  kind: tokenKindSchema,
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  revokedAt: z.number().nullable(),
  lastUsedAt: z.number().nullable(),
})
export type TokenRow = z.infer<typeof tokenRowSchema>

export const tokenListSchema = z.object({ items: z.array(tokenRowSchema) })

/** POST /v1/tokens (admin). */
export const newTokenSchema = z.object({
  name: z
    .string()
    .min(1)
    .max(64)
    .refine((name) => name.trim() === name && !/[\p{Cc}\p{Cf}]/u.test(name), 'plain text without spaces at its ends'),
  role: roleSchema,
  kind: tokenKindSchema,
  /** Null or absent: it does not expire. */
  days: z.int().min(1).max(3650).nullish(),
})

export type NewToken = z.infer<typeof newTokenSchema>

/** The only response that contains the token itself. */
export const madeTokenSchema = tokenRowSchema.extend({ token: z.string() })
export type MadeToken = z.infer<typeof madeTokenSchema>

/** GET /v1/settings: how this server is configured. It is read-only; the config file changes it. */
export const settingsSchema = z.object({
  spotCheckRate: z.number(),
  /** Share of reviewed items that a second person answers too. */
  secondShare: z.number(),
  /** Review items that one person may claim at once. */
  maxClaims: z.int(),
  /** How long a claim lasts. */
  claimMs: z.int(),
  /** How long a review can be undone. */
  undoMs: z.int(),
  declared: z
    .object({
      profile: z.string(),
      beta: z.number(),
      /** Null: there is none, or the profile has none. */
      floor: z.number().nullable(),
      deferGroups: z.array(z.string()),
    })
    .nullable(),
  /** The reviewers' guideline for every question. Models do not see it. */
  guideline: z.string().nullable(),
  /** The labels of the task, in its order; null: every question has its own options. */
  labels: z.array(z.object({ name: z.string(), text: z.string() })).nullable(),
  /** Null: this server has no panel, and `missing` explains why. */
  panel: z
    .object({
      rounds: z.int(),
      agents: z.array(z.object({ name: z.string(), model: z.string(), host: z.string().nullable() })),
    })
    .nullable(),
  missing: z.string().nullable(),
  /** Every host that this server sends data to, and what it sends. */
  hosts: z.array(z.object({ host: z.string(), what: z.string() })),
})
export type SettingsView = z.infer<typeof settingsSchema>
