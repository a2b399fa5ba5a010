import { REMOTE_PROVIDERS } from './providers.ts'

/** Micro-dollars per million tokens: a dollar per million is 1,000,000. */
export interface Price {
  readonly inputMicroUsd: number
  readonly outputMicroUsd: number
}

/** By `provider/name`. */
export type PriceTable = Readonly<Record<string, Price>>

/**
 * When these list prices were looked up: standard tier, no cache, no batch, prompts of ordinary length; where the hour
 * counts, the dearer one. Providers change them without notice: check before a large run, and override what changed
 * (`prices` of the config).
 */
export const PRICES_AS_OF = '2026-11-15'

/** A row of the built-in table, with the page that it was read from. */
export interface ListedPrice extends Price {
  readonly source: string
}

/**
 * By `provider/name`, from the files of the providers. A model that is not here has no known price, which is never 0:
 * names that a provider has retired (deepseek-chat and deepseek-reasoner in July 2026) are not here either.
 */
export const PRICE_TABLE: Readonly<Record<string, ListedPrice>> = Object.freeze(
  Object.fromEntries(
    Object.entries(REMOTE_PROVIDERS).flatMap(([provider, { prices }]) =>
      Object.entries(prices).flatMap(([source, rows]) =>
        Object.entries(rows).map(([name, [input, output]]) => [
          `${provider}/${name}`,
          { inputMicroUsd: Math.round(input * 1e6), outputMicroUsd: Math.round(output * 1e6), source },
        ]),
      ),
    ),
  ),
)
