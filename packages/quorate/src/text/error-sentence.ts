import { plainText } from './plain-text.ts'

/** What an error says, and behind it what caused it. Causes quote files and names of files: nothing steers a terminal. */
export function errorSentence(error: unknown): string {
  if (!(error instanceof Error)) return plainText(String(error))
  const message = systemReason(error) ?? plainText(error.message)
  if (error.cause === undefined) return message
  const cause = errorSentence(error.cause)
  return message.includes(cause) ? message : `${message}: ${cause}`
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'it is not open to you',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'no space is left',
  EROFS: 'the disk can only be read',
}

/** A system's own words for the usual reasons would only repeat the name of the file. */
function systemReason(error: Error): string | undefined {
  const code = 'code' in error ? String(error.code) : ''
  return Object.hasOwn(REASONS, code) ? REASONS[code] : undefined
}
