import { plainText } from '../text/plain-text.ts'

/** A file cannot be used. The message says which file, where in it, what was expected and what was received. */
export class FileError extends Error {
  override readonly name = 'FileError'
}

/** An error that names the place, the expected and the received value, always on one line. */
/** `next`: what the user can do, as a sentence without its full stop. */
export function refusal(place: string, expected: string, received: unknown, next?: string): FileError {
  const advice = next === undefined ? '' : `. ${next}`
  return new FileError(`${place} must be ${expected}, got ${shownValue(received)}${advice}`)
}

/** one of "A", "B" */
export function oneOf(names: readonly string[]): string {
  const listed = names.slice(0, MOST_SHOWN).map(shownValue)
  const hidden = names.length - listed.length
  return `${names.length === 1 ? '' : 'one of '}${listed.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`
}

const LONGEST_SHOWN = 60
const MOST_SHOWN = 12

/** A value in an error, short and on one line. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(clipped(plainText(value)))
  if (Array.isArray(value)) return `an array of ${value.length}`
  return typeof value === 'object' && value !== null
    ? `an object of ${Object.keys(value).length} fields`
    : String(value)
}

function clipped(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text
}
