import pg from 'pg'
import { afterAll, onTestFinished } from 'vitest'
import { startPostgres } from '../../../../tools/postgres.ts'
import type { Fresh } from './conformance/harness.ts'
import { openedPostgres } from './opened.ts'

export type TestedPostgres =
  | { readonly kind: 'absent'; readonly reason: string }
  | {
      readonly kind: 'started'
      readonly url: string
      readonly admin: pg.Pool
      readonly fresh: Fresh
      /** A URL with a schema of its own, whose name is `schema`. */
      freshUrl(): Promise<{ readonly url: string; readonly schema: string }>
    }

/** A server for this test file alone, stopped after it. It need not sync to the disk, because no test kills the server. */
export async function privatePostgres(): Promise<TestedPostgres> {
  const start = await startPostgres({ fsync: 'off' })
  if (start.kind === 'absent') return start
  const { url, stop } = start.postgres
  const admin = new pg.Pool({ connectionString: url, max: 1 })
  let databases = 0
  afterAll(async () => {
    await admin.end()
    await stop()
  })
  /** A schema takes the place of a separate database. */
  const freshUrl = async () => {
    const schema = `test_${databases++}`
    await admin.query(`create schema ${schema}`)
    return { schema, url: `${url}&options=${encodeURIComponent(`-c search_path=${schema}`)}` }
  }
  const open = (own: string) => openedPostgres(own, { now: () => 0, connections: 6 })
  /** A schema with the tables and rows of a new store, used only as a template. */
  const blank = once(async () => {
    const own = await freshUrl()
    await (await open(own.url)).close()
    return own.schema
  })
  const used: Awaited<ReturnType<typeof freshUrl>>[] = []
  const fresh: Fresh = async () => {
    const again = used.pop()
    if (again !== undefined) await restore(admin, again.schema, await blank())
    const own = again ?? (await freshUrl())
    // Creating the tables takes ten times as long as emptying them. A test has closed its stores by now.
    onTestFinished(() => void used.push(own))
    return () => open(own.url)
  }
  return { kind: 'started', url, admin, fresh, freshUrl }
}

/** Replaces the rows of all tables of a schema with those of another schema. */
async function restore(admin: pg.Pool, schema: string, from: string): Promise<void> {
  const tables = await admin.query('select tablename as name from pg_tables where schemaname = $1', [from])
  const copies = tables.rows.map(
    ({ name }) => `delete from ${schema}.${name}; insert into ${schema}.${name} select * from ${from}.${name};`,
  )
  // Foreign keys are not checked, because the tables are copied in any order.
  await admin.query(`begin; set local session_replication_role = replica; ${copies.join(' ')} commit`)
}

function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | null = null
  return () => {
    made ??= make()
    return made
  }
}
