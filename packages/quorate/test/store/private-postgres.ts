import pg from 'pg'
import { afterAll } from 'vitest'
import { startPostgres } from '../../../../tools/postgres.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import type { Fresh } from './conformance/harness.ts'

export type TestedPostgres =
  | { readonly kind: 'absent'; readonly reason: string }
  | {
      readonly kind: 'started'
      readonly url: string
      readonly admin: pg.Pool
      readonly fresh: Fresh
      /** A URL that has a schema of its own; `schema` is its name. */
      freshUrl(): Promise<{ readonly url: string; readonly schema: string }>
    }

/** A server of this test file alone, gone after it. Safe without syncs to the disk: no test here ends the server. */
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
  /** A schema of its own stands for a database of its own. */
  const freshUrl = async () => {
    const schema = `test_${databases++}`
    await admin.query(`create schema ${schema}`)
    return { schema, url: `${url}&options=${encodeURIComponent(`-c search_path=${schema}`)}` }
  }
  const fresh: Fresh = async () => {
    const own = await freshUrl()
    return () => openPostgres(own.url, { now: () => 0, connections: 6 })
  }
  return { kind: 'started', url, admin, fresh, freshUrl }
}
