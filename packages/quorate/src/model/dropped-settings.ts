import { isRemote, parseModelReference, REMOTE_PROVIDERS } from './providers.ts'

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
  return isRemote(provider) ? REMOTE_PROVIDERS[provider].drops(name) : []
}

/** Warnings begin with the setting that they are about, as the SDK or we call it. */
function settingOf(warning: string): SettingName | null {
  const [word = ''] = /^\w+/.exec(warning) ?? []
  if (word === 'topLogprobs') return 'logprobs'
  return SETTING_NAMES.find((name) => name === word) ?? null
}
