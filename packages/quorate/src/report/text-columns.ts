import { stripVTControlCharacters } from 'node:util'

const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const MARK = /\p{M}/u

/** Columns that a text takes in a terminal; colours take none, East Asian letters and emoji two. */
export function textColumns(text: string): number {
  let columns = 0
  for (const letter of stripVTControlCharacters(text)) columns += letterColumns(letter)
  return columns
}

export function padStartColumns(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - textColumns(text))) + text
}

export function padEndColumns(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textColumns(text)))
}

/** Columns of one code point. */
export function letterColumns(letter: string): number {
  if (MARK.test(letter)) return 0
  return WIDE.test(letter) ? 2 : 1
}
