import type { ModelReply } from './model.ts'
import { REDACTED } from './redact-secrets.ts'

/**
 * A server that repeats our key in what it answers would have it stored, and from the next round on sent to the providers
 * of all other agents. Its tokens, which spell the key too, are not kept then.
 */
export function withoutKeys(reply: ModelReply, keys: readonly string[]): ModelReply {
  const clean = (text: string): string => keys.reduce((left, key) => left.replaceAll(key, REDACTED), text)
  const text = clean(reply.text)
  return {
    ...reply,
    text,
    servedModel: reply.servedModel === null ? null : clean(reply.servedModel),
    logprobs: text === reply.text ? reply.logprobs : null,
    warnings: reply.warnings.map(clean),
  }
}
