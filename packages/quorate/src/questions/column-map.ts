import { OPTION_PREFIX } from './csv-options.ts'
import type { ColumnMap } from './csv-questions.ts'

export type ReadColumnMap<Map = ColumnMap> =
  | { readonly kind: 'map'; readonly map: Map }
  /** The entry that is wrong and what was expected, for the command line to report. */
  | { readonly kind: 'refused'; readonly entry: string; readonly expected: string }

const FIELDS = ['id', 'question', 'options', 'gold', 'group']

/**
 * Parses the entries of `--map field=column`. `options.A=column` maps one option. Everything after the first `=` is the
 * column, so a column may contain one; the name of an option may not.
 */
export function readColumnMap(entries: readonly string[], separator?: string): ReadColumnMap {
  const read = readFieldColumns(entries, { fields: FIELDS, prefixes: [OPTION_PREFIX] })
  if (read.kind === 'refused') return read
  return { kind: 'map', map: { ...read.map, ...(separator === undefined ? {} : { separator }) } }
}

export interface MappedFields {
  readonly fields: readonly string[]
  /** Fields that may instead have a column for each name after the prefix, such as `options.`. */
  readonly prefixes: readonly string[]
}

/** Columns by field. The field of a prefix has a map from names to columns. */
export function readFieldColumns(
  entries: readonly string[],
  { fields, prefixes }: MappedFields,
): ReadColumnMap<Readonly<Record<string, never>>> {
  const columns = new Map<string, string>()
  const named = new Map<string, Map<string, string>>()
  for (const entry of entries) {
    const [field, column] = split(entry)
    const prefix = prefixes.find((known) => field.startsWith(known) && field.length > known.length)
    if (column === '' || (prefix === undefined && !fields.includes(field))) {
      const known = [...fields, ...prefixes.map((each) => `${each}NAME`)]
      return { kind: 'refused', entry, expected: `field=column with a field of ${known.join(', ')}` }
    }
    const target = prefix === undefined ? columns : namedOf(named, prefix.slice(0, -1))
    const name = prefix === undefined ? field : field.slice(prefix.length)
    if (target.has(name)) return { kind: 'refused', entry, expected: `given once: ${field} has a column already` }
    target.set(name, column)
  }
  const both = [...named.keys()].find((field) => columns.has(field))
  if (both !== undefined) {
    const entry = `${both}=${columns.get(both)}`
    return { kind: 'refused', entry, expected: `${both} or ${both}.NAME, not both` }
  }
  // as: each field is a text, or a map of texts if it has a prefix, and the caller's type says which
  return { kind: 'map', map: Object.fromEntries([...columns, ...named]) as Readonly<Record<string, never>> }
}

function namedOf(named: Map<string, Map<string, string>>, field: string): Map<string, string> {
  const known = named.get(field) ?? new Map<string, string>()
  named.set(field, known)
  return known
}

function split(entry: string): readonly [string, string] {
  const at = entry.indexOf('=')
  return at < 0 ? [entry, ''] : [entry.slice(0, at).trim(), entry.slice(at + 1).trim()]
}
