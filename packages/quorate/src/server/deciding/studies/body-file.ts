import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Writes the content to a temporary file, which other processes can read, and deletes it after the work. */
export async function withFile<Result>(
  content: ReadableStream<Uint8Array> | AsyncIterable<string>,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'quorate-'))
  try {
    const path = join(folder, 'debates.jsonl')
    await pipeline(Readable.from(content), createWriteStream(path, { mode: 0o600 }))
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
