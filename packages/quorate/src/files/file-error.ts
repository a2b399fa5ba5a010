/** A file that cannot be used: which one, where in it, what was expected and what came. */
export class FileError extends Error {
  override readonly name = 'FileError'
}
