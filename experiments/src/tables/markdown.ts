export type Row = readonly string[]

/** A table with padded columns, so that a changed number changes only its own line. */
export function markdownTable(header: Row, rows: readonly Row[]): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  const line = (row: Row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(header), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n')
}

/** A share as a percentage without the sign. */
export function percent(share: number, digits = 1): string {
  return withoutMinusZero((100 * share).toFixed(digits))
}

/** A difference of two percentages, with its sign. */
export function signed(points: number, digits = 1): string {
  const text = withoutMinusZero(points.toFixed(digits))
  return points > 0 && Number(text) !== 0 ? `+${text}` : text
}

/** A probability as the method writes it: .05 for 0.05. */
export function decimal(value: number, digits = 2): string {
  return withoutMinusZero(value.toFixed(digits)).replace(/^(-?)0\./, '$1.')
}

function withoutMinusZero(text: string): string {
  return Number(text) === 0 ? text.replace('-', '') : text
}
