import { z } from 'zod'
import { WEBHOOK_EVENTS } from '../config/webhooks.ts'
import type { NamedTarget } from '../runs/announce.ts'
import type { Deciding } from '../runs/deciding.ts'

/** What a worker must know of a run beside its own config and the run's row. */
export interface SharedOptions {
  readonly allowMismatch: boolean
  readonly allowUnpriced: boolean
  /** Calibration questions that are decided all the same. */
  readonly seen: readonly string[]
  /** Null: a run of the command line, which ends when nothing is pending. */
  readonly served: ServedTerms | null
}

/** What a server that takes questions in asks of whoever decides them. */
export interface ServedTerms {
  readonly allowSeen: boolean
  /** Who is told of decisions. */
  readonly targets: readonly NamedTarget[]
}

const optionsSchema = z.object({
  allowMismatch: z.boolean(),
  allowUnpriced: z.boolean(),
  seen: z.array(z.string()),
  served: z
    .object({
      allowSeen: z.boolean(),
      targets: z.array(z.object({ name: z.string(), events: z.array(z.enum(WEBHOOK_EVENTS)) })),
    })
    .nullable()
    .default(null),
})

export function writeOptions(
  deciding: Deciding | null,
  { allowUnpriced, served }: Pick<SharedOptions, 'allowUnpriced' | 'served'>,
): string {
  const { allowMismatch = false, seen = new Set<string>() } = deciding ?? {}
  const options: SharedOptions = { allowMismatch, allowUnpriced, seen: [...seen], served }
  return JSON.stringify(options)
}

export function readOptions(text: string): SharedOptions {
  return optionsSchema.parse(JSON.parse(text))
}
