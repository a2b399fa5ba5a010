import { expect, test } from 'vitest'
import { postgresQueries } from '../../src/store/postgres/postgres-queries.ts'
import { preparedQuery } from '../../src/store/prepared-query.ts'

const queries = postgresQueries()

test('a limit is part of the SQL text, and other values are parameters', () => {
  const { sql, parameters } = queries.selectFrom('runs').select('id').where('id', '>', 'a').limit(25).compile()
  expect(sql).toMatch(/ limit 25$/u)
  expect(parameters).toEqual(['a'])
})

test('a limit that is one of the values of a prepared query stays a parameter', () => {
  const page = preparedQuery(['limit'], ({ limit }: { limit: number }) =>
    queries.selectFrom('runs').select('id').limit(limit),
  )
  const { sql, parameters } = page({ limit: 7 }).compile()
  expect(sql).toMatch(/ limit \$1$/u)
  expect(parameters).toEqual([7])
})
