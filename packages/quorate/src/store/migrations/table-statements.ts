import { type ColumnDefinitionBuilder, type Compilable, type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Tables } from '../schema.ts'
import type { ColumnTypes } from './migrate.ts'

/** What a migration needs to build its statements for an engine. */
export interface SchemaContext {
  readonly queries: Kysely<Tables>
  readonly types: ColumnTypes
}

type TableBuilder = CreateTableBuilder<string, string>

/** Creates a table. A column whose name ends in `?` may be null. */
export function table(
  { queries, types }: SchemaContext,
  name: string,
  columns: readonly (readonly ['text' | 'integer', string])[],
): TableBuilder {
  let builder: TableBuilder = queries.schema.createTable(name)
  for (const [type, names] of columns) {
    for (const column of names.split(' ')) {
      const required = (definition: ColumnDefinitionBuilder) => definition.notNull()
      builder = column.endsWith('?')
        ? builder.addColumn(column.slice(0, -1), types[type])
        : builder.addColumn(column, types[type], required)
    }
  }
  return builder.modifyEnd(types.tableEnd)
}

/** Adds the foreign key of rows that belong to a question of a run. */
export function ofQuestion(builder: TableBuilder, name: string): TableBuilder {
  const key = ['runId', 'questionId']
  return builder.addForeignKeyConstraint(`${name}Question`, key, 'runQuestions', key)
}

export function index({ queries }: SchemaContext, name: string, indexName: string, columns: string): Compilable {
  return queries.schema.createIndex(indexName).on(name).columns(columns.split(' '))
}

/** Rows with a null in these columns are never duplicates. */
export function uniqueIndex({ queries }: SchemaContext, name: string, indexName: string, names: string): Compilable {
  return queries.schema.createIndex(indexName).on(name).columns(names.split(' ')).unique()
}

export function partialIndex(context: SchemaContext, definition: ReturnType<typeof sql>): Compilable {
  return raw(context, sql`create index ${definition}`)
}

export function raw({ queries }: SchemaContext, statement: ReturnType<typeof sql>): Compilable {
  return { compile: () => statement.compile(queries) }
}
