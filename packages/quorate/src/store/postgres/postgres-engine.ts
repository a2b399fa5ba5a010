import { sql } from 'kysely'
import type { ClientBase, Pool } from 'pg'
import { StoreError } from '../../record/store-error.ts'
import { checkedParameter } from '../checked-input.ts'
import type { Engine, Plans } from '../engine.ts'
import type { Operation, QueryAnswer, Step } from '../operation.ts'
import type { NamedQuery } from '../prepared-query.ts'
import { isRetryable, storeErrorOfPostgres } from './postgres-errors.ts'
import { postgresQueries } from './postgres-queries.ts'

const MOST_TRIES = 5

/** Creates the engine on a pool of connections to a database whose tables are up to date. */
export function createPostgresEngine(pool: Pool, place: string): Engine {
  const queries = postgresQueries()

  async function withStoreErrors<Result>(action: () => Promise<Result>): Promise<Result> {
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
    read: (operation) => withStoreErrors(() => withRetries(() => stepThrough(pool, operation))),
    write: (operation, plans) => withStoreErrors(() => transaction(pool, operation, plans)),
    writeOne: (query) =>
      withStoreErrors(async () => (await withRetries(() => execute(pool, query.compile()))).affected),
    lock: (name, mode = 'alone') => {
      const take = sql.raw(mode === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared')
      return sql`select ${take}(hashtextextended(${name}, 0))`.compile(queries)
    },
    backup: async () => {
      throw new StoreError('unsupported', `store ${place}: copy a PostgreSQL database with pg_dump or pg_basebackup`)
    },
    // Dead rows stay in the server's files and log until its own maintenance.
    wipe: async () => false,
    isInPlace: () => true,
    freeBytes: () => null,
    close: async () => {
      if (!pool.ending) await pool.end()
    },
  }
}

/** Retries after a deadlock or a serialization failure, which the database resolves by aborting one side without effect. */
async function withRetries<Result>(action: () => Promise<Result>, tries = 1): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    if (!isRetryable(error) || tries >= MOST_TRIES) throw error
  }
  return withRetries(action, tries + 1)
}

/** Runs an operation in a transaction of its own, and resolves after COMMIT. */
export function transaction<Result>(pool: Pool, operation: Operation<Result>, plans: Plans = 'usual'): Promise<Result> {
  return inTransaction(pool, operation, { plans })
}

/** Lets a library, pg-boss, run statements on one of our connections. */
type Finish = (database: { executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }> }) => Promise<void>
type Row = Record<string, unknown>

/** Each statement sees all earlier commits, including those behind a lock that it waited for, whatever the server's default. */
const BEGIN = 'begin isolation level read committed'
/**
 * A table that has grown since its statistics were collected looks empty, so the planner would scan it. Scans are disabled for
 * this transaction only, because others may have good reasons to read a whole table.
 */
const BEGINNINGS: Readonly<Record<Plans, string>> = {
  usual: BEGIN,
  'by-key': `${BEGIN}; set local enable_seqscan = off`,
}

/** Runs an operation, and then the statements of a library, in one transaction. */
export async function inTransaction<Result>(
  pool: Pool,
  operation: Operation<Result>,
  { finish, plans = 'usual' }: { readonly finish?: Finish; readonly plans?: Plans },
  tries = 1,
): Promise<Result> {
  const client = await pool.connect()
  let isBroken = false
  try {
    const pipeline = createPipeline(client)
    pipeline.send([() => client.query(BEGINNINGS[plans])])
    const steps = operation()
    let step = steps.next()
    while (step.done !== true) step = steps.next(await pipeline.run(step.value))
    // COMMIT waits for all answers. Pipelined behind a statement that never left this process, it would commit without it.
    await pipeline.answers()
    await finish?.({ executeSql: (text, values) => client.query<Row>(text, values) })
    await client.query('commit')
    return step.value
  } catch (error) {
    await client.query('rollback').catch(() => {
      // The first error says more. The connection is discarded.
      isBroken = true
    })
    if (!isRetryable(error) || tries >= MOST_TRIES) throw error
  } finally {
    client.release(isBroken)
  }
  return inTransaction(pool, operation, { ...(finish && { finish }), plans }, tries + 1)
}

/** Sends statements on one connection without waiting for earlier answers. */
function createPipeline(client: ClientBase) {
  let unread: Promise<unknown>[] = []

  function send<Answer>(queries: readonly (() => Promise<Answer>)[]): readonly Promise<Answer>[] {
    const sent = queries.map((query) => query())
    unread.push(...sent)
    // `answers` reports the error.
    for (const each of sent) each.catch(() => {})
    return sent
  }

  /** Waits for all statements sent so far. The first of several errors is the cause of the others. */
  async function answers(): Promise<void> {
    const all = unread
    unread = []
    const failed = (await Promise.allSettled(all)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }

  return {
    send,
    answers,
    async run({ queries, isUnread }: Step): Promise<readonly QueryAnswer[]> {
      const sent = send(queries.map((query) => () => execute(client, query)))
      if (isUnread) return []
      await answers()
      return Promise.all(sent)
    },
  }
}

/** Runs without a transaction, so each statement may use a different connection. */
async function stepThrough<Result>(pool: Pool, operation: Operation<Result>): Promise<Result> {
  const steps = operation()
  let step = steps.next()
  while (step.done !== true) {
    const answers: QueryAnswer[] = []
    for (const query of step.value.queries) answers.push(await execute(pool, query))
    step = steps.next(answers)
  }
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
