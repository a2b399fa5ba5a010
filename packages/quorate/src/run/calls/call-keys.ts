import { canonicalJson } from '@quorate/certificate'
import type { AgentCall } from '../../debate/ask.ts'
import { textDigest } from '../../debate/text-digest.ts'
import type { Model } from '../../model/model.ts'

/** Equal for asks that may share an answer: the model and where it is, what is said to it, and who says it when. */
export function cacheKey(model: Pick<Model, 'id' | 'hosts' | 'variant' | 'replays'>, call: AgentCall): string {
  const { id, hosts, variant } = model.replays ?? model
  const { agent, round, repeat, messages, settings } = call
  const what = { model: id, hosts, ...(variant === undefined ? {} : { variant }) }
  return textDigest(canonicalJson({ ...what, messages, settings, agent, round, repeat }))
}
