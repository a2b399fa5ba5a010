import { once } from 'node:events'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { CompiledQuery } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openStoreAt } from '../../src/store/open-store.ts'
import { runAll } from '../../src/store/operation.ts'
import { connectPool } from '../../src/store/postgres/connect-pool.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { createPostgresEngine } from '../../src/store/postgres/postgres-engine.ts'
import { freshStore } from './conformance/harness.ts'
import { activate, plain } from './conformance/settled-together.ts'
import { storeConformance } from './conformance.ts'
import { privatePostgres } from './private-postgres.ts'
import { createRun } from './samples.ts'

const postgres = await privatePostgres()

if (postgres.kind === 'absent') {
  test.skip(`the store on PostgreSQL: ${postgres.reason}`, () => {})
} else {
  const { url, admin, fresh, freshUrl } = postgres

  storeConformance('PostgreSQL', fresh, { sequences: 10 })

  test('if several processes open a new database at once, one creates the tables and the others wait', async () => {
    const open = await fresh()
    const stores = await Promise.all(Array.from({ length: 5 }, open))
    await createRun(stores[0] ?? (await open()))
    for (const store of stores) {
      expect((await store.runs.list(9)).length).toBe(1)
      await store.close()
    }
  })

  test('a newer schema is refused', async () => {
    const own = await freshUrl()
    const open = () => openPostgres(own.url, { now: () => 0 })
    await (await open()).close()
    await admin.query(`insert into ${own.schema}.quorate_schema values (99, 'future', 0)`)
    await expect(open()).rejects.toMatchObject({ kind: 'newer-schema' })
  })

  test('a store with a different first schema is refused', async () => {
    const own = await freshUrl()
    const open = () => openPostgres(own.url, { now: () => 0 })
    await (await open()).close()
    const name = 'first schema of 2026-11-18, with callers'
    await admin.query(`update ${own.schema}.quorate_schema set name = '${name}'`)
    const message = `was written by a version of quorate from before its release (${name}): begin with a new store`
    await expect(open()).rejects.toMatchObject({ kind: 'newer-schema', message: expect.stringContaining(message) })
  })

  test('a row that another program changed is refused', async () => {
    const { schema, url: own } = await freshUrl()
    const store = await freshStore(async () => () => openPostgres(own, { now: () => 0 }))
    const { id } = await createRun(store)
    await admin.query(`update ${schema}.runs set config = 'no json'`)
    await expect(store.runs.find(id)).rejects.toMatchObject({ kind: 'damaged' })
    await admin.query(`update ${schema}.runs set config = '{}', seed = 9007199254740993`)
    await expect(store.runs.find(id)).rejects.toMatchObject({ kind: 'damaged' })
  })

  test('a connection that the server closes fails at most its query, and the store continues', async () => {
    const store = await freshStore(fresh)
    const run = await createRun(store)
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'quorate'")
    await store.runs.find(run.id).catch((error) => expect(error).toMatchObject({ kind: 'unreachable' }))
    expect(await store.runs.find(run.id)).toEqual(run)
  })

  test('a failed unread statement, at the server or before it is sent, fails the whole transaction', async () => {
    const pool = connectPool(url, { connections: 1, isOwnUrl: true })
    const engine = createPostgresEngine(pool, 'test')
    await pool.query('create temporary table numbers (value text primary key)')
    // Each has a name of its own, and the connection must not consider it prepared if the statement failed.
    const insert = (value: string) => ({
      compile: () => ({ ...CompiledQuery.raw('insert into numbers values ($1)', [value]), name: `insert ${value}` }),
    })
    for (const [wrong, kind] of [
      ['a', 'exists'],
      ['\0', 'invalid'],
    ] as const) {
      const written = engine.write(() => runAll([insert('a'), insert(wrong), insert('b')]))
      await expect(written).rejects.toMatchObject({ kind })
      expect((await pool.query('select value from numbers')).rows).toEqual([])
    }
    await engine.write(() => runAll([insert('a'), insert('b')]))
    expect((await pool.query('select value from numbers')).rows.length).toBe(2)
    await pool.end()
  })

  test('settling new questions together reads no other questions, however many there are', async () => {
    const { schema, url: own } = await freshUrl()
    const store = await freshStore(async () => () => openPostgres(own, { now: () => 0 }))
    await activate(store)
    const [batches, size] = [40, 8]
    for (let batch = 0; batch < batches; batch++) {
      await Promise.all(Array.from({ length: size }, (_, at) => store.decisions.settle(plain(batch * size + at))))
    }
    // The counts are complete after the writers have disconnected.
    await store.close()
    const counts = `select n_tup_ins::int as added, (idx_tup_fetch + seq_tup_read)::int as read
      from pg_stat_user_tables where schemaname = '${schema}' and relname = 'run_questions'`
    const { read } = await vi.waitFor(async () => {
      const [row] = (await admin.query(counts)).rows
      expect(row.added).toBe(batches * size)
      return row
    }, 120_000)
    // Inserting rows that refer to a question (debate, decision, certified round) looks it up.
    expect(read).toBeLessThan(6 * batches * size)
  })

  test('backup names the tool to use, and a redaction reports that old bytes remain', async () => {
    const store = await freshStore(fresh)
    await expect(store.backup('x')).rejects.toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('pg_dump'),
    })
    expect(await store.redact('q0')).toEqual({ erased: 0, isWiped: false })
  })

  test('a commit is synchronous even if the server is configured otherwise, and a stricter setting is kept', async () => {
    for (const [set, expected] of [
      ['off', 'on'],
      ['remote_apply', 'remote_apply'],
    ] as const) {
      const pool = connectPool(`${url}&options=${encodeURIComponent(`-c synchronous_commit=${set}`)}`, {
        connections: 1,
        isOwnUrl: true,
      })
      expect((await pool.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: expected }])
      await pool.end()
    }
  })

  test('the server ends the transaction of a process that is paused in the middle of it', async () => {
    const pool = connectPool(url, { connections: 1, isOwnUrl: true })
    const shown = await pool.query('show idle_in_transaction_session_timeout')
    expect(shown.rows).toEqual([{ idle_in_transaction_session_timeout: '20s' }])
    await pool.end()
  })

  test('a missing database is not an error to wait for', async () => {
    const missing = url.replace('/postgres?', '/not-there?')
    await expect(openPostgres(missing, { now: () => 0 })).rejects.toMatchObject({ kind: 'denied' })
  })

  test('a password from the environment is not sent to a server that a config names', async () => {
    vi.stubEnv('PGPASSWORD', 'planted-password')
    const got: string[] = []
    const server = createServer((socket) => {
      let messages = 0
      socket.on('data', (data) => {
        got.push(data.toString('latin1'))
        messages += 1
        // Requests the password in clear text.
        socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]))
        if (messages > 1) socket.destroy()
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    for (const isOwnUrl of [false, true]) {
      const opening = openStoreAt(`postgres://u@127.0.0.1:${port}/d`, { baseFolder: '/', now: () => 0, isOwnUrl })
      await expect(opening).rejects.toThrow()
      expect(got.join('').includes('planted-password')).toBe(isOwnUrl)
    }
    server.close()
    vi.unstubAllEnvs()
  })

  test('a server that does not answer is named without its password', async () => {
    const opening = openStoreAt('postgres://user:planted-key@127.0.0.1:1/d', { baseFolder: '/', now: () => 0 })
    const error = await opening.then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(error).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('127.0.0.1:1/d') })
    expect(inspect(error, { depth: 9 })).not.toContain('planted-key')
  })
}
