/** How cells are separated, unless a file that is written beside another keeps the other's way. */
export const COMMA = ','

/** Spreadsheets run a cell that begins so as a formula. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/u

/** One row of CSV with its line end, as RFC 4180 has it. A cell that a spreadsheet would run gets a ' in front. */
export function csvLine(cells: readonly string[], delimiter: string = COMMA): string {
  return `${cells.map((cell) => quotedCell(FORMULA.test(cell) ? `'${cell}` : cell, delimiter)).join(delimiter)}\r\n`
}

/** A cell that `csvLine` wrote, without the ' in front. */
export function withoutEscape(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
}

function quotedCell(cell: string, delimiter: string): string {
  const isPlain = !cell.includes('"') && !cell.includes('\n') && !cell.includes('\r') && !cell.includes(delimiter)
  return isPlain && cell.trim() === cell ? cell : `"${cell.replaceAll('"', '""')}"`
}

/** A value of JSON as the text of a cell. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
