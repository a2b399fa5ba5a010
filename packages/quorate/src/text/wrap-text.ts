import { letterColumns, textColumns } from './text-columns.ts'

/** Lines of at most `columns` columns, broken at spaces; a longer word is broken where it must. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((whole) => pieces(whole, columns))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (textColumns(longer) <= columns) {
      line = longer
    } else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

/** Wrapped and indented, the first line behind `head`. */
export function hangingText(head: string, text: string, columns: number): string[] {
  const indent = textColumns(head)
  return wrapText(text, columns - indent).map((line, index) => (index === 0 ? head : ' '.repeat(indent)) + line)
}

function pieces(word: string, columns: number): string[] {
  if (textColumns(word) <= columns) return [word]
  const found = ['']
  let taken = 0
  for (const letter of word) {
    const more = letterColumns(letter)
    if (taken + more <= columns) {
      found[found.length - 1] += letter
      taken += more
    } else {
      found.push(letter)
      taken = more
    }
  }
  return found
}
