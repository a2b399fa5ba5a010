import { z } from 'zod'
import type { ModelReply } from '../../model/model.ts'
import type { StoredCall } from '../../store/store.ts'
import { StoreError } from '../../store/store-error.ts'

const tokenSchema = z.object({ token: z.string(), logprob: z.number() })

const replySchema = z.object({
  text: z.string(),
  finish: z.enum(['stop', 'length', 'refusal', 'other']),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
  servedModel: z.string().nullable(),
  logprobs: z.array(z.array(tokenSchema)).nullable(),
  warnings: z.array(z.string()),
  /** Id of the call that was paid for, where this one only repeats its answer. */
  cachedFrom: z.string().optional(),
})

export interface StoredReply {
  readonly reply: ModelReply
  readonly cachedFrom: string | null
}

export function writeReply(reply: ModelReply, cachedFrom: string | null = null): string {
  // JSON has no infinity, which is what some providers give for an impossible token.
  const logprobs = reply.logprobs?.map((place) => place.map(finiteToken)) ?? null
  return JSON.stringify({ ...reply, logprobs, ...(cachedFrom === null ? {} : { cachedFrom }) })
}

export function readReply({ id, reply }: Pick<StoredCall, 'id' | 'reply'>): StoredReply {
  const parsed = replySchema.safeParse(JSON.parse(reply ?? 'null'))
  if (!parsed.success) {
    const message = `store: the reply of call ${id} cannot be read: it was changed from outside, restore a backup`
    throw new StoreError('damaged', message, { cause: parsed.error })
  }
  const { cachedFrom = null, ...held } = parsed.data
  return { reply: held, cachedFrom }
}

const LEAST_LOGPROB = -1e9

function finiteToken({ token, logprob }: { readonly token: string; readonly logprob: number }) {
  return { token, logprob: Number.isFinite(logprob) ? logprob : LEAST_LOGPROB }
}
