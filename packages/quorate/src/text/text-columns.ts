import { stripVTControlCharacters } from 'node:util'

const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const MARK = /\p{M}/u

/** Columns that a text takes in a terminal. Colours take none, East Asian letters and emoji take two. */
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

/** Shortens a text to so many columns. A text that is too long keeps both ends, which distinguish names, around an ellipsis. */
export function shortenedText(text: string, columns: number): string {
  if (textColumns(text) <= columns) return text
  const letters = [...text]
  const head = lettersWithin(letters, Math.ceil((columns - 1) / 2))
  const tail = lettersWithin(letters.toReversed(), Math.floor((columns - 1) / 2)).toReversed()
  return `${head.join('')}…${tail.join('')}`
}

/** The most code points of a beginning for each column. Marks need no column, and a letter may have any number of them. */
const MOST_MARKED = 4

/** The beginning of a text, with an ellipsis if it is longer. */
export function beginningText(text: string, columns: number): string {
  const letters = [...text]
  const most = MOST_MARKED * columns
  if (letters.length <= most && textColumns(text) <= columns) return text
  return `${lettersWithin(letters.slice(0, most), columns - 1).join('')}…`
}

function lettersWithin(letters: readonly string[], columns: number): string[] {
  let used = 0
  const end = letters.findIndex((letter) => {
    used += letterColumns(letter)
    return used > columns
  })
  return letters.slice(0, end < 0 ? letters.length : end)
}
