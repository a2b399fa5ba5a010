import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { FileError } from '../../files/file-error.ts'
import { plainText } from '../../text/plain-text.ts'

/** Letters that are gathered before they are written. */
const BATCH = 256 * 1024

/**
 * One line after the other, beside its place first: a reader never sees half a file, and nothing is left of one that
 * could not be written. How many there were. What the lines themselves throw is thrown on as it is.
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

/** Whether a file can be written there, before anything is spent on what it is to hold. */
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
