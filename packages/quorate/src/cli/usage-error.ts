/** The command line was called wrongly; the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
