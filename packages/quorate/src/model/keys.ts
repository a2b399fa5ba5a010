import { isLoopback } from './loopback.ts'
import { ModelError } from './model-error.ts'
import { ModelSetupError } from './model-setup-error.ts'
import type { PlaceContext, Provider, ProviderPlace } from './providers/provider.ts'
import { type ModelReference, REMOTE_PROVIDERS, type RemoteProvider } from './providers.ts'
import type { Environment } from './redact-secrets.ts'

/** The address of a model and the variables with its keys. */
export interface ModelAddress {
  readonly model: string
  readonly provider: RemoteProvider
  /** The model's name at the provider. */
  readonly name: string
  readonly url: URL
  /** Alternative sets of variables, of which the first complete set is sent; empty: no key. */
  readonly keyVariables: readonly (readonly string[])[]
  /** `standard`: a provider's own variable for its own host. `foreign`: the config paired them, so it must be trusted. */
  readonly pairing: 'none' | 'standard' | 'foreign'
  /** AWS only. */
  readonly region: string | null
}

export interface EndpointOptions {
  readonly baseURL?: string | undefined
  readonly apiKeyEnv?: string | undefined
  readonly env: Environment
}

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Finds the address and the key variables without reading a key. Throws ModelSetupError for a model that can never be called.
 */
export function resolveEndpoint(
  model: ModelReference & { readonly provider: RemoteProvider },
  options: EndpointOptions,
): ModelAddress {
  const { apiKeyEnv } = options
  if (apiKeyEnv !== undefined && !VARIABLE_NAME.test(apiKeyEnv)) {
    throw new ModelSetupError(model.id, 'apiKeyEnv must be the name of an environment variable, not a key')
  }
  const { env, baseURL } = options
  const own = placeOf(REMOTE_PROVIDERS[model.provider], { id: model.id, env, baseURL })
  if (baseURL === undefined && own.url === null) {
    throw new ModelSetupError(model.id, 'baseURL is missing, for example http://127.0.0.1:8000/v1')
  }
  const url = checkedUrl(model.id, baseURL ?? own.url ?? '')
  const keyVariables = apiKeyEnv === undefined ? own.keyVariables : [[apiKeyEnv]]
  const isStandard = keyVariables.every((names) => isOwnPair(names, url, own))
  const pairing = keyVariables.length === 0 ? 'none' : isStandard ? 'standard' : 'foreign'
  return { model: model.id, provider: model.provider, name: model.name, url, keyVariables, pairing, region: own.region }
}

/** Throws before anything is sent if a key would go to a host that may not receive it. */
export function checkPairing({ model, url, keyVariables, pairing }: ModelAddress, trustConfig: boolean): void {
  if (pairing === 'none') return
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new ModelSetupError(model, `a key would be sent over http to ${url.host}. Use https, or no key`)
  }
  if (pairing === 'standard' || trustConfig) return
  const variables = keyVariables.map((names) => names.join(' and ')).join(' or ')
  throw new ModelSetupError(
    model,
    `${variables} would be sent to ${url.host}. If that is intended, pass --trust-config once`,
  )
}

/** The keys to send, by variable. Throws a ModelError that names a missing variable. */
export function readKeys({ model, keyVariables }: ModelAddress, env: Environment): ReadonlyMap<string, string> {
  if (keyVariables.length === 0) return new Map()
  const variables = keyVariables.find((names) => names.every((name) => keyOf(env, name) !== ''))
  if (variables === undefined) {
    const wanted = keyVariables.map((names) => names.join(' and ')).join(', or ')
    throw new ModelError('key', `${model}: set ${wanted} in the environment`, { charged: 'no' })
  }
  for (const name of variables) {
    if (!/^[\x21-\x7e]+$/.test(keyOf(env, name))) {
      throw new ModelError('key', `${model}: ${name} contains characters that no key has`, { charged: 'no' })
    }
  }
  return new Map(variables.map((name) => [name, keyOf(env, name)]))
}

function keyOf(env: Environment, name: string): string {
  return env[name]?.trim() ?? ''
}

function placeOf({ standard, place }: Provider, context: PlaceContext): ProviderPlace {
  if (standard === null) return place?.(context) ?? { url: null, keyVariables: [], region: null }
  return { url: standard.url, keyVariables: [[standard.variable]], region: null }
}

/** Whether a provider's own variable goes to its own host, even through the adapter of another provider. */
function isOwnPair(names: readonly string[], url: URL, own: ProviderPlace): boolean {
  const isOwn = own.keyVariables.includes(names) && own.url !== null && url.origin === new URL(own.url).origin
  return isOwn || STANDARD_PAIRS.some(([variable, origin]) => names.join() === variable && url.origin === origin)
}

/** The variable and the origin of every provider with a standard address. */
const STANDARD_PAIRS: readonly (readonly [variable: string, origin: string])[] = Object.values(
  REMOTE_PROVIDERS,
).flatMap(({ standard }) => (standard === null ? [] : [[standard.variable, new URL(standard.url).origin] as const]))

function checkedUrl(model: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ModelSetupError(model, 'baseURL must be an http or https address')
  }
  if (url.username !== '' || url.password !== '') {
    throw new ModelSetupError(
      model,
      'baseURL contains a user or a password. Keys come from the environment (apiKeyEnv)',
    )
  }
  if (url.search !== '' || url.hash !== '') {
    throw new ModelSetupError(model, 'baseURL must end with its path, without ? or #')
  }
  return url
}
