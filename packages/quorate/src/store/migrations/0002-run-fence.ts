import type { Migration } from './migration.ts'

/** Null: a run that no process has to itself, such as an import. */
export const runFence: Migration = {
  version: 2,
  name: 'fence of a run',
  statements: (queries, types) => [queries.schema.alterTable('runs').addColumn('fence', types.text)],
}
