import type { ModelReply } from '../../model/model.ts'
import { replySchema, type StoredCall } from '../../record/call.ts'
import { parseStored } from '../../record/parse-stored.ts'

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
  const { cachedFrom = null, ...held } = parseStored(replySchema, reply ?? 'null', `the reply of call ${id}`)
  return { reply: held, cachedFrom }
}

const LEAST_LOGPROB = -1e9

function finiteToken({ token, logprob }: { readonly token: string; readonly logprob: number }) {
  return { token, logprob: Number.isFinite(logprob) ? logprob : LEAST_LOGPROB }
}
