import { z } from 'zod'
import { everyModel } from '../../config/resolve-config.ts'
import type { PriceTable } from '../../model/price-table.ts'
import { priceOf } from '../../model/prices.ts'
import { parseStored } from '../../record/parse-stored.ts'
import { WEBHOOK_EVENTS } from '../../record/webhook-event.ts'
import type { Deciding } from '../deciding.ts'
import type { RunPlan } from '../run-plan.ts'
import type { NamedTarget } from '../webhook-messages.ts'

/** What a worker must know about a run, in addition to its own config and the row of the run. */
export interface SharedOptions {
  readonly allowMismatch: boolean
  readonly allowUnpriced: boolean
  /** Ids of calibration questions that are decided anyway. */
  readonly seen: readonly string[]
  /** Prices of the panel's models, by id. A cap counts with the prices of the process that set it. Null: each worker's own. */
  readonly prices: PriceTable | null
  /** Share of answers that may be unreadable; null: the default. */
  readonly maxUnreadable: number | null
  /** Null: a run of the command line, which ends when no question is pending. */
  readonly served: ServedTerms | null
}

/** The terms of a server for the processes that decide its questions. */
export interface ServedTerms {
  readonly allowSeen: boolean
  /** Targets that receive decisions. */
  readonly targets: readonly NamedTarget[]
}

const optionsSchema = z.object({
  allowMismatch: z.boolean(),
  allowUnpriced: z.boolean(),
  seen: z.array(z.string()),
  prices: z
    .record(z.string(), z.object({ inputMicroUsd: z.number().min(0), outputMicroUsd: z.number().min(0) }))
    .nullable()
    .default(null),
  maxUnreadable: z.number().min(0).max(1).nullable().default(null),
  served: z
    .object({
      allowSeen: z.boolean(),
      targets: z.array(z.object({ name: z.string(), events: z.array(z.enum(WEBHOOK_EVENTS)) })),
    })
    .nullable()
    .default(null),
})

type Priced = Pick<RunPlan, 'panel' | 'prices' | 'allowUnpriced' | 'maxUnreadable'>

export function writeOptions(
  deciding: Deciding | null,
  { plan, served }: { readonly plan: Priced; readonly served: SharedOptions['served'] },
): string {
  const { allowMismatch = false, seen = new Set<string>() } = deciding ?? {}
  const { allowUnpriced, maxUnreadable = null } = plan
  const permitted = { allowMismatch, allowUnpriced, seen: [...seen], maxUnreadable }
  const options: SharedOptions = { ...permitted, prices: pricesOf(plan), served }
  return JSON.stringify(options)
}

export function readOptions(text: string): SharedOptions {
  return parseStored(optionsSchema, text, 'the options of a shared run')
}

function pricesOf({ panel, prices }: Priced): PriceTable {
  const rows = everyModel(panel).flatMap(({ model }) => {
    const price = priceOf(model, prices)
    // Models without a provider cost nothing wherever they run, even if their tokens are not counted.
    const isKnown = price !== null && (Object.hasOwn(prices, model) || price.inputMicroUsd + price.outputMicroUsd > 0)
    return isKnown ? [[model, price] as const] : []
  })
  return Object.fromEntries(rows)
}
