import {
  CamelCasePlugin,
  DummyDriver,
  Kysely,
  type LimitNode,
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
      createQueryCompiler: () => new SqliteCompiler(),
    },
    plugins: [new CamelCasePlugin()],
  })
}

class SqliteCompiler extends SqliteQueryCompiler {
  /**
   * SQLite plans a query again whenever a limit is bound as a parameter, which takes ten times as long as reading a row, and for
   * a small limit it may prefer to sort a whole table. It does not look at the value of an expression.
   */
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node)
    this.append(' + 0')
  }
}

/** Strict tables refuse a value whose type differs from the column's. */
export const SQLITE_TYPES: ColumnTypes = {
  text: sql`text`,
  integer: sql`integer`,
  tableEnd: sql`strict`,
}
