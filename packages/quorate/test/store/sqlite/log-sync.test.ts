import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { runAll, type Steps } from '../../../src/store/operation.ts'
import { createGroupCommit } from '../../../src/store/sqlite/group-commit.ts'
import { createLogSync, type LogSync } from '../../../src/store/sqlite/log-sync.ts'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { createStatements } from '../../../src/store/sqlite/statements.ts'
import { createRun } from '../samples.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** Syncs that end when the test decides. */
function handSync() {
  const begun: { readonly end: () => void; readonly fail: (error: Error) => void }[] = []
  let running: Promise<void> | undefined
  const log: LogSync = {
    sync() {
      running = new Promise<void>((resolve, reject) => begun.push({ end: resolve, fail: reject })).finally(() => {
        running = undefined
      })
      return running
    },
    pending: () => running,
    close: async () => undefined,
  }
  return { log, begun }
}

function setUp() {
  const { log, begun } = handSync()
  const database = new DatabaseSync(':memory:')
  database.exec('create table numbers(value integer primary key) strict')
  const { write, flush } = createGroupCommit(database, createStatements(database), log)
  const values = () => database.prepare('select count(*) as count from numbers').get()?.['count']
  return { write, flush, begun, values }
}

function insert(value: number) {
  return function* (): Steps<number> {
    yield* runAll([{ compile: () => CompiledQuery.raw('insert into numbers values (?)', [value]) }])
    return value
  }
}

const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise((next) => setImmediate(next))
}

test('no commit is reported before it is on the disk, and writes that arrive meanwhile share the next sync', async () => {
  const { write, begun, values } = setUp()
  const received: number[] = []
  const send = (value: number) => void write(insert(value)).then((reported) => received.push(reported))
  send(1)
  await turns()
  expect([values(), begun.length, received]).toEqual([1, 1, []])
  for (const value of [2, 3]) send(value)
  await turns()
  expect([values(), begun.length, received]).toEqual([1, 1, []])
  begun[0]?.end()
  await turns()
  expect([values(), begun.length, received]).toEqual([3, 2, [1]])
  begun[1]?.end()
  await turns()
  expect(received).toEqual([1, 2, 3])
})

test('if a sync fails, all writes that wait for it are rejected, and later writes are attempted', async () => {
  const { write, begun } = setUp()
  const first = expect(write(insert(1))).rejects.toThrow('no disk')
  await turns()
  begun[0]?.fail(new Error('no disk'))
  await first
  const second = write(insert(2))
  await turns()
  begun[1]?.end()
  expect(await second).toBe(2)
})

test('syncs requested while one runs share the next one', async () => {
  const file = join(temporaryFolder(), 'store.db')
  const store = openSqlite(file, { now: () => 0 })
  const log = createLogSync(file)
  const first = log.sync()
  const second = log.sync()
  expect(second).not.toBe(first)
  expect(log.sync()).toBe(second)
  expect(log.pending()).toBe(second)
  await second
  expect(log.pending()).toBeUndefined()
  await log.close()
  await store.close()
})

test('a store whose log is missing rejects a write instead of acknowledging it', async () => {
  const log = createLogSync(join(temporaryFolder(), 'none.db'))
  await expect(log.sync()).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(log.sync()).rejects.toMatchObject({ code: 'ENOENT' })
  await log.close()
})

test('closing waits for writes in progress', async () => {
  const file = join(temporaryFolder(), 'store.db')
  const store = openSqlite(file, { now: () => 0 })
  const written = createRun(store)
  await store.close()
  const run = await written
  const again = openSqlite(file, { now: () => 0 })
  expect(await again.runs.find(run.id)).toEqual(run)
  await again.close()
})
