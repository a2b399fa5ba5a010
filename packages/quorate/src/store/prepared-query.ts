import { type Compilable, type CompiledQuery, sql } from 'kysely'

/** A limit that stands in the text: SQLite plans a query anew whenever one that is a value is bound. */
export const ONE = sql.lit(1)

/** A query that comes again and again: an engine may keep its plan under the name, which no other text has. */
export interface NamedQuery extends CompiledQuery {
  readonly name?: string
}

let named = 0

type QueryValue = string | number | null
export type QueryValues = Readonly<Record<string, QueryValue | readonly QueryValue[]>>

/**
 * A query whose text is the same for all values: compiled once, at its first use, since compiling takes longer than
 * running. `build` is given a mark for each name and must pass it on as a value, not look at it.
 */
export function preparedQuery<Values extends QueryValues>(
  names: readonly (keyof Values & string)[],
  build: (values: Values) => Compilable,
): (values: Values) => Compilable {
  let compiled: CompiledQuery | null = null
  let name = ''
  let places: readonly (keyof Values | null)[] = []
  const nameOf = new Map(names.map((name) => [`\0${name}`, name]))

  function compileOnce(): CompiledQuery {
    // The marks stand where values of all types will.
    const marks = Object.fromEntries([...nameOf].map(([mark, name]) => [name, mark])) as unknown as Values
    const query = build(marks).compile()
    places = query.parameters.map((parameter) => nameOf.get(String(parameter)) ?? null)
    name = `quorate-${named++}`
    return query
  }

  return (values) => ({
    compile(): NamedQuery {
      compiled ??= compileOnce()
      const { parameters, ...rest } = compiled
      const ordered = places.map((place, index) => (place === null ? parameters[index] : values[place]))
      return { ...rest, name, parameters: ordered }
    },
  })
}
