import { createReadStream } from 'node:fs'
import { FileError } from '../files/file-error.ts'
import { plainText } from '../text/plain-text.ts'

/** A file's text, chunk by chunk, without its byte order mark. Bytes that are not UTF-8 are an error, never guessed at. */
export async function* textChunks(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const bytes of createReadStream(path)) yield decoder.decode(bytes, { stream: true })
    yield decoder.decode()
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw new FileError(`cannot read ${plainText(path)}`, { cause })
    const { line, column } = await brokenPlace(path)
    throw new FileError(
      `${plainText(path)}: line ${line}, character ${column}: expected text in UTF-8, got other bytes. Save the file as UTF-8`,
      { cause },
    )
  }
}

const MARK = [0xef, 0xbb, 0xbf]

export async function beginsWithMark(path: string): Promise<boolean> {
  for await (const bytes of createReadStream(path, { end: MARK.length - 1 })) {
    return MARK.every((byte, index) => (bytes as Buffer)[index] === byte) // a stream without an encoding
  }
  return false
}

const LINE_FEED = 0x0a

/** Line and character, from 1, of the first bytes that are not UTF-8. Only after an error is the file read a second time. */
async function brokenPlace(path: string): Promise<{ readonly line: number; readonly column: number }> {
  let line = 1
  let rest: Buffer = Buffer.alloc(0)
  const place = (bytes: Buffer) => ({ line, column: new TextDecoder('utf-8').decode(bytes).indexOf('\ufffd') + 1 })
  for await (const chunk of createReadStream(path)) {
    rest = Buffer.concat([rest, chunk as Buffer]) // a stream without an encoding
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      if (!isUtf8(rest.subarray(0, end))) return place(rest.subarray(0, end))
      rest = rest.subarray(end + 1)
      line += 1
    }
  }
  return place(rest)
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
