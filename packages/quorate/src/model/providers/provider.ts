import type { Adapter } from '../ai-sdk-model.ts'
import type { SettingName } from '../dropped-settings.ts'
import type { Environment } from '../redact-secrets.ts'

/** Everything that quorate knows about one provider. A provider is one file here and one line in `providers.ts`. */
export interface Provider {
  /** The provider's own address and the variable of its key; null where both depend on the config or the region. */
  readonly standard: { readonly url: string; readonly variable: string } | null
  /** Where the provider is and which variables hold its keys, where that is not `standard`. Throws ModelSetupError. */
  readonly place?: (context: PlaceContext) => ProviderPlace
  readonly adapter: Adapter
  /** Settings that this model is known to drop. */
  drops(name: string): readonly SettingName[]
  /** Whether this model answers in a JSON Schema that is sent with the request. Others answer between marks. */
  hasStructuredOutput(name: string): boolean
  readonly prices: ListedPrices
}

export interface PlaceContext {
  /** Of the model, for messages. */
  readonly id: string
  readonly env: Environment
  readonly baseURL: string | undefined
}

export interface ProviderPlace {
  /** Null: the config must name it. */
  readonly url: string | null
  /** Of the sets of variables the first that is complete is sent; none: no key. */
  readonly keyVariables: readonly (readonly string[])[]
  /** AWS only. */
  readonly region: string | null
}

/** Dollars per million tokens, in and out, by the page that says so and by the model's name at the provider. */
export type ListedPrices = Readonly<
  Record<string, Readonly<Record<string, readonly [inputUsd: number, outputUsd: number]>>>
>

/** The key of providers that take one. Never undefined: the SDKs would look in the environment themselves. */
export function firstKey(keys: ReadonlyMap<string, string>): string {
  const [key = ''] = keys.values()
  return key
}
