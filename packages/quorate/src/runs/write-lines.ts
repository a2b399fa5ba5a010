import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { FileError } from '../files/file-error.ts'
import { plainText } from '../report/plain-text.ts'

/** One line after the other, beside its place first: a reader never sees half a file. How many there were. */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<number> {
  const draft = `${path}.${randomUUID()}.part`
  const stream = createWriteStream(draft, { flags: 'wx' })
  let count = 0
  try {
    for await (const line of lines) {
      count += 1
      if (!stream.write(`${line}\n`)) await once(stream, 'drain')
    }
    stream.end()
    await finished(stream)
    await rename(draft, path)
    return count
  } catch (cause) {
    stream.destroy()
    await rm(draft, { force: true })
    throw new FileError(`cannot write ${plainText(path)}`, { cause })
  }
}
