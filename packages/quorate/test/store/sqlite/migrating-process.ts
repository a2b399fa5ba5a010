import { sql } from 'kysely'
import { ALL_MIGRATIONS } from '../../../src/store/migrations/first-schema.ts'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'

/** Opens the file of its argument with one more migration than it has. */
const [, , file = ''] = process.argv
process.stdout.write('opening\n')
const store = openSqlite(file, {
  now: () => 0,
  migrations: [
    ...ALL_MIGRATIONS,
    {
      version: ALL_MIGRATIONS.length + 1,
      name: 'notes',
      statements: (queries) => [queries.schema.alterTable('runs').addColumn('note', sql`text`)],
    },
  ],
})
await store.runs.list(1)
await store.close()
