import fc from 'fast-check'
import { expect, test } from 'vitest'
import { preparedQuery, preparedRows } from '../../src/store/prepared-query.ts'
import { sqliteQueries } from '../../src/store/sqlite/sqlite-queries.ts'

const queries = sqliteQueries()

interface Closing {
  readonly [name: string]: string | number | null
  readonly id: string
  readonly state: 'answered' | 'lost'
  readonly at: number
  readonly error: string | null
}

const build = ({ id, ...set }: Closing) =>
  queries.updateTable('calls').set(set).where('id', '=', id).where('state', '=', 'open').where('reply', 'is', null)

test('returns the text and the values that compiling again would, including constants of the query', () => {
  const prepared = preparedQuery<Closing>(['id', 'state', 'at', 'error'], build)
  const closing = fc.record({
    id: fc.oneof(fc.string(), fc.constantFrom('\0id', '\0state', 'open')),
    state: fc.constantFrom('answered' as const, 'lost' as const),
    at: fc.integer(),
    error: fc.option(fc.string()),
  })
  fc.assert(
    fc.property(closing, (values) => {
      const { sql, parameters } = prepared(values).compile()
      const anew = build(values).compile()
      expect(sql).toBe(anew.sql)
      expect(parameters).toEqual(anew.parameters)
    }),
  )
})

test('is built once', () => {
  let built = 0
  const prepared = preparedQuery<{ id: string }>(['id'], ({ id }) => {
    built += 1
    return queries.selectFrom('calls').selectAll().where('id', '=', id)
  })
  expect([prepared({ id: 'a' }).compile().parameters, prepared({ id: 'b' }).compile().parameters]).toEqual([
    ['a'],
    ['b'],
  ])
  expect(built).toBe(1)
})

test('rows are split into statements of 64, 32, 16 ... rows, equal to those that compiling again would return', () => {
  const insert = (rows: readonly { readonly runId: string; readonly sequence: number; line: string; hash: string }[]) =>
    queries.insertInto('ledger').values(rows)
  let built = 0
  const prepared = preparedRows(['runId', 'sequence', 'line', 'hash'], (rows: Parameters<typeof insert>[0]) => {
    built += 1
    return insert(rows)
  })
  const rows = Array.from({ length: 203 }, (_, at) => ({
    runId: 'run',
    sequence: at,
    line: `\0${at}.line`,
    hash: `${at}`,
  }))
  const sizes = [64, 64, 64, 8, 2, 1]
  for (const round of [1, 2]) {
    const statements = prepared(rows).map((query) => query.compile())
    let start = 0
    expect(statements.length, `round ${round}`).toBe(sizes.length)
    for (const [at, size] of sizes.entries()) {
      const { sql, parameters } = insert(rows.slice(start, start + size)).compile()
      expect(statements[at]).toMatchObject({ sql, parameters })
      start += size
    }
  }
  expect(built).toBe(4)
  expect(prepared([])).toEqual([])
})
