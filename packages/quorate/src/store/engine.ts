import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Operation } from './operation.ts'
import type { Placed } from './placed.ts'
import type { Tables } from './schema.ts'
import type { Store } from './store.ts'

/** `by-key`: every statement finds its rows by a key, however few rows the table seems to have. */
export type Plans = 'usual' | 'by-key'

/** What an engine does for the sub-stores: everything in which SQLite and PostgreSQL differ. */
export interface Engine extends Placed {
  readonly name: Store['engine']
  /** Builds and compiles queries; never runs one. */
  readonly queries: Kysely<Tables>
  read<Result>(operation: Operation<Result>): Promise<Result>
  /** All of the operation or nothing; resolves after its commit. */
  write<Result>(operation: Operation<Result>, plans?: Plans): Promise<Result>
  /** A write of one statement, which needs no transaction around it; how many rows it wrote. */
  writeOne(query: Compilable): Promise<number>
  /**
   * Makes other operations under this name wait until this one's commit; null where writes wait anyway. Operations that
   * take a `shared` lock wait only for those that take it alone. What is read after the lock is what they committed.
   */
  lock(name: string, mode?: 'alone' | 'shared'): CompiledQuery | null
  backup(path: string): Promise<void>
  /** Overwrites what was erased; false when old bytes may remain in the database's files. */
  wipe(): Promise<boolean>
  close(): Promise<void>
}
