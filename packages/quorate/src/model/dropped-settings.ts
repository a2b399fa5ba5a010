import { isRemote, parseModelReference, REMOTE_PROVIDERS } from './providers.ts'

/** The settings that a config may insist on, by name. */
export const SETTING_NAMES = ['temperature', 'seed', 'maxOutputTokens', 'logprobs'] as const

export type SettingName = (typeof SETTING_NAMES)[number]

/** The settings that must be honoured for an answer to count; true: every setting, and whatever else a provider warns about. */
export type Insistence = boolean | readonly SettingName[]

/** The warnings of a reply that this insistence rejects. */
export function unacceptable(insist: Insistence, warnings: readonly string[]): readonly string[] {
  if (typeof insist === 'boolean') return insist ? warnings : []
  return warnings.filter((warning) => {
    const setting = settingOf(warning)
    return setting !== null && insist.includes(setting)
  })
}

/** Settings that a model is known to drop, before it is called. Its first reply reveals the others. */
export function knownDrops(reference: string): readonly SettingName[] {
  const { provider, name } = parseModelReference(reference)
  return isRemote(provider) ? REMOTE_PROVIDERS[provider].drops(name) : []
}

/** A warning begins with the name of its setting, as the SDK or we call it. */
function settingOf(warning: string): SettingName | null {
  const [word = ''] = /^\w+/.exec(warning) ?? []
  if (word === 'topLogprobs') return 'logprobs'
  return SETTING_NAMES.find((name) => name === word) ?? null
}
