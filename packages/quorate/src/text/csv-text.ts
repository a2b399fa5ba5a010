/** The default delimiter. A file that is written beside another keeps the delimiter of the other. */
export const COMMA = ','

/** A spreadsheet runs a cell that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/u

/** One row of CSV with its line end, after RFC 4180. A cell that a spreadsheet would run as a formula gets a leading '. */
export function csvLine(cells: readonly string[], delimiter: string = COMMA): string {
  return `${cells.map((cell) => quotedCell(FORMULA.test(cell) ? `'${cell}` : cell, delimiter)).join(delimiter)}\r\n`
}

/** A cell that `csvLine` wrote, without the leading '. */
export function withoutEscape(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
}

function quotedCell(cell: string, delimiter: string): string {
  const isPlain = !cell.includes('"') && !cell.includes('\n') && !cell.includes('\r') && !cell.includes(delimiter)
  return isPlain && cell.trim() === cell ? cell : `"${cell.replaceAll('"', '""')}"`
}

/** A JSON value as the text of a cell. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
