import { FileError } from '../files/file-error.ts'
import { nearestName } from '../text/nearest-name.ts'
import { plainText } from '../text/plain-text.ts'

/** Where a header has its fields. A field that nothing was said about is looked for under its own name. */
export interface Columns {
  readonly titles: readonly string[]
  /** Index of the column; one that is missing, or there twice, is an error that says how to name it. */
  required(field: string, column?: string): number
  /** Null where nothing was said about the field and no column has its name. */
  optional(field: string, column?: string): number | null
  /** Columns whose titles are `prefix` and a name, by that name; or those that were named. */
  named(prefix: string, columns?: ReadonlyMap<string, string>): readonly (readonly [string, number])[]
}

export function columnsOf(header: readonly string[], file: string): Columns {
  const titles = header.map((title) => title.trim())
  const required: Columns['required'] = (field, column = field) => {
    const index = titles.indexOf(column)
    if (index >= 0 && index === titles.lastIndexOf(column)) return index
    const expected = index < 0 ? 'a column of the header' : 'in one column only'
    const near = index < 0 ? nearestName(column, titles) : null
    const meant = near === null ? '' : `; did you mean ${quoted(near)}?`
    throw new FileError(
      `${plainText(file)}: line 1: the column of ${field} must be ${expected}, got ${quoted(column)}; ` +
        `the header has ${titles.slice(0, 20).map(quoted).join(', ')}${meant === '' ? ';' : meant} choose one with --map ${field}=COLUMN${field === 'gold' ? ', or add an empty column of this name to a file without labels' : ''}`,
    )
  }
  return {
    titles,
    required,
    optional: (field, column) =>
      column !== undefined || titles.includes(field) ? required(field, column ?? field) : null,
    named(prefix, columns) {
      const own = titles.filter((title) => title.startsWith(prefix) && title.length > prefix.length)
      const named = columns ?? new Map(own.map((title) => [title.slice(prefix.length), title]))
      return [...named].map(([name, column]) => [name, required(prefix + name, column)] as const)
    },
  }
}

function quoted(name: string): string {
  return JSON.stringify(plainText(name))
}

/** A cell without the blanks around it, null when nothing is left; of a column that is not there too. */
export function cellOf(cells: readonly string[], column: number | null): string | null {
  return column === null ? null : (cells[column] ?? '').trim() || null
}
