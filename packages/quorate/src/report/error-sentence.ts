import { plainText } from './plain-text.ts'

/** What an error says, and behind it what caused it. Causes quote files and names of files: nothing steers a terminal. */
export function errorSentence(error: unknown): string {
  if (!(error instanceof Error)) return plainText(String(error))
  const message = plainText(error.message)
  return error.cause === undefined ? message : `${message}: ${errorSentence(error.cause)}`
}
