/** The command was called with wrong arguments. The message explains what is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
