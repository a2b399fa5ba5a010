import type { BatchApi } from './batch/batch-api.ts'
import { ModelSetupError } from './model-setup-error.ts'
import { ANTHROPIC } from './providers/anthropic.ts'
import { BEDROCK } from './providers/bedrock.ts'
import { DEEPSEEK } from './providers/deepseek.ts'
import { GEMINI } from './providers/gemini.ts'
import { GROQ } from './providers/groq.ts'
import { MISTRAL } from './providers/mistral.ts'
import { OPENAI } from './providers/openai.ts'
import { OPENAI_COMPATIBLE } from './providers/openai-compatible.ts'
import { OPENROUTER } from './providers/openrouter.ts'
import type { Provider } from './providers/provider.ts'
import { XAI } from './providers/xai.ts'

/** Every provider that is called over the network, by the word before the slash of a model. */
export const REMOTE_PROVIDERS = {
  anthropic: ANTHROPIC,
  openai: OPENAI,
  deepseek: DEEPSEEK,
  bedrock: BEDROCK,
  gemini: GEMINI,
  mistral: MISTRAL,
  xai: XAI,
  groq: GROQ,
  openrouter: OPENROUTER,
  'openai-compatible': OPENAI_COMPATIBLE,
} satisfies Readonly<Record<string, Provider>>

export type RemoteProvider = keyof typeof REMOTE_PROVIDERS

const LOCAL_PROVIDERS = ['simulated', 'scripted', 'manual', 'replay', 'function'] as const

export type ProviderName = RemoteProvider | (typeof LOCAL_PROVIDERS)[number]

/** A model as the config names it: `provider/name`. */
export interface ModelReference {
  readonly id: string
  readonly provider: ProviderName
  readonly name: string
}

/** Throws ModelSetupError. */
export function parseModelReference(id: string): ModelReference {
  const slash = id.indexOf('/')
  const [before, name] = [id.slice(0, Math.max(0, slash)), id.slice(slash + 1)]
  if (slash < 1 || name === '') throw new ModelSetupError(id, 'a model is written provider/name')
  if (isRemote(before)) return { id, provider: before, name }
  const provider = LOCAL_PROVIDERS.find((known) => known === before)
  if (provider !== undefined) return { id, provider, name }
  const known = [...Object.keys(REMOTE_PROVIDERS), ...LOCAL_PROVIDERS].join(', ')
  throw new ModelSetupError(id, `unknown provider, not one of ${known}`)
}

/** Whether this model is asked for JSON. A replay is asked like the model that it replays. */
export function hasStructuredOutput(reference: string): boolean {
  const { provider, name } = parseModelReference(reference)
  if (provider === 'replay') return hasStructuredOutput(name)
  return isRemote(provider) && REMOTE_PROVIDERS[provider].hasStructuredOutput(name)
}

/** The provider's interface for batches; null if we know none. */
export function batchApiOf(provider: string): BatchApi | null {
  const remote: Provider | null = isRemote(provider) ? REMOTE_PROVIDERS[provider] : null
  return remote?.batch ?? null
}

export function isRemote(provider: string): provider is RemoteProvider {
  return Object.hasOwn(REMOTE_PROVIDERS, provider)
}
