import { letterColumns, textColumns } from './text-columns.ts'

/** Breaks a text at spaces into lines of at most `columns` columns. A word that is longer is broken too. */
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

/** Wraps and indents a text; `head` stands before its first line. */
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
