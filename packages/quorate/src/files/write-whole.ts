import { randomUUID } from 'node:crypto'
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { plainText } from '../text/plain-text.ts'
import { FileError } from './file-error.ts'

/** Creates a folder and its parents. An existing folder keeps its mode. */
export async function makeFolder(path: string, { mode = 0o777 } = {}): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode })
  } catch (cause) {
    const found = await lstat(path).catch(() => undefined)
    const reason = found?.isFile() ? 'it is a file' : 'it cannot be made'
    throw new FileError(`${plainText(path)} must be a folder: ${reason}`, { cause })
  }
}

/** Creates a folder inside one that others may write to. A link is refused, because it would carry our files elsewhere. */
export async function makeOwnFolder(path: string): Promise<void> {
  await makeFolder(path)
  if (!(await lstat(path)).isDirectory()) throw new FileError(`${plainText(path)} must be a folder: it is a link`)
}

/**
 * Writes a file beside its destination under a name that nobody can predict, then renames it. A reader never sees half a file.
 */
export async function writeWhole(
  path: string,
  text: string | Iterable<string> | AsyncIterable<Buffer>,
  { mode = 0o666 } = {},
): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`
  try {
    await writeFile(draft, text, { flag: 'wx', mode })
    await rename(draft, path)
  } catch (cause) {
    await rm(draft, { force: true })
    // The content could not be made, so the file is not to blame.
    if (cause instanceof FileError) throw cause
    throw new FileError(`cannot write ${plainText(path)}`, { cause })
  }
}
