import { z } from 'zod'
import { LIMITS } from './limits.ts'

/** Ids, groups and names of agents: one line of text that can be shown and stored as it is. */
export const PLAIN_NAME = /^[^\p{Cc}\p{Cs}]*$/u
export const PLAIN_NAME_WORDS = 'text without control characters and halves of surrogate pairs'
export const ID_WORDS = 'any id except "." and "..", which a URL cannot contain'

/** URL parsers remove these from a path, even if they are escaped. */
export function isDotSegment(id: string): boolean {
  return id === '.' || id === '..'
}

export const nameSchema = z.string().min(1).max(LIMITS.name)
export const plainNameSchema = nameSchema.regex(PLAIN_NAME, PLAIN_NAME_WORDS)
export const idSchema = plainNameSchema.refine((id) => !isDotSegment(id), ID_WORDS)
/** A text that is not blank, trimmed. `expected` ends the sentence "KEY must be ...". */
export function trimmedText(expected: string, most: number) {
  return z.string({ error: expected }).trim().min(1, { error: expected }).max(most, { error: expected })
}

/** The name of an environment variable. A pasted key does not match, so it is refused instead of looked up. */
export function variableName(example: string) {
  const error = `the name of an environment variable in capitals, such as ${example}`
  return z.string({ error }).regex(/^[A-Z_][A-Z0-9_]{0,63}$/, { error })
}

export const textSchema = z.string().max(LIMITS.text)
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/)
export const shareSchema = z.number().min(0).max(1)
/** Milliseconds since 1970. */
export const timeSchema = z.int()
/** Version of a line in a file that people exchange. */
export const versionSchema = z
  .literal(1)
  .optional()
  .describe('Version of the format; a file without it is read as version 1')
