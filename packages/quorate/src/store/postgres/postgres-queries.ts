import {
  CamelCasePlugin,
  DummyDriver,
  Kysely,
  LimitNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  ValueNode,
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
      createQueryCompiler: () => new PostgresCompiler(),
    },
    plugins: [new CamelCasePlugin()],
  })
}

class PostgresCompiler extends PostgresQueryCompiler {
  /** Writes a limit into the SQL text. PostgreSQL may plan for a tenth of all rows if it is a parameter. */
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node
    const isNumber = ValueNode.is(limit) && typeof limit.value === 'number'
    super.visitLimit(isNumber ? LimitNode.create(ValueNode.createImmediate(limit.value)) : node)
  }
}

/** The clock of the database in milliseconds since 1970. Unlike `now()`, it advances within a transaction. */
export const DATABASE_NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** The C collation orders text by code point, as SQLite does, whatever the database's locale. */
export const POSTGRES_TYPES: ColumnTypes = {
  text: sql`text collate "C"`,
  integer: sql`bigint`,
  tableEnd: sql``,
}
