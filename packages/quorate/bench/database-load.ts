import type { Client } from 'pg'

/** What a database has written so far; differences of two looks say what was written between them. */
export interface DatabaseLoad {
  readonly walBytes: number
  /** By name, partitions under the table that they are of. */
  readonly tables: ReadonlyMap<string, TableLoad>
}

export interface TableLoad {
  readonly inserted: number
  readonly updated: number
  readonly deleted: number
  /** With what is stored out of line. */
  readonly tableBytes: number
  readonly indexBytes: number
}

const TABLES = `
  select coalesce(pg_partition_root(relid), relid)::regclass::text as name,
    sum(n_tup_ins)::float8 as inserted, sum(n_tup_upd)::float8 as updated, sum(n_tup_del)::float8 as deleted,
    sum(pg_table_size(relid))::float8 as "tableBytes", sum(pg_indexes_size(relid))::float8 as "indexBytes"
  from pg_stat_user_tables group by 1`

/** Counts are whole when those who wrote have disconnected: until then they keep the latest to themselves. */
export async function readLoad(client: Client): Promise<DatabaseLoad> {
  const wal = await client.query("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes")
  const { rows } = await client.query<TableLoad & { readonly name: string }>(TABLES)
  return { walBytes: wal.rows[0].bytes, tables: new Map(rows.map(({ name, ...load }) => [name, load])) }
}

export function loadBetween(before: DatabaseLoad, after: DatabaseLoad): DatabaseLoad {
  const tables = [...after.tables].map(([name, load]) => [name, minus(load, before.tables.get(name))] as const)
  return { walBytes: after.walBytes - before.walBytes, tables: new Map(tables) }
}

function minus(after: TableLoad, before: TableLoad | undefined): TableLoad {
  if (before === undefined) return after
  return {
    inserted: after.inserted - before.inserted,
    updated: after.updated - before.updated,
    deleted: after.deleted - before.deleted,
    tableBytes: after.tableBytes - before.tableBytes,
    indexBytes: after.indexBytes - before.indexBytes,
  }
}

export function rowsOf({ tables }: DatabaseLoad): number {
  return [...tables.values()].reduce((sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted, 0)
}

export function bytesOf({ tables }: DatabaseLoad): number {
  return [...tables.values()].reduce((sum, { tableBytes, indexBytes }) => sum + tableBytes + indexBytes, 0)
}

/** Bytes of each index of this table, largest first. */
export async function indexBytes(client: Client, table: string): Promise<ReadonlyMap<string, number>> {
  const query = `
    select indexrelname as name, pg_relation_size(indexrelid)::float8 as bytes from pg_stat_user_indexes
    where relid = $1::regclass order by bytes desc`
  const { rows } = await client.query<{ readonly name: string; readonly bytes: number }>(query, [table])
  return new Map(rows.map(({ name, bytes }) => [name, bytes]))
}
