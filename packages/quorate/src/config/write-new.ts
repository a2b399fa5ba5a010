import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, rm, writeFile } from 'node:fs/promises'
import { FileError } from '../files/file-error.ts'
import { plainText } from '../text/plain-text.ts'

export interface NewFile {
  readonly path: string
  readonly text: string
}

/** Writes all files or none, each atomically. A file that already exists is not changed and is an error. */
export async function writeNew(files: readonly NewFile[]): Promise<void> {
  const there = files.find(({ path }) => existsSync(path))
  if (there !== undefined) throw alreadyThere(there.path)
  const written: string[] = []
  try {
    for (const file of files) {
      await writeOne(file)
      written.push(file.path)
    }
  } catch (error) {
    await Promise.all(written.map((path) => rm(path, { force: true })))
    throw error
  }
}

export function alreadyThere(path: string): FileError {
  return new FileError(`${plainText(path)} already exists and was not changed: choose another folder, or move the file`)
}

/** Unlike a rename, a link fails if the name is taken. */
async function writeOne({ path, text }: NewFile): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`
  try {
    await writeFile(draft, text, { flag: 'wx' })
    await link(draft, path)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : ''
    if (code === 'EEXIST') throw alreadyThere(path)
    throw new FileError(`cannot write ${plainText(path)}`, { cause })
  } finally {
    await rm(draft, { force: true })
  }
}
