import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../record/store-error.ts'
import { applyMigration, type MigrationPlan, nextMigration, readVersion } from '../migrations/migrate.ts'
import { copyDatabase } from './copy-database.ts'
import { createStatements } from './statements.ts'

/** Brings the tables up to date in one transaction; another process that opens the file waits for it. */
export function migrateSqlite(database: DatabaseSync, file: string, plan: MigrationPlan): void {
  if (!isBehind(database, file, plan)) return
  database.exec('begin immediate')
  try {
    migrateAll(database, file, plan)
    database.exec('commit')
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

function migrateAll(database: DatabaseSync, file: string, plan: MigrationPlan): void {
  const statements = createStatements(database)
  const version = statements.run(() => readVersion(plan))
  let migration = nextMigration(plan.migrations, version, `store ${file}`)
  // Null: the process that we waited for did it.
  if (migration !== null && version > 0 && file !== ':memory:') copyBeforeMigration(file, version)
  while (migration !== null) {
    const next = migration
    statements.run(() => applyMigration(plan, next))
    migration = nextMigration(plan.migrations, next.version, `store ${file}`)
  }
}

/** Without a lock and without writing: a store that is up to date is opened beside a busy one. */
function isBehind(database: DatabaseSync, file: string, plan: MigrationPlan): boolean {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
  if (tables.length === 0) return true
  if (!tables.some(({ name }) => name === 'quorate_schema')) {
    throw new StoreError('not-a-store', `store ${file}: it holds the tables of another program: name another file`)
  }
  const row = database.prepare('select max(version) as version from quorate_schema').get()
  const version = Number(row?.['version'] ?? 0)
  return nextMigration(plan.migrations, version, `store ${file}`) !== null
}

/** Read over a connection of its own, as VACUUM runs in no transaction; nobody else can write meanwhile. */
function copyBeforeMigration(file: string, version: number): void {
  const reader = new DatabaseSync(file, { readOnly: true })
  try {
    for (let copy = 1; ; copy++) {
      const name = `${file}.backup-v${version}${copy === 1 ? '' : `-${copy}`}`
      if (existsSync(name)) continue
      copyDatabase(reader, name)
      return
    }
  } finally {
    reader.close()
  }
}
