import { aiSdkModel } from './ai-sdk-model.ts'
import type { Batching } from './batch/batch-fetch.ts'
import { type FunctionModel, functionModel } from './function-model.ts'
import { checkPairing, type ModelAddress, readKeys, resolveEndpoint } from './keys.ts'
import { manualModel, type PersonPrompt } from './manual-model.ts'
import type { Model } from './model.ts'
import { ModelError } from './model-error.ts'
import { ModelSetupError } from './model-setup-error.ts'
import { batchApiOf, isRemote, parseModelReference, REMOTE_PROVIDERS } from './providers.ts'
import type { Environment } from './redact-secrets.ts'
import { ruledModel, type ScriptRule } from './scripted-model.ts'
import { simulatedModel } from './simulated-model.ts'

export interface ModelOptions {
  readonly env: Environment
  readonly now: () => number
  readonly baseURL?: string | undefined
  /** Name of the variable that holds the key. */
  readonly apiKeyEnv?: string | undefined
  /** The person allowed this config to send keys to hosts that are not their providers' own. */
  readonly trustConfig?: boolean | undefined
  /** Seed of simulated panels. */
  readonly seed?: number | undefined
  /** For `manual/...`. */
  readonly prompt?: PersonPrompt | undefined
  /** For `scripted/...`. */
  readonly script?: readonly ScriptRule[] | undefined
  /** For `function/...`, by name. */
  readonly functions?: Readonly<Record<string, FunctionModel>> | undefined
  /** Simulated agents sample an answer from their beliefs at every call, instead of giving the likeliest one. */
  readonly isSampled?: boolean | undefined
  /** Used instead of Node's. */
  readonly fetch?: typeof fetch | undefined
  /** Collects the requests of models whose providers have an interface for batches. */
  readonly batches?: Batching['fetchOf'] | undefined
}

/**
 * Creates a model from `provider/name`. Its SDK is loaded and its key read at its first call, unless `load` came
 * before. Throws ModelSetupError.
 */
export function createModel(reference: string, options: ModelOptions): Model {
  const { id, provider, name } = parseModelReference(reference)
  const { seed = 0, isSampled = false } = options
  if (provider === 'simulated') return simulatedModel({ agent: name, seed, isSampled })
  if (provider === 'scripted') return ruledModel(name, given(id, 'its lines (script)', options.script))
  if (provider === 'manual') return manualModel(name, given(id, 'a person to ask (prompt)', options.prompt))
  if (provider === 'function') return functionModel(name, functionOf(id, name, options), options.env)
  // Created only for its address and never called, so no key is sent.
  if (provider === 'replay') return replayModel(id, createModel(name, { ...options, trustConfig: true }))
  const endpoint = resolveEndpoint({ id, provider, name }, options)
  checkPairing(endpoint, options.trustConfig ?? false)
  const { batches, ...others } = options
  const api = batchApiOf(provider)
  return aiSdkModel(endpoint, REMOTE_PROVIDERS[provider].adapter, {
    ...others,
    ...(api === null ? {} : { batches: batches?.(api) }),
  })
}

/** The address and the key variables of a model, without creating it; null for a model that sends no request. */
export function modelEndpoint(reference: string, options: ModelOptions): ModelAddress | null {
  const { id, provider, name } = parseModelReference(reference)
  return isRemote(provider) ? resolveEndpoint({ id, provider, name }, options) : null
}

/** Throws the ModelError that the first call would throw if a key is missing. Sends nothing. */
export function checkModelKey(reference: string, options: ModelOptions): void {
  const endpoint = modelEndpoint(reference, options)
  if (endpoint !== null) readKeys(endpoint, options.env)
}

function functionOf(id: string, name: string, { functions = {} }: ModelOptions): FunctionModel {
  const found = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (typeof found === 'function') return found
  const next = `Pass createPanel({ models: { ${JSON.stringify(name)}: ... } }). The command line has no such models`
  throw new ModelSetupError(id, `no function has this name. ${next}`)
}

function given<Value>(id: string, what: string, value: Value | undefined): Value {
  if (value === undefined) throw new ModelSetupError(id, `needs ${what}, which this command does not give`)
  return value
}

/**
 * Replays stored answers of `original` and nothing else: no call leaves the machine. `payForCalls` finds the answers in
 * the cache under the key of the original, so a call that gets here has no stored answer.
 */
export function replayModel(id: string, { id: name, hosts, variant, replays }: Model): Model {
  if (replays !== undefined) throw new ModelSetupError(id, 'write replay/ once, before the model that answered')
  return {
    id,
    provider: 'replay',
    hosts: [],
    replays: { id: name, hosts, ...(variant === undefined ? {} : { variant }) },
    async call() {
      throw new ModelError('exhausted', `${id}: no such answer is stored`, { charged: 'no' })
    },
  }
}
