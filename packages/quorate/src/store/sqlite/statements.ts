import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CompiledQuery } from 'kysely'
import { checkedParameter } from '../checked-input.ts'
import type { Operation, QueryAnswer } from '../operation.ts'

/** More than the store has queries. Bulk inserts of different sizes add a few more. */
const MOST_PREPARED = 256

export interface Statements {
  execute(query: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryAnswer
  /** Runs all steps without interruption. */
  run<Result>(operation: Operation<Result>): Result
}

/** Runs compiled queries on a database. Each SQL text is prepared once. */
export function createStatements(database: DatabaseSync): Statements {
  const prepared = new Map<string, { readonly statement: StatementSync; readonly isReader: boolean }>()

  function prepare(sql: string) {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    const entry = { statement, isReader: statement.columns().length > 0 }
    if (prepared.size >= MOST_PREPARED) prepared.clear()
    prepared.set(sql, entry)
    return entry
  }

  function execute({ sql, parameters }: CompiledQuery): QueryAnswer {
    const { statement, isReader } = prepare(sql)
    const values = parameters.map(checkedParameter)
    if (isReader) return { rows: statement.all(...values), affected: 0 }
    return { rows: [], affected: Number(statement.run(...values).changes) }
  }

  function run<Result>(operation: Operation<Result>): Result {
    const steps = operation()
    let step = steps.next()
    while (step.done !== true) step = steps.next(step.value.queries.map(execute))
    return step.value
  }

  return { execute, run }
}
