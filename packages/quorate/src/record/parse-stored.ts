import type { z } from 'zod'
import { StoreError } from './store-error.ts'

/**
 * Parses a stored record. `where` names it in the error, such as "the question" or "decision 7". Only this program
 * writes the store, so a record that does not fit was changed from outside.
 */
export function parseStored<Schema extends z.ZodType>(schema: Schema, text: string, where: string): z.output<Schema> {
  const read = schema.safeParse(jsonOf(text))
  if (read.success) return read.data
  const message = `store: ${where} cannot be read: another program changed it. Restore a backup`
  throw new StoreError('damaged', message, { cause: read.error })
}

/** Like `parseStored`, for JSON that may be another record or may have lost the fields that are read: null unless it fits. */
export function findStored<Schema extends z.ZodType>(schema: Schema, text: string | null): z.output<Schema> | null {
  const read = schema.safeParse(text === null ? null : jsonOf(text))
  return read.success ? read.data : null
}

/** Parses JSON without checking its shape; undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
