import { FileError } from '../files/file-error.ts'
import { plainText } from '../text/plain-text.ts'
import { textChunks } from './text-chunks.ts'

export interface TextLine {
  /** From 1. */
  readonly number: number
  readonly text: string
}

/** Longer than any question; a file without line ends must not fill the memory. */
const LONGEST_LINE = 16 * 2 ** 20

/**
 * Lines that end in \n or \r\n and in nothing else: JSON may hold U+2028 and U+2029 as they are, at which Node's own
 * readline would cut.
 */
export async function* textLines(path: string): AsyncGenerator<TextLine> {
  let number = 1
  let rest = ''
  for await (const chunk of textChunks(path)) {
    const pieces = chunk.split('\n')
    rest += pieces[0] ?? ''
    for (const piece of pieces.slice(1)) {
      yield { number, text: withoutReturn(rest) }
      number++
      rest = piece
    }
    if (rest.length > LONGEST_LINE) {
      throw new FileError(
        `${plainText(path)}: line ${number}: expected at most ${LONGEST_LINE} characters on a line, got more`,
      )
    }
  }
  if (rest !== '') yield { number, text: withoutReturn(rest) }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
