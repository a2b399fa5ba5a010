import { z } from 'zod'
import type { Deciding } from '../runs/deciding.ts'

/** What a worker must know of a run beside its own config and the run's row. */
export interface SharedOptions {
  readonly allowMismatch: boolean
  readonly allowUnpriced: boolean
  /** Calibration questions that are decided all the same. */
  readonly seen: readonly string[]
}

const optionsSchema = z.object({
  allowMismatch: z.boolean(),
  allowUnpriced: z.boolean(),
  seen: z.array(z.string()),
})

export function writeOptions(deciding: Deciding | null, allowUnpriced: boolean): string {
  const { allowMismatch = false, seen = new Set<string>() } = deciding ?? {}
  const options: SharedOptions = { allowMismatch, allowUnpriced, seen: [...seen] }
  return JSON.stringify(options)
}

export function readOptions(text: string): SharedOptions {
  return optionsSchema.parse(JSON.parse(text))
}
