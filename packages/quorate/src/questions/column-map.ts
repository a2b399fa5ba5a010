import { type ColumnMap, OPTION_PREFIX } from './csv-questions.ts'

export type ReadColumnMap =
  | { readonly kind: 'map'; readonly map: ColumnMap }
  /** What is wrong with which entry, for the command line to say. */
  | { readonly kind: 'refused'; readonly entry: string; readonly expected: string }

const FIELDS = ['id', 'question', 'options', 'gold', 'group'] as const

/**
 * What `--map field=column` says, entry by entry. `options.A=column` gives one option its column; everything after the
 * first `=` is the column, so that columns may hold one; names of options may not.
 */
export function readColumnMap(entries: readonly string[], separator?: string): ReadColumnMap {
  const columns = new Map<string, string>()
  const options = new Map<string, string>()
  for (const entry of entries) {
    const [field, column] = split(entry)
    const isOption = field.startsWith(OPTION_PREFIX) && field.length > OPTION_PREFIX.length
    if (column === '' || !(isOption || FIELDS.some((known) => known === field))) {
      return { kind: 'refused', entry, expected: `field=column with a field of ${FIELDS.join(', ')}, options.NAME` }
    }
    const name = isOption ? field.slice(OPTION_PREFIX.length) : field
    const target = isOption ? options : columns
    if (target.has(name)) return { kind: 'refused', entry, expected: `given once: ${field} has a column already` }
    target.set(name, column)
  }
  if (options.size > 0 && columns.has('options')) {
    return {
      kind: 'refused',
      entry: `options=${columns.get('options')}`,
      expected: 'options or options.NAME, not both',
    }
  }
  const map = Object.fromEntries(columns)
  return {
    kind: 'map',
    map: { ...map, ...(options.size > 0 ? { options } : {}), ...(separator === undefined ? {} : { separator }) },
  }
}

function split(entry: string): readonly [string, string] {
  const at = entry.indexOf('=')
  return at < 0 ? [entry, ''] : [entry.slice(0, at).trim(), entry.slice(at + 1).trim()]
}
