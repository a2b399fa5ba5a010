import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { FileError } from '../../files/file-error.ts'
import { plainText } from '../../text/plain-text.ts'

/** Characters that are collected before they are written. */
const BATCH = 256 * 1024

/**
 * Writes the lines to a temporary file, then renames it: a reader never sees half a file, and a failed write leaves nothing
 * behind. Returns the number of lines. Errors of `lines` are rethrown unchanged.
 */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<number> {
  const draft = await openDraft(path)
  let count = 0
  try {
    let batch = ''
    for await (const line of lines) {
      count += 1
      batch += `${line}\n`
      if (batch.length < BATCH) continue
      await write(path, draft.file, batch)
      batch = ''
    }
    await write(path, draft.file, batch)
    await draft.file.close()
    await rename(draft.path, path).catch((cause: unknown) => {
      throw cannotWrite(path, cause)
    })
    return count
  } catch (error) {
    await draft.file.close().catch(() => {}) // the first error is the one to report
    await rm(draft.path, { force: true })
    throw error
  }
}

/** Throws if no file can be written there, before money is spent on its content. */
export async function checkWritable(path: string): Promise<void> {
  const draft = await openDraft(path)
  await draft.file.close()
  await rm(draft.path, { force: true })
}

async function openDraft(path: string): Promise<{ readonly path: string; readonly file: FileHandle }> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (isFolder) throw new FileError(`cannot write ${plainText(path)}: it is a folder`)
  const draft = `${path}.${randomUUID()}.part`
  try {
    return { path: draft, file: await open(draft, 'wx') }
  } catch (cause) {
    throw cannotWrite(path, cause)
  }
}

async function write(path: string, file: FileHandle, text: string): Promise<void> {
  try {
    await file.writeFile(text)
  } catch (cause) {
    throw cannotWrite(path, cause)
  }
}

function cannotWrite(path: string, cause: unknown): FileError {
  return new FileError(`cannot write ${plainText(path)}`, { cause })
}
