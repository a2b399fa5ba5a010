import { StoreError } from '../record/store-error.ts'

/** Half of a surrogate pair without the other half. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** Accepts only values that both engines store alike. SQLite would keep other numbers unchanged, PostgreSQL would round. */
export function checkedParameter(value: unknown): string | number | null {
  if (typeof value === 'string') return checkedText(value)
  if (value === null || (typeof value === 'number' && Number.isSafeInteger(value))) return value
  throw new StoreError('invalid', `store: expected text, an integer or null, got ${String(value)}`)
}

export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text)
}

/** Whether both engines return the text unchanged. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && isWellFormed(text)
}

/** Replaces what cannot be stored with U+FFFD, for text from outside, such as a provider's error. */
export function storableText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd').replaceAll('\0', '\ufffd')
}

/** The size of a page: an integer of at least 1. */
export function checkedLimit(limit: number): number {
  if (!(Number.isInteger(limit) && limit > 0)) {
    throw new StoreError('invalid', `store: expected a page of at least 1 row, got ${limit}`)
  }
  return limit
}

/**
 * Refuses text that an engine would not return unchanged: PostgreSQL cannot store NUL, and half a surrogate pair has no
 * UTF-8. JSON text escapes both, so only plain text (ids, names) can be refused.
 */
function checkedText(text: string): string {
  if (!isStorable(text)) {
    throw new StoreError(
      'invalid',
      `store: expected text without NUL and lone surrogates, got ${JSON.stringify(text.slice(0, 60))}`,
    )
  }
  return text
}
