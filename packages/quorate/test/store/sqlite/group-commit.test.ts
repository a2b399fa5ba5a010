import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { runAll, type Steps } from '../../../src/store/operation.ts'
import { createGroupCommit } from '../../../src/store/sqlite/group-commit.ts'
import { createStatements, type Statements } from '../../../src/store/sqlite/statements.ts'

function setUp() {
  const database = new DatabaseSync(':memory:')
  database.exec('create table numbers(value integer primary key) strict')
  const real = createStatements(database)
  const commands: string[] = []
  const recorded: Statements = {
    execute: (query) => {
      commands.push(query.sql)
      return real.execute(query)
    },
    run: (operation) => real.run(operation),
  }
  const values = () =>
    database
      .prepare('select value from numbers')
      .all()
      .map(({ value }) => value)
  return { database, commands, values, ...createGroupCommit(database, recorded) }
}

function insert(...values: readonly number[]) {
  return function* (): Steps<number> {
    for (const value of values)
      yield* runAll([{ compile: () => CompiledQuery.raw('insert into numbers values (?)', [value]) }])
    return values.length
  }
}

test('writes of the same turn share a transaction, and later ones have their own', async () => {
  const { write, commands, values } = setUp()
  expect(await Promise.all([write(insert(1)), write(insert(2, 3)), write(insert(4))])).toEqual([1, 2, 1])
  await write(insert(5))
  expect(commands.filter((sql) => sql === 'commit').length).toBe(2)
  expect(values()).toEqual([1, 2, 3, 4, 5])
})

test('a write does not wait for writes of later turns', async () => {
  const { write, values } = setUp()
  const turn = () => new Promise((next) => setImmediate(next))
  const written: Promise<number>[] = []
  const committed: number[] = []
  for (let value = 0; value < 24; value++) {
    written.push(write(insert(value)))
    await turn()
    committed.push(values().length)
  }
  await Promise.all(written)
  // Each is committed at the latest in the turn after its own.
  expect(committed.map((count, index) => index + 1 - count).filter((waiting) => waiting > 1)).toEqual([])
})

test('no write is reported before its commit', async () => {
  const { write, commands } = setUp()
  const received = write(insert(1)).then(() => commands.at(-1))
  expect(commands).toEqual([])
  expect(await received).toBe('commit')
})

test('a failed write is rolled back as a whole and does not affect the others', async () => {
  const { write, values } = setUp()
  const results = await Promise.allSettled([write(insert(1)), write(insert(2, 1)), write(insert(3))])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(values()).toEqual([1, 3])
})

test('if one write aborts the transaction, the others are retried alone', async () => {
  const { write, values, database, commands } = setUp()
  let isFirst = true
  function* breaking(): Steps<number> {
    yield* runAll([{ compile: () => CompiledQuery.raw('insert into numbers values (7)') }])
    // A full disk can do this.
    if (isFirst) database.exec('rollback')
    isFirst = false
    return 1
  }
  expect(await Promise.all([write(insert(1)), write(breaking), write(insert(3))])).toEqual([1, 1, 1])
  expect(values()).toEqual([1, 3, 7])
  expect(commands.filter((sql) => sql === 'commit').length).toBe(3)
})

test('if the commit itself fails, nothing is acknowledged', async () => {
  const { write, database, values } = setUp()
  database.exec('pragma foreign_keys = on')
  database.exec('create table other(value integer references numbers(value) deferrable initially deferred) strict')
  function* dangling(): Steps<number> {
    yield* runAll([{ compile: () => CompiledQuery.raw('insert into other values (99)') }])
    return 1
  }
  const results = await Promise.allSettled([write(insert(1)), write(dangling), write(insert(2))])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(values()).toEqual([1, 2])
  expect(database.isTransaction).toBe(false)
})

test('more writes than fit into one transaction are all written', async () => {
  const { write, commands, values } = setUp()
  await Promise.all(Array.from({ length: 1000 }, (_, value) => write(insert(value))))
  expect(values().length).toBe(1000)
  expect(commands.filter((sql) => sql === 'commit').length).toBe(4)
})

test('flush commits waiting writes immediately', () => {
  const { write, flush, values } = setUp()
  void write(insert(1))
  expect(values()).toEqual([])
  flush()
  expect(values()).toEqual([1])
})
