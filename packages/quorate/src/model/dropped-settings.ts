import { type Provider, parseModelReference } from './model-reference.ts'

/** Settings by the names under which a config may insist on them. */
export const SETTING_NAMES = ['temperature', 'seed', 'maxOutputTokens', 'logprobs'] as const

export type SettingName = (typeof SETTING_NAMES)[number]

/** What must be honoured for an answer to count; true: every setting, and whatever else a provider warns of. */
export type Insistence = boolean | readonly SettingName[]

/** The warnings of a reply that this insistence does not accept. */
export function unacceptable(insist: Insistence, warnings: readonly string[]): readonly string[] {
  if (typeof insist === 'boolean') return insist ? warnings : []
  return warnings.filter((warning) => {
    const setting = settingOf(warning)
    return setting !== null && insist.includes(setting)
  })
}

/** Settings that a model is known to drop, before it is asked. What is not known here, its first reply tells. */
export function knownDrops(reference: string): readonly SettingName[] {
  const { provider, name } = parseModelReference(reference)
  const always = ALWAYS[provider] ?? []
  return TEMPERATURE_DROPPED[provider]?.test(name) === true ? ['temperature', ...always] : always
}

const ALWAYS: Readonly<Partial<Record<Provider, readonly SettingName[]>>> = Object.freeze({
  anthropic: ['seed', 'logprobs'],
  bedrock: ['seed', 'logprobs'],
  deepseek: ['seed'],
  simulated: [],
})

/** From Opus 4.7 and the fifth generation on. */
const NEWER_CLAUDE = /claude-(opus-4-[78]|[a-z]+-[5-9])(-|$)/

/** Models that reason at a temperature of their own. */
const TEMPERATURE_DROPPED: Readonly<Partial<Record<Provider, RegExp>>> = Object.freeze({
  anthropic: NEWER_CLAUDE,
  bedrock: NEWER_CLAUDE,
  deepseek: /^deepseek-(reasoner|v4|flash|pro)/,
  openai: /^(o\d|gpt-5(-mini|-nano)?(-\d{4}|$))/,
})

/** Warnings begin with the setting that they are about, as the SDK or we call it. */
function settingOf(warning: string): SettingName | null {
  const [word = ''] = /^\w+/.exec(warning) ?? []
  if (word === 'topLogprobs') return 'logprobs'
  return SETTING_NAMES.find((name) => name === word) ?? null
}
