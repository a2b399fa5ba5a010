import type { Compilable, CompiledQuery } from 'kysely'
import type { z } from 'zod'
import { StoreError } from '../record/store-error.ts'

/**
 * What is done to the database as a generator of queries: SQLite, which is synchronous, runs it in one go, so that
 * nothing can come between its steps; PostgreSQL waits at each step. May run more than once, and starts afresh then.
 */
export type Operation<Result> = () => Steps<Result>
export type Steps<Result> = Generator<CompiledQuery, Result, QueryAnswer>

export interface QueryAnswer {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Rows written; 0 for a query that only reads. */
  readonly affected: number
}

/** The rows of a query, checked against their schema. */
export function* rowsOf<Row>(query: Compilable, schema: z.ZodType<Row>): Steps<readonly Row[]> {
  const { rows } = yield query.compile()
  return rows.map((row) => checkedRow(row, schema))
}

/** The first row of a query, null if there is none. */
export function* rowOf<Row>(query: Compilable, schema: z.ZodType<Row>): Steps<Row | null> {
  const [row] = yield* rowsOf(query, schema)
  return row ?? null
}

/** How many rows a query wrote. */
export function* affectedBy(query: Compilable): Steps<number> {
  const { affected } = yield query.compile()
  return affected
}

/** Runs queries one after another. */
export function* runAll(queries: readonly Compilable[]): Steps<void> {
  for (const query of queries) yield query.compile()
}

function checkedRow<Row>(row: Readonly<Record<string, unknown>>, schema: z.ZodType<Row>): Row {
  const named: Record<string, unknown> = {}
  for (const column of Object.keys(row)) named[camelCase(column)] = row[column]
  const result = schema.safeParse(named)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const where = schema.description ?? 'row'
  throw new StoreError(
    'damaged',
    `store: a ${where} cannot be read: field ${issue?.path.join('.') || '(none)'}: ${issue?.message ?? 'not as expected'}; ` +
      'it was changed from outside: restore a backup',
    { cause: result.error },
  )
}

const CAMEL_CASE = new Map<string, string>()

function camelCase(column: string): string {
  const known = CAMEL_CASE.get(column)
  if (known !== undefined) return known
  const name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  CAMEL_CASE.set(column, name)
  return name
}
