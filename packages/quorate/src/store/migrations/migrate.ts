import type { Compilable, Kysely, RawBuilder } from 'kysely'
import { z } from 'zod'
import { StoreError } from '../../record/store-error.ts'
import { affectedBy, rowOf, type Steps } from '../operation.ts'
import { integer } from '../row-schemas.ts'
import type { Tables } from '../schema.ts'
import type { Millis } from '../store.ts'

/** One step of the schema. A released migration never changes: the next change gets the next number. */
export interface Migration {
  readonly version: number
  readonly name: string
  statements(queries: Kysely<Tables>, types: ColumnTypes): readonly Compilable[]
}

/** The SQL types of an engine. */
export interface ColumnTypes {
  /** Ordered by code point on both engines. */
  readonly text: RawBuilder<unknown>
  /** 64 bits. */
  readonly integer: RawBuilder<unknown>
  /** Written after the columns of a table. */
  readonly tableEnd: RawBuilder<unknown>
}

/** What an engine needs to migrate its tables. */
export interface MigrationPlan {
  readonly queries: Kysely<Tables>
  readonly types: ColumnTypes
  readonly migrations: readonly Migration[]
  readonly now: () => Millis
}

/** The last migration that a store has applied. */
export type Applied = Pick<Migration, 'version' | 'name'>

/** The state of a database without a schema. */
export const NOT_MIGRATED: Applied = { version: 0, name: '' }

const appliedSchema = z.object({ version: integer, name: z.string() }).describe('schema version')

/** Reads the last applied migration. Creates the table of migrations if it does not exist. */
export function* readApplied({ queries, types }: MigrationPlan): Steps<Applied> {
  yield* affectedBy(
    queries.schema
      .createTable('quorateSchema')
      .ifNotExists()
      .addColumn('version', types.integer, (column) => column.notNull())
      .addColumn('name', types.text, (column) => column.notNull())
      .addColumn('appliedAt', types.integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('quorateSchemaKey', ['version'])
      .modifyEnd(types.tableEnd),
  )
  const latest = queries.selectFrom('quorateSchema').select(['version', 'name']).orderBy('version', 'desc').limit(1)
  return (yield* rowOf(latest, appliedSchema)) ?? NOT_MIGRATED
}

/** The migration that a store needs next; null: it is up to date. */
export function nextMigration(
  migrations: readonly Migration[],
  { version, name }: Applied,
  place: string,
): Migration | null {
  const known = migrations[version - 1]
  if (known !== undefined && known.name !== name) {
    throw new StoreError(
      'newer-schema',
      `${place} was written by a version of quorate from before its release (${name}): begin with a new store`,
    )
  }
  if (version <= migrations.length) return migrations[version] ?? null
  throw new StoreError(
    'newer-schema',
    `${place} was written by another version of quorate (its schema is ${version}, this one knows ${migrations.length}): ` +
      'open it with that version, or begin with a new store',
  )
}

/** Applies a migration and records it. The caller has the lock and commits. */
export function* applyMigration({ queries, types, now }: MigrationPlan, migration: Migration): Steps<void> {
  for (const statement of migration.statements(queries, types)) yield* affectedBy(statement)
  const { version, name } = migration
  yield* affectedBy(queries.insertInto('quorateSchema').values({ version, name, appliedAt: now() }))
}
