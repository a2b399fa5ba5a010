import { plainText } from './plain-text.ts'

/** The message of an error, followed by its cause. Causes quote files and file names, so control characters are removed. */
export function errorSentence(error: unknown): string {
  if (!(error instanceof Error)) return plainText(String(error))
  const message = systemReason(error) ?? plainText(error.message)
  if (error.cause === undefined || isRepeated(error.cause)) return message
  const cause = errorSentence(error.cause)
  return message.includes(cause) ? message : `${message}: ${cause}`
}

/**
 * Whether the caller's message covers the cause. It names the place of a mistake in a file; the parser would name
 * another place, where it noticed the mistake.
 */
function isRepeated(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code === 'ERR_ENCODING_INVALID_ENCODED_DATA' || /^CSV_|^INVALID_OPENING_QUOTE$/u.test(code)
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
}

/** Replaces the system's message for a usual error, which would only repeat the name of the file. */
function systemReason(error: Error): string | undefined {
  const code = 'code' in error ? String(error.code) : ''
  return Object.hasOwn(REASONS, code) ? REASONS[code] : undefined
}

/** A reason, what was expected and the next step, as one text. A part may lack its full stop. */
export function joinSentences(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part, index, all) => (index === all.length - 1 ? part : part.replace(/\.$/, '')))
    .join('. ')
}
