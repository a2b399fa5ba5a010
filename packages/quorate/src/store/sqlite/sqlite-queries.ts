import {
  CamelCasePlugin,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { ColumnTypes } from '../migrations/migrate.ts'
import type { Tables } from '../schema.ts'

/** Compiles queries for SQLite. The engine runs them synchronously, and Kysely never does. */
export function sqliteQueries(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    plugins: [new CamelCasePlugin()],
  })
}

/** Strict tables refuse a value whose type differs from the column's. */
export const SQLITE_TYPES: ColumnTypes = {
  text: sql`text`,
  integer: sql`integer`,
  tableEnd: sql`strict`,
}
