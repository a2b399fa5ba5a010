import { equivalenceOf } from '../../answers/equivalence.ts'
import { byName } from '../../debate/debate-record.ts'
import type { AgentPlan, PanelPlan } from '../../debate/panel.ts'
import { textDigest } from '../../debate/text-digest.ts'
import { type Answers, answersWords, openAnswers } from '../../record/task.ts'

/** What changes beliefs beside models and prompts, in words, so that a difference can be told: by agent, `panel`, and `answers`. */
export type PanelSettings = Readonly<Record<string, string>>

export interface SetPanel extends Pick<PanelPlan, 'protocol' | 'samples' | 'sizes' | 'answers'> {
  readonly agents: readonly (Pick<AgentPlan, 'name' | 'temperature' | 'maxOutputTokens'> & {
    readonly baseURL?: string | null | undefined
  })[]
}

export function settingsOf({ protocol, samples, sizes, agents, answers }: SetPanel): PanelSettings {
  const polled = sizes === null ? '' : `, sizes ${sizes.join(', ')}`
  const panel = `protocol ${protocol}, samples ${samples}${polled}`
  const ofAgents = agents.map(({ name, temperature, maxOutputTokens, baseURL }) => {
    const place = baseURL === undefined || baseURL === null ? 'usual' : placeDigest(baseURL)
    const words = `temperature ${temperature ?? 'default'}, maxOutputTokens ${maxOutputTokens}, address ${place}`
    return [`agent ${name}`, words] as const
  })
  const ofAnswers = answers === undefined ? [] : [['answers', wordsOf(answers)] as const]
  return byName([...ofAgents, ['panel', panel], ...ofAnswers])
}

/** Of open answers also the rules that say when two of them are the same. */
function wordsOf(answers: Answers): string {
  const open = openAnswers(answers)
  return open === null ? answersWords(answers) : `${answersWords(answers)}, ${equivalenceOf(open).words}`
}

const DIGITS = 12

/** Of host and path: a certificate is handed on, and need not name the machines of a house. */
function placeDigest(baseURL: string): string {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : null
  const place = url === null ? baseURL : `${url.host}${url.pathname.replace(/\/+$/, '')}`
  return textDigest(place).slice(0, DIGITS)
}
