import { createReadStream } from 'node:fs'
import { FileError } from '../files/file-error.ts'
import { plainText } from '../text/plain-text.ts'

/** A file's text, chunk by chunk, without its byte order mark. Bytes that are no UTF-8 are an error, never guessed at. */
export async function* textChunks(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const bytes of createReadStream(path)) yield decoder.decode(bytes, { stream: true })
    yield decoder.decode()
  } catch (cause) {
    const isEncoding = cause instanceof TypeError
    throw new FileError(
      isEncoding
        ? `${plainText(path)}: expected text in UTF-8, got other bytes; save the file as UTF-8`
        : `cannot read ${plainText(path)}`,
      { cause },
    )
  }
}
