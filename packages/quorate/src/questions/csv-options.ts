import { FileError } from '../files/file-error.ts'
import { plainText } from '../text/plain-text.ts'
import { type Columns, cellOf } from './csv-columns.ts'

/** Prefix of columns and of mapped fields that contain the text of one option: `options.A`. */
export const OPTION_PREFIX = 'options.'

export interface OptionColumns {
  /**
   * One column with all options: a JSON array or object, else names between separators. Or several columns, from name of the
   * option to column: each cell is the option's text, and a blank cell means that the question lacks this option.
   */
  readonly options?: string | ReadonlyMap<string, string>
  /** Separator of the names in one column; default `|`. */
  readonly separator?: string
}

export type OptionLayout =
  | { readonly kind: 'one'; readonly column: number; readonly separator: string }
  | { readonly kind: 'several'; readonly columns: readonly (readonly [string, number])[] }

export function optionLayout(columns: Columns, { options, separator = '|' }: OptionColumns): OptionLayout {
  const several = typeof options === 'string' ? [] : columns.named(OPTION_PREFIX, options)
  const isSeveral = several.length > 0 && (options !== undefined || !columns.titles.includes('options'))
  if (isSeveral) return { kind: 'several', columns: several }
  const column = columns.required('options', typeof options === 'string' ? options : undefined)
  return { kind: 'one', column, separator }
}

/** The options of a row in the shape of JSONL, still unchecked. */
export function optionsIn(cells: readonly string[], layout: OptionLayout, place: string): unknown {
  if (layout.kind === 'one') return inOneCell(cellOf(cells, layout.column) ?? '', layout.separator, place)
  const texts: Record<string, string> = Object.create(null)
  for (const [name, column] of layout.columns) {
    const text = cellOf(cells, column)
    if (text !== null) texts[name] = text
  }
  return texts
}

function inOneCell(cell: string, separator: string, place: string): unknown {
  if (!cell.startsWith('[') && !cell.startsWith('{')) return cell.split(separator).map((name) => name.trim())
  try {
    return JSON.parse(cell)
  } catch (cause) {
    const shown = JSON.stringify(plainText(cell).slice(0, 60))
    throw new FileError(`${place}: options must be JSON where they begin with [ or {, got ${shown}`, { cause })
  }
}
