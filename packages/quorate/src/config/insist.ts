import { ELICITATIONS } from '../debate/elicit/elicitations.ts'
import { knownDrops, type SettingName } from '../model/dropped-settings.ts'
import type { ConfiguredAgent, ConfiguredPanel } from './resolve-config.ts'

/** Settings that are sent to an agent and that its model is known to drop. */
export function droppedFor(agent: ConfiguredAgent, panel: ConfiguredPanel): SettingName[] {
  const sent = new Set<SettingName>(['seed', 'maxOutputTokens'])
  if (agent.temperature !== null) sent.add('temperature')
  if (ELICITATIONS[panel.elicitation].asksLogprobs) sent.add('logprobs')
  return knownDrops(agent.model).filter((setting) => sent.has(setting))
}

/** Why no agent may be asked: this agent's first answer would cost money and could not count. Null if it could count. */
export function insistProblem(agent: ConfiguredAgent, panel: ConfiguredPanel): string | null {
  const { insist } = agent
  const broken = droppedFor(agent, panel).filter((setting) => insist === true || (insist || []).includes(setting))
  if (broken.length === 0) return null
  const rest = broken.includes('temperature') ? ', set temperature: null' : ''
  return `drops ${broken.join(' and ')}, and the config insists on it. Take it out of insist${rest}, or choose another model`
}
