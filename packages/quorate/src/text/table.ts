import { padEndColumns, padStartColumns, textColumns } from './text-columns.ts'

export type Alignment = 'left' | 'right'

/** Rows of cells as lines, each column as wide as its widest cell, two columns apart. */
export function tableLines(rows: readonly (readonly string[])[], alignments: readonly Alignment[]): string[] {
  const widths = alignments.map((_, column) => Math.max(...rows.map((row) => textColumns(row[column] ?? ''))))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        (alignments[column] === 'right' ? padStartColumns : padEndColumns)(cell, widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}
