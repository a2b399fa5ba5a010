import type { Adapter } from '../ai-sdk-model.ts'
import type { BatchApi } from '../batch/batch-api.ts'
import type { SettingName } from '../dropped-settings.ts'
import type { Environment } from '../redact-secrets.ts'

/** Everything that quorate knows about one provider. A provider is one file here and one line in `providers.ts`. */
export interface Provider {
  /** The provider's own address and the variable of its key; null if both depend on the config or the region. */
  readonly standard: { readonly url: string; readonly variable: string } | null
  /** The address and the key variables of a provider without a `standard`. Throws ModelSetupError. */
  readonly place?: (context: PlaceContext) => ProviderPlace
  readonly adapter: Adapter
  /** Its interface for batches. Absent: we know none. */
  readonly batch?: BatchApi
  /** Settings that this model is known to drop. */
  drops(name: string): readonly SettingName[]
  /** Whether this model follows a JSON Schema that is sent with the request. Others answer between tags. */
  hasStructuredOutput(name: string): boolean
  readonly prices: ListedPrices
}

export interface PlaceContext {
  /** Id of the model, for messages. */
  readonly id: string
  readonly env: Environment
  readonly baseURL: string | undefined
}

export interface ProviderPlace {
  /** Null: the config must name it. */
  readonly url: string | null
  /** Alternative sets of variables, of which the first complete set is sent; empty: no key. */
  readonly keyVariables: readonly (readonly string[])[]
  /** AWS only. */
  readonly region: string | null
}

/** US dollars per million tokens, input and output, by the page that lists them and by the model's name at the provider. */
export type ListedPrices = Readonly<
  Record<string, Readonly<Record<string, readonly [inputUsd: number, outputUsd: number]>>>
>

/** The key of a provider that takes one. Never undefined, because the SDKs would then read the environment themselves. */
export function firstKey(keys: ReadonlyMap<string, string>): string {
  const [key = ''] = keys.values()
  return key
}
