/** A file cannot be used. The message says which file, where in it, what was expected and what was received. */
export class FileError extends Error {
  override readonly name = 'FileError'
}
