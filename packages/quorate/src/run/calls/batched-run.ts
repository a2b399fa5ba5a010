import type { ResolvedConfig } from '../../config/resolve-config.ts'
import { everyModel } from '../../config/resolve-config.ts'
import { BATCH_PRICE_SHARE } from '../../model/batch/batch-api.ts'
import type { BatchJournal } from '../../model/batch/batch-fetch.ts'
import { hasBatches } from '../../model/create-model.ts'
import type { PriceTable } from '../../model/price-table.ts'
import { priceOf } from '../../model/prices.ts'
import { parseModelReference } from '../../model/providers.ts'
import { batchKeysSchema } from '../../record/call.ts'
import { parseStored } from '../../record/parse-stored.ts'
import type { BatchStore } from '../../store/store.ts'
import { RunError } from '../run-plan.ts'

const HOUR_MS = 3_600_000
/** Providers end a batch after a day, done or not. */
const BATCH_MS = 26 * HOUR_MS
/** A timer of Node's counts no further than 24 days. */
const MOST_MS = 20 * 24 * HOUR_MS
/** As many as a batch may hold. */
const CALLS_AT_ONCE = 50_000

/**
 * A config whose calls to OpenAI and Anthropic are answered in batches: at half the price, all of a round at once, and with
 * time to wait. Calls to other providers keep their limits. Nothing that decides over an answer changes, so neither does
 * the hash.
 */
export function batchedConfig(config: ResolvedConfig): ResolvedConfig {
  const models = everyModel(config.panel).map(({ model }) => parseModelReference(model))
  const batched = models.filter(({ provider }) => hasBatches(provider))
  if (batched.length === 0) {
    throw new RunError(
      `--batch needs an agent of OpenAI or Anthropic, got ${models.map(({ id }) => id).join(', ')}: run without --batch`,
    )
  }
  const { limits, panel } = config
  const { concurrency, providers } = limits.traffic
  const own = everyModel(panel).map(({ model, baseURL }) => {
    const { provider } = parseModelReference(model)
    // The name that traffic knows its provider by.
    const name = provider === 'openai-compatible' && baseURL !== undefined ? new URL(baseURL).host : provider
    return [name, hasBatches(provider) ? {} : { concurrency, ...providers[name] }]
  })
  return {
    ...config,
    prices: { ...config.prices, ...halved(batched, config.prices) },
    limits: {
      ...limits,
      debateTimeoutMs: Math.min(MOST_MS, 2 * BATCH_MS * Math.max(1, panel.rounds)),
      traffic: {
        ...limits.traffic,
        concurrency: CALLS_AT_ONCE,
        timeoutMs: BATCH_MS,
        providers: { ...providers, ...Object.fromEntries(own) },
      },
    },
  }
}

function halved(models: readonly { readonly id: string }[], prices: PriceTable): PriceTable {
  return Object.fromEntries(
    models.flatMap(({ id }) => {
      const price = priceOf(id, prices)
      if (price === null) return []
      const { inputMicroUsd, outputMicroUsd } = price
      return [
        [id, { inputMicroUsd: inputMicroUsd * BATCH_PRICE_SHARE, outputMicroUsd: outputMicroUsd * BATCH_PRICE_SHARE }],
      ]
    }),
  )
}

/** Providers keep the answers of a batch for 29 or 30 days. */
const KEPT_MS = 30 * 24 * HOUR_MS

/** What earlier processes sent in batches and nobody has read; none where no agent could have been in one. */
export async function unreadBatches(
  { panel }: ResolvedConfig,
  openBatches: () => Promise<BatchStore>,
  now: number,
): Promise<{ readonly batches: number; readonly calls: number }> {
  const isBatched = everyModel(panel).some(({ model }) => hasBatches(parseModelReference(model).provider))
  if (!isBatched) return { batches: 0, calls: 0 }
  const open = (await (await openBatches()).list()).filter(({ at }) => now - at < KEPT_MS)
  const keys = open.map(({ id, keys: text }) => parseStored(batchKeysSchema, text, `the requests of batch ${id}`))
  return { batches: open.length, calls: keys.reduce((sum, { length }) => sum + length, 0) }
}

/** Batches in the store, which is opened with the first of them. */
export function storedBatches(openBatches: () => Promise<BatchStore>, now: () => number): BatchJournal {
  return {
    open: async ({ id, url, keys }) => (await openBatches()).open({ id, url, keys: JSON.stringify(keys), at: now() }),
    sent: async (id, remoteId) => (await openBatches()).sent(id, remoteId),
    forget: async (id) => (await openBatches()).forget(id),
    list: async () =>
      (await (await openBatches()).list()).map(({ id, url, remoteId, keys }) => ({
        id,
        url,
        remoteId,
        keys: parseStored(batchKeysSchema, keys, `the requests of batch ${id}`),
      })),
  }
}
