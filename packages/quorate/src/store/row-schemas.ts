import { z } from 'zod'

/** Pieces of the row schemas. */
export const integer = z.int()
export const flagValue = z.literal([0, 1]).transform((value) => value === 1)
export const jsonText = z.string().refine(isJson, 'expected JSON')
/** Text kept as JSON, which escapes what an engine could not give back unchanged. */
export const jsonString = jsonText.transform((text) => z.string().parse(JSON.parse(text)))

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Rows of one INSERT; PostgreSQL takes 65,535 parameters, SQLite 32,766. */
export const ROWS_AT_ONCE = 200
