/** What an error says, and behind it what caused it. */
export function errorSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${errorSentence(error.cause)}`
}
