import { constants } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { TextDecoder } from 'node:util'
import { plainText } from '../text/plain-text.ts'
import { FileError } from './file-error.ts'

/** A line with every byte that it has. Nothing is left out and nothing is replaced. */
export interface ExactLine {
  /** Null for bytes that are not UTF-8: replacement characters would hide which ones they were. */
  readonly text: string | null
  /** False for a last line without a line feed: the file was truncated there. */
  readonly isEnded: boolean
}

/** The longest string that Node can hold, which no certificate exceeds. A longer line must not fill the memory. */
const LONGEST_LINE = constants.MAX_STRING_LENGTH
const LINE_FEED = 0x0a

/** Reads the lines of a file in which no byte may change unnoticed. One line and one chunk are in memory at a time. */
export async function* exactLines(path: string): AsyncGenerator<ExactLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let pieces: Buffer[] = []
  let length = 0
  for await (const chunk of chunksOf(path)) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      pieces.push(chunk.subarray(start, end))
      yield { text: decoded(decoder, pieces), isEnded: true }
      pieces = []
      length = 0
      start = end + 1
    }
    pieces.push(chunk.subarray(start))
    length += chunk.length - start
    if (length > LONGEST_LINE) throw new FileError(`${plainText(path)}: a line is longer than ${LONGEST_LINE} bytes`)
  }
  if (length > 0) yield { text: decoded(decoder, pieces), isEnded: false }
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: 256 * 1024 })
  } catch (cause) {
    throw new FileError(`cannot read ${plainText(path)}`, { cause })
  }
}

function decoded(decoder: TextDecoder, pieces: readonly Buffer[]): string | null {
  try {
    return decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))
  } catch {
    return null
  }
}
