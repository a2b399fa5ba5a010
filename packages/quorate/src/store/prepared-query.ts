import type { Compilable, CompiledQuery } from 'kysely'

/** A query that runs repeatedly. An engine may cache its plan under the name, which is unique to its SQL text. */
export interface NamedQuery extends CompiledQuery {
  readonly name?: string
}

let named = 0

type QueryValue = string | number | null
export type QueryValues = Readonly<Record<string, QueryValue | readonly QueryValue[]>>

/** The most rows of one statement. */
const MOST_ROWS = 64

/**
 * A query over several rows, split into statements of 64, 32, 16 ... rows, so that each size is compiled once. `build` receives
 * rows of placeholders. It must pass them on as values and must not inspect them.
 */
export function preparedRows<Row extends QueryValues>(
  names: readonly (keyof Row & string)[],
  build: (rows: readonly Row[]) => Compilable,
): (rows: readonly Row[]) => readonly Compilable[] {
  const ofSize = new Map<number, (rows: readonly Row[]) => Compilable>()

  function prepare(size: number): (rows: readonly Row[]) => Compilable {
    const placeOf = new Map<unknown, readonly [row: number, name: keyof Row]>()
    const placeholderRows = Array.from({ length: size }, (_, row) => {
      const placeholders = names.map((name) => [name, `\0${row}.${name}`] as const)
      for (const [name, placeholder] of placeholders) placeOf.set(placeholder, [row, name])
      // The placeholders are strings, whatever the types of the values that replace them.
      return Object.fromEntries(placeholders) as unknown as Row
    })
    const { parameters, ...rest } = build(placeholderRows).compile()
    const places = parameters.map((parameter) => placeOf.get(parameter) ?? null)
    const name = `quorate-${named++}`
    return (rows) => ({
      compile(): NamedQuery {
        const ordered = places.map((place, at) => (place === null ? parameters[at] : rows[place[0]]?.[place[1]]))
        return { ...rest, name, parameters: ordered }
      },
    })
  }

  return (rows) => {
    const statements: Compilable[] = []
    let size = MOST_ROWS
    for (let start = 0; start < rows.length; start += size) {
      while (size > rows.length - start) size /= 2
      const query = ofSize.get(size) ?? prepare(size)
      ofSize.set(size, query)
      statements.push(query(rows.slice(start, start + size)))
    }
    return statements
  }
}

/**
 * A query whose SQL text is the same for all values. It is compiled once, at its first use, because compiling takes longer than
 * running. `build` receives a placeholder for each name. It must pass it on as a value and must not inspect it.
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
    // The placeholders are strings, whatever the types of the values that replace them.
    const placeholders = Object.fromEntries(
      [...nameOf].map(([placeholder, name]) => [name, placeholder]),
    ) as unknown as Values
    const query = build(placeholders).compile()
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
