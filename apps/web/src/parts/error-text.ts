/** The message of an error with its full stop, which a message of the server has already. */
export function errorText(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error)
  return words.endsWith('.') ? words : `${words}.`
}
