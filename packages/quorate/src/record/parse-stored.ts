import type { z } from 'zod'
import { StoreError } from './store-error.ts'

/**
 * Stored JSON as its record. `where` names it in the error, such as "the question" or "decision 7". Nobody but the program
 * writes the store, so what does not fit was changed from outside.
 */
export function parseStored<Schema extends z.ZodType>(schema: Schema, text: string, where: string): z.output<Schema> {
  const read = schema.safeParse(jsonOf(text))
  if (read.success) return read.data
  const message = `store: ${where} cannot be read: another program changed it. Restore a backup`
  throw new StoreError('damaged', message, { cause: read.error })
}

/** The same where stored JSON may be another record, or may have lost what is read: null unless it fits. */
export function findStored<Schema extends z.ZodType>(schema: Schema, text: string | null): z.output<Schema> | null {
  const read = schema.safeParse(text === null ? null : jsonOf(text))
  return read.success ? read.data : null
}

/** Stored JSON as it stands, for what is passed on or compared unread; undefined where it is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
