import { canonicalJson, sha256 } from '@quorate/certificate'
import type { AgentCall } from '../debate/ask.ts'
import type { Model } from '../model/model.ts'

/** Unique in the store: one attempt at one place of a run. */
export function attemptKey(runId: string, call: AgentCall, attempt: number): string {
  const { questionId, agent, round, repeat, isReminder } = call
  return canonicalJson([runId, questionId, agent, round, repeat, isReminder, attempt])
}

/** Equal for asks that may share an answer: the model and where it is, what is said to it, and who says it when. */
export function cacheKey({ id, hosts }: Pick<Model, 'id' | 'hosts'>, call: AgentCall): string {
  const { agent, round, repeat, messages, settings } = call
  return sha256(canonicalJson({ model: id, hosts, messages, settings, agent, round, repeat }))
}
