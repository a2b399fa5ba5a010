import { byName } from '../../debate/debate-record.ts'
import type { AgentPlan, PanelPlan } from '../../debate/panel.ts'
import { textDigest } from '../../debate/text-digest.ts'

/** What changes beliefs beside models and prompts, in words, so that a difference can be told: by agent, and `panel`. */
export type PanelSettings = Readonly<Record<string, string>>

export interface SetPanel extends Pick<PanelPlan, 'protocol' | 'samples' | 'sizes'> {
  readonly agents: readonly (Pick<AgentPlan, 'name' | 'temperature' | 'maxOutputTokens'> & {
    readonly baseURL?: string | null | undefined
  })[]
}

export function settingsOf({ protocol, samples, sizes, agents }: SetPanel): PanelSettings {
  const polled = sizes === null ? '' : `, sizes ${sizes.join(', ')}`
  const panel = `protocol ${protocol}, samples ${samples}${polled}`
  const ofAgents = agents.map(({ name, temperature, maxOutputTokens, baseURL }) => {
    const place = baseURL === undefined || baseURL === null ? 'usual' : placeDigest(baseURL)
    const words = `temperature ${temperature ?? 'default'}, maxOutputTokens ${maxOutputTokens}, address ${place}`
    return [`agent ${name}`, words] as const
  })
  return byName([...ofAgents, ['panel', panel]])
}

const DIGITS = 12

/** Of host and path: a certificate is handed on, and need not name the machines of a house. */
function placeDigest(baseURL: string): string {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : null
  const place = url === null ? baseURL : `${url.host}${url.pathname.replace(/\/+$/, '')}`
  return textDigest(place).slice(0, DIGITS)
}
