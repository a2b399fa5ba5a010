import type { Compilable, CompiledQuery } from 'kysely'
import type { z } from 'zod'
import { StoreError } from '../record/store-error.ts'

/**
 * Work on the database, written once for both engines as a generator of steps. SQLite is synchronous and runs all steps
 * without interruption. PostgreSQL waits for the answers at each step. An operation may be retried, and then starts from its
 * first step.
 */
export type Operation<Result> = () => Steps<Result>
export type Steps<Result> = Generator<Step, Result, readonly QueryAnswer[]>

/** Queries that are sent together and run in order. */
export interface Step {
  readonly queries: readonly CompiledQuery[]
  /** True: the answers are not used. In a transaction the next step is sent without waiting; an error fails the transaction. */
  readonly isUnread: boolean
}

export interface QueryAnswer {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Rows written; 0 for a query that only reads. */
  readonly affected: number
}

/** Reads the rows of a query and checks them against their schema. */
export function* rowsOf<Row>(query: Compilable, schema: z.ZodType<Row>): Steps<readonly Row[]> {
  const [answer] = yield { queries: [query.compile()], isUnread: false }
  return (answer?.rows ?? []).map((row) => checkedRow(row, schema))
}

/** Reads the first row of a query; null if there is none. */
export function* rowOf<Row>(query: Compilable, schema: z.ZodType<Row>): Steps<Row | null> {
  const [row] = yield* rowsOf(query, schema)
  return row ?? null
}

/** Runs a query and returns the number of rows written. */
export function* affectedBy(query: Compilable): Steps<number> {
  const [answer] = yield { queries: [query.compile()], isUnread: false }
  return answer?.affected ?? 0
}

/** Runs queries one after another and ignores their answers. */
export function* runAll(queries: readonly Compilable[]): Steps<void> {
  if (queries.length > 0) yield { queries: queries.map((query) => query.compile()), isUnread: true }
}

/** Acquires a lock of `Engine.lock`. */
export function* take(lock: CompiledQuery | null): Steps<void> {
  if (lock !== null) yield { queries: [lock], isUnread: true }
}

/**
 * Runs independent operations together, in as few steps as the longest of them has. Within a step, the queries of earlier
 * operations come first.
 */
export function* together<Results extends readonly unknown[]>(
  ...parts: { readonly [At in keyof Results]: Steps<Results[At]> }
): Steps<Results> {
  const results: unknown[] = []
  let open = [...parts.entries()].map(([at, steps]) => ({ at, steps, answers: NO_ANSWERS }))
  while (open.length > 0) {
    const queries: CompiledQuery[] = []
    const asked: { readonly at: number; readonly steps: Steps<unknown>; readonly from: number; readonly to: number }[] =
      []
    for (const { at, steps, answers } of open) {
      let next = steps.next(answers)
      for (; next.done !== true && next.value.isUnread; next = steps.next(NO_ANSWERS))
        queries.push(...next.value.queries)
      if (next.done === true) results[at] = next.value
      else {
        const from = queries.length
        queries.push(...next.value.queries)
        asked.push({ at, steps, from, to: queries.length })
      }
    }
    if (queries.length === 0) break
    const answers = yield { queries, isUnread: asked.length === 0 }
    open = asked.map(({ at, steps, from, to }) => ({ at, steps, answers: answers.slice(from, to) }))
  }
  // Every part has filled in its own place.
  return results as unknown as Results
}

const NO_ANSWERS: readonly QueryAnswer[] = []

function checkedRow<Row>(row: Readonly<Record<string, unknown>>, schema: z.ZodType<Row>): Row {
  const named: Record<string, unknown> = {}
  for (const column of Object.keys(row)) named[camelCase(column)] = row[column]
  const result = schema.safeParse(named)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const where = schema.description ?? 'row'
  throw new StoreError(
    'damaged',
    `store: the ${where} cannot be read, field ${issue?.path.join('.') || '(none)'}: ${issue?.message ?? 'not as expected'}. ` +
      'Another program changed it. Restore a backup',
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
