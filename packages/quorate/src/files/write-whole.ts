import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { plainText } from '../report/plain-text.ts'
import { FileError } from './file-error.ts'

export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true })
  } catch (cause) {
    const found = await stat(path).catch(() => undefined)
    const reason = found?.isFile() ? 'it is a file' : 'it cannot be made'
    throw new FileError(`${plainText(path)} must be a folder: ${reason}`, { cause })
  }
}

/** Beside its place first: a reader never sees half a file. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.part`
  try {
    await writeFile(draft, text)
    await rename(draft, path)
  } catch (cause) {
    await rm(draft, { force: true })
    throw new FileError(`cannot write ${plainText(path)}`, { cause })
  }
}
