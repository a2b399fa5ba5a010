import { sql } from 'kysely'
import type { ClientBase, Pool } from 'pg'
import { StoreError } from '../../record/store-error.ts'
import { checkedParameter } from '../checked-input.ts'
import type { Engine } from '../engine.ts'
import type { Operation, QueryAnswer } from '../operation.ts'
import type { NamedQuery } from '../prepared-query.ts'
import { isWorthAnotherTry, storeErrorOfPostgres } from './postgres-errors.ts'
import { postgresQueries } from './postgres-queries.ts'

const MOST_TRIES = 5

/** The engine over a pool of connections to a database whose tables are up to date. */
export function createPostgresEngine(pool: Pool, place: string): Engine {
  const queries = postgresQueries()

  async function inOurWords<Result>(action: () => Promise<Result>): Promise<Result> {
    if (pool.ending) throw new StoreError('closed', `store ${place}: it is closed`)
    try {
      return await action()
    } catch (error) {
      throw storeErrorOfPostgres(error, place)
    }
  }

  return {
    name: 'postgres',
    queries,
    read: (operation) => inOurWords(() => again(() => stepThrough(pool, operation))),
    write: (operation) => inOurWords(() => transaction(pool, operation)),
    writeOne: (query) => inOurWords(async () => (await again(() => execute(pool, query.compile()))).affected),
    lock: (name, mode = 'alone') => {
      const take = sql.raw(mode === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared')
      return sql`select ${take}(hashtextextended(${name}, 0))`.compile(queries)
    },
    backup: async () => {
      throw new StoreError('unsupported', `store ${place}: copy a PostgreSQL database with pg_dump or pg_basebackup`)
    },
    // Dead rows stay in its files and its log until the server's own upkeep.
    wipe: async () => false,
    isInPlace: () => true,
    freeBytes: () => null,
    close: async () => {
      if (!pool.ending) await pool.end()
    },
  }
}

/** Of two that wait for each other the database ends one, which has done nothing then. */
async function again<Result>(action: () => Promise<Result>, tries = 1): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    if (!isWorthAnotherTry(error) || tries >= MOST_TRIES) throw error
  }
  return again(action, tries + 1)
}

/** Runs an operation in a transaction of its own; resolves after COMMIT. */
export function transaction<Result>(pool: Pool, operation: Operation<Result>): Promise<Result> {
  return inTransaction(pool, operation, async () => {})
}

/** Statements that a library runs on one of our connections. */
type Then = (database: { executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }> }) => Promise<void>
type Row = Record<string, unknown>

/** An operation, and then what is written otherwise, in one transaction. */
export async function inTransaction<Result>(
  pool: Pool,
  operation: Operation<Result>,
  then: Then,
  tries = 1,
): Promise<Result> {
  const client = await pool.connect()
  let isBroken = false
  try {
    // Each statement sees what was committed before it, also behind a lock that it waited for, whatever the server's default.
    await client.query('begin isolation level read committed')
    const result = await stepThrough(client, operation)
    await then({ executeSql: (text, values) => client.query<Row>(text, values) })
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      // The error that came first says more; the connection is thrown away.
      isBroken = true
    })
    if (!isWorthAnotherTry(error) || tries >= MOST_TRIES) throw error
  } finally {
    client.release(isBroken)
  }
  return inTransaction(pool, operation, then, tries + 1)
}

export async function stepThrough<Result>(connection: Connection, operation: Operation<Result>): Promise<Result> {
  const steps = operation()
  let step = steps.next()
  while (step.done !== true) step = steps.next(await execute(connection, step.value))
  return step.value
}

type Connection = Pick<Pool | ClientBase, 'query'>

async function execute(connection: Connection, query: NamedQuery): Promise<QueryAnswer> {
  const { rows, rowCount, command } = await connection.query<Record<string, unknown>>({
    text: query.sql,
    values: query.parameters.map((value) =>
      Array.isArray(value) ? value.map(checkedParameter) : checkedParameter(value),
    ),
    ...(query.name === undefined ? {} : { name: query.name }),
  })
  return { rows, affected: command === 'SELECT' ? 0 : (rowCount ?? 0) }
}
