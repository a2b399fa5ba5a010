import { MICRO_USD } from '../record/money.ts'
import { REMOTE_PROVIDERS } from './providers.ts'

/** Micro-dollars per million tokens: a dollar per million is 1,000,000. */
export interface Price {
  readonly inputMicroUsd: number
  readonly outputMicroUsd: number
}

/** By `provider/name`. */
export type PriceTable = Readonly<Record<string, Price>>

/**
 * The date of these list prices: standard tier, no cache, no batch, prompts of ordinary length, and the higher price if
 * it depends on the hour. Providers change prices without notice. Check them before a large run, and override those
 * that changed (`prices` of the config).
 */
export const PRICES_AS_OF = '2026-11-15'

/** A row of the built-in table, with the page that lists the price. */
export interface ListedPrice extends Price {
  readonly source: string
}

/**
 * Prices by `provider/name`, from the files of the providers. A model that is not here has an unknown price, which is
 * never 0. Names that a provider has retired (deepseek-chat and deepseek-reasoner in July 2026) are not here either.
 */
export const PRICE_TABLE: Readonly<Record<string, ListedPrice>> = Object.freeze(
  Object.fromEntries(
    Object.entries(REMOTE_PROVIDERS).flatMap(([provider, { prices }]) =>
      Object.entries(prices).flatMap(([source, rows]) =>
        Object.entries(rows).map(([name, [input, output]]) => [
          `${provider}/${name}`,
          { inputMicroUsd: Math.round(input * MICRO_USD), outputMicroUsd: Math.round(output * MICRO_USD), source },
        ]),
      ),
    ),
  ),
)
