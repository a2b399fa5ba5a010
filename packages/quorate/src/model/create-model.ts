import { type Adapter, aiSdkModel } from './ai-sdk-model.ts'
import {
  checkPairing,
  type Endpoint,
  REMOTE_PROVIDERS,
  type RemoteProvider,
  readKeys,
  resolveEndpoint,
} from './keys.ts'
import { manualModel, type PersonPrompt } from './manual-model.ts'
import type { Model } from './model.ts'
import { ModelSetupError } from './model-setup-error.ts'
import { ANTHROPIC } from './providers/anthropic.ts'
import { BEDROCK } from './providers/bedrock.ts'
import { DEEPSEEK } from './providers/deepseek.ts'
import { OPENAI } from './providers/openai.ts'
import { OPENAI_COMPATIBLE } from './providers/openai-compatible.ts'
import type { Environment } from './redact-secrets.ts'
import { type ReplyLookup, replayModel } from './replay-model.ts'
import { simulatedModel } from './simulated-model.ts'

export interface ModelOptions {
  readonly env: Environment
  readonly now: () => number
  readonly baseURL?: string | undefined
  /** Name of the variable that holds the key. */
  readonly apiKeyEnv?: string | undefined
  /** The person allowed this config to pair keys with hosts that are not their own. */
  readonly trustConfig?: boolean | undefined
  /** Of simulated panels. */
  readonly seed?: number | undefined
  /** For `manual/...`. */
  readonly prompt?: PersonPrompt | undefined
  /** For `replay/...`. */
  readonly lookup?: ReplyLookup | undefined
  /** Instead of Node's. */
  readonly fetch?: typeof fetch | undefined
}

export interface ModelReference {
  readonly id: string
  readonly provider: Provider
  readonly name: string
}

export const PROVIDERS = [...REMOTE_PROVIDERS, 'simulated', 'manual', 'replay'] as const

export type Provider = (typeof PROVIDERS)[number]

const ADAPTERS: Readonly<Record<RemoteProvider, Adapter>> = Object.freeze({
  anthropic: ANTHROPIC,
  openai: OPENAI,
  deepseek: DEEPSEEK,
  bedrock: BEDROCK,
  'openai-compatible': OPENAI_COMPATIBLE,
})

/** A model from `provider/name`. Its SDK is loaded and its key read at its first call. Throws ModelSetupError. */
export function createModel(reference: string, options: ModelOptions): Model {
  const { id, provider, name } = parseModelReference(reference)
  if (provider === 'simulated') return simulatedModel({ agent: name, seed: options.seed ?? 0 })
  if (provider === 'manual') return manualModel(name, given(id, 'a person to ask (prompt)', options.prompt))
  if (provider === 'replay') return replayModel(name, given(id, 'stored calls (lookup)', options.lookup))
  const endpoint = resolveEndpoint({ id, provider, name }, options)
  checkPairing(endpoint, options.trustConfig ?? false)
  return aiSdkModel(endpoint, ADAPTERS[provider], options)
}

/** Where the model would go and with which variables, without making it; null for models that go nowhere. */
export function modelEndpoint(reference: string, options: ModelOptions): Endpoint | null {
  const { id, provider, name } = parseModelReference(reference)
  if (provider === 'simulated' || provider === 'manual' || provider === 'replay') return null
  return resolveEndpoint({ id, provider, name }, options)
}

/** Throws the ModelError that the first call would throw where a key is missing. Sends nothing. */
export function checkModelKey(reference: string, options: ModelOptions): void {
  const endpoint = modelEndpoint(reference, options)
  if (endpoint !== null) readKeys(endpoint, options.env)
}

export function parseModelReference(id: string): ModelReference {
  const slash = id.indexOf('/')
  const [before, name] = [id.slice(0, Math.max(0, slash)), id.slice(slash + 1)]
  const provider = PROVIDERS.find((known) => known === before)
  if (slash < 1 || name === '') throw new ModelSetupError(id, 'a model is written provider/name')
  if (provider === undefined) throw new ModelSetupError(id, `unknown provider; known are ${PROVIDERS.join(', ')}`)
  return { id, provider, name }
}

function given<Value>(id: string, what: string, value: Value | undefined): Value {
  if (value === undefined) throw new ModelSetupError(id, `needs ${what}, which this command does not give`)
  return value
}
