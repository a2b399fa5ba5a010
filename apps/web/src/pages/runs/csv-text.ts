/** A table of text. Each row has as many cells as there are column names. */
export interface CsvTable {
  readonly names: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export type ReadCsv =
  | { readonly kind: 'read'; readonly table: CsvTable }
  | { readonly kind: 'refused'; readonly why: string }

const DELIMITERS = [',', ';', '\t'] as const

/** Parses RFC 4180, with the delimiter that is most frequent in the first line. */
export function readCsv(text: string): ReadCsv {
  const plain = text.replace(/^\uFEFF/, '')
  const [first = ''] = plain.split(/\r?\n/, 1)
  const counts = DELIMITERS.map((one) => first.split(one).length)
  const delimiter = DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
  const lines = parseLines(plain, delimiter)
  if (typeof lines === 'string') return refused(lines)
  const [names, ...rows] = lines.filter((cells) => cells.some((cell) => cell.trim() !== ''))
  if (names === undefined) return refused('The file is empty.')
  if (rows.length === 0)
    return refused('The file has one line: expected the names of the columns, then one question per line.')
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return refused(`Two columns are called “${twice}”.`)
  const odd = rows.findIndex((cells) => cells.length !== names.length)
  if (odd >= 0) {
    return refused(`Row ${odd + 1} has ${rows[odd]?.length} values, and there are ${names.length} names of columns.`)
  }
  return { kind: 'read', table: { names, rows } }
}

function refused(why: string): ReadCsv {
  return { kind: 'refused', why }
}

/** A sentence instead if a quotation mark is not where RFC 4180 has it, as the command line refuses such a file. */
function parseLines(text: string, delimiter: string): readonly (readonly string[])[] | string {
  const lines: string[][] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let isClosed = false
  let opened = 0
  const lineOf = (at: number) => text.slice(0, at).split('\n').length
  const endCell = () => {
    cells.push(cell)
    cell = ''
    isClosed = false
  }
  const endLine = () => {
    endCell()
    lines.push(cells)
    cells = []
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else {
        isQuoted = false
        isClosed = true
      }
    } else if (character === delimiter) endCell()
    else if (character === '\n') endLine()
    else if (character === '\r' && text[at + 1] === '\n') continue
    else if (isClosed) {
      return `In line ${lineOf(at)} a cell goes on after its closing quotation mark. Write a quotation mark in a cell as "".`
    } else if (character !== '"') cell += character
    else if (cell !== '') {
      return `In line ${lineOf(at)} a cell without quotation marks contains one. Put the cell in quotation marks and write "" for each one in it.`
    } else {
      isQuoted = true
      opened = at
    }
  }
  if (isQuoted) return `A quotation mark is opened in line ${lineOf(opened)} and never closed.`
  if (cell !== '' || isClosed || cells.length > 0) endLine()
  return lines
}
