import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { plainText } from '../text/plain-text.ts'
import { FileError } from './file-error.ts'

/** Longer than any debate and short enough for memory. A file without line ends must not fill the memory. */
const LONGEST_LINE = 32 * 1024 * 1024

/**
 * Reads the lines of a text file, without their line feeds. Only a line feed ends a line: a carriage return before it
 * stays, which JSON allows, and JSON may contain the Unicode line separators, at which Node's own reader would split.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest = ''
  let lines = 0
  for await (const chunk of chunksOf(path)) {
    // A long line is not searched again from its beginning with every chunk.
    const parts = chunk.includes('\n') ? (rest + chunk).split('\n') : [rest + chunk]
    rest = parts.pop() ?? ''
    for (const part of parts) yield lines++ === 0 ? withoutMark(part) : part
    if (rest.length > LONGEST_LINE) {
      throw new FileError(
        `${plainText(path)}: line ${lines + 1} must have at most ${LONGEST_LINE} characters, got more`,
      )
    }
  }
  if (rest !== '') yield lines === 0 ? withoutMark(rest) : rest
}

/** The value of a line of JSONL. `place` names the line. */
export function parseLine(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new FileError(`${place} must be one JSON object, got ${JSON.stringify(plainText(text).slice(0, 60))}`, {
      cause,
    })
  }
}

async function* chunksOf(path: string): AsyncGenerator<string> {
  await refusePipes(path)
  try {
    yield* createReadStream(path, { encoding: 'utf8', highWaterMark: 256 * 1024 })
  } catch (cause) {
    throw new FileError(`cannot read ${plainText(path)}`, { cause })
  }
}

/** Every process reads the file for itself. A pipe can be read only once, so each process would see a part of it. */
async function refusePipes(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || found.isFile() || found.isDirectory()) return // reading reports the error
  throw new FileError(
    `${plainText(path)} must be a regular file, because it is read more than once: save its content to a file first`,
  )
}

/** Some editors write a byte order mark at the beginning of a file. */
function withoutMark(line: string): string {
  return line.startsWith('\ufeff') ? line.slice(1) : line
}
