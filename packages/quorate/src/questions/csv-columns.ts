import { FileError } from '../files/file-error.ts'
import { nearestName } from '../text/nearest-name.ts'
import { plainText } from '../text/plain-text.ts'

/** Finds the columns of fields in a header. A field without a mapping is looked up under its own name. */
export interface Columns {
  readonly titles: readonly string[]
  /** Index of the column. A column that is missing or occurs twice is an error that says how to map it. */
  required(field: string, column?: string): number
  /** Null if the field has no mapping and no column has its name. */
  optional(field: string, column?: string): number | null
  /** By name, the columns whose titles are `prefix` and a name, or those that `columns` maps. */
  named(prefix: string, columns?: ReadonlyMap<string, string>): readonly (readonly [string, number])[]
}

export function columnsOf(header: readonly string[], file: string): Columns {
  const titles = header.map((title) => title.trim())
  const required: Columns['required'] = (field, column = field) => {
    const index = titles.indexOf(column)
    if (index >= 0 && index === titles.lastIndexOf(column)) return index
    const expected = index < 0 ? 'a column of the header' : 'in one column only'
    const near = index < 0 ? nearestName(column, titles) : null
    const meant = near === null ? '.' : `. Did you mean ${quoted(near)}?`
    throw new FileError(
      `${plainText(file)}: line 1: the column of ${field} must be ${expected}, got ${quoted(column)}. ` +
        `The header has ${titles.slice(0, 20).map(quoted).join(', ')}${meant} Choose a column with --map ${field}=COLUMN${field === 'gold' ? ', or add an empty column of this name to a file without labels' : ''}`,
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

/** A cell without surrounding blanks; null if nothing is left or the column does not exist. */
export function cellOf(cells: readonly string[], column: number | null): string | null {
  return column === null ? null : (cells[column] ?? '').trim() || null
}
