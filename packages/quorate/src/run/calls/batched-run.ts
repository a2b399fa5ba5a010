import { everyModel, type ResolvedConfig } from '../../config/resolve-config.ts'
import type { BatchJournal } from '../../model/batch/batch-fetch.ts'
import type { PriceTable } from '../../model/price-table.ts'
import { priceOf } from '../../model/prices.ts'
import { batchApiOf, type ModelReference, parseModelReference, REMOTE_PROVIDERS } from '../../model/providers.ts'
import { batchKeysSchema } from '../../record/call.ts'
import { parseStored } from '../../record/parse-stored.ts'
import type { BatchStore } from '../../store/store.ts'
import { RunError } from '../run-plan.ts'

const HOUR_MS = 3_600_000
/** Providers end a batch after 24 hours, finished or not. */
const BATCH_MS = 26 * HOUR_MS
/** Node's timers count at most 24 days. */
const MOST_MS = 20 * 24 * HOUR_MS
/** The most requests that a batch may have. */
const CALLS_AT_ONCE = 50_000

/**
 * Changes a config so that calls are sent in batches where the provider has them: at the price of batches, all calls of a round
 * at once, and with long time-outs. Calls to other providers keep their limits. Nothing that affects an answer changes, so the hash
 * stays the same.
 */
export function batchedConfig(config: ResolvedConfig): ResolvedConfig {
  const models = everyModel(config.panel).map(({ model }) => parseModelReference(model))
  const batched = models.filter(({ provider }) => batchApiOf(provider) !== null)
  if (batched.length === 0) {
    const providers = Object.keys(REMOTE_PROVIDERS).filter((name) => batchApiOf(name) !== null)
    throw new RunError(
      `--batch needs an agent of ${providers.join(' or ')}, got ${models.map(({ id }) => id).join(', ')}: run without --batch`,
    )
  }
  const { limits, panel } = config
  const { concurrency, providers } = limits.traffic
  const own = everyModel(panel).map(({ model, baseURL }) => {
    const { provider } = parseModelReference(model)
    // The name of the provider in the traffic limits.
    const name = provider === 'openai-compatible' && baseURL !== undefined ? new URL(baseURL).host : provider
    return [name, batchApiOf(provider) !== null ? {} : { concurrency, ...providers[name] }]
  })
  return {
    ...config,
    prices: { ...config.prices, ...batchPrices(batched, config.prices) },
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

function batchPrices(models: readonly ModelReference[], prices: PriceTable): PriceTable {
  return Object.fromEntries(
    models.flatMap(({ id, provider }) => {
      const [price, api] = [priceOf(id, prices), batchApiOf(provider)]
      if (price === null || api === null) return []
      const { inputMicroUsd, outputMicroUsd } = price
      return [[id, { inputMicroUsd: inputMicroUsd * api.priceShare, outputMicroUsd: outputMicroUsd * api.priceShare }]]
    }),
  )
}

/** Providers keep the answers of a batch for 29 or 30 days. */
const KEPT_MS = 30 * 24 * HOUR_MS

/** Counts batches of earlier processes whose answers were not read; none if no agent of the panel could be in one. */
export async function unreadBatches(
  { panel }: ResolvedConfig,
  openBatches: () => Promise<BatchStore>,
  now: number,
): Promise<{ readonly batches: number; readonly calls: number }> {
  const isBatched = everyModel(panel).some(({ model }) => batchApiOf(parseModelReference(model).provider) !== null)
  if (!isBatched) return { batches: 0, calls: 0 }
  const open = (await (await openBatches()).list()).filter(({ at }) => now - at < KEPT_MS)
  const keys = open.map(({ id, keys: text }) => parseStored(batchKeysSchema, text, `the requests of batch ${id}`))
  return { batches: open.length, calls: keys.reduce((sum, { length }) => sum + length, 0) }
}

/** The batches in the store. The store is opened when the first batch needs it. */
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
