import {
  CamelCasePlugin,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import type { ColumnTypes } from '../migrations/migrate.ts'
import type { Tables } from '../schema.ts'

/** Compiles queries for PostgreSQL. The engine runs them, and Kysely never does. */
export function postgresQueries(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [new CamelCasePlugin()],
  })
}

/** The clock of the database in milliseconds since 1970. Unlike `now()`, it advances within a transaction. */
export const DATABASE_NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** The C collation orders text by code point, as SQLite does, whatever the database's locale. */
export const POSTGRES_TYPES: ColumnTypes = {
  text: sql`text collate "C"`,
  integer: sql`bigint`,
  tableEnd: sql``,
}
