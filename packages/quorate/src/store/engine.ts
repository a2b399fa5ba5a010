import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Operation } from './operation.ts'
import type { Tables } from './schema.ts'
import type { StorageLocation, Store } from './store.ts'

/** `by-key`: every statement looks up its rows by a key, even if the statistics say that the table is almost empty. */
export type Plans = 'usual' | 'by-key'

/** Everything in which SQLite and PostgreSQL differ. The parts of the store are written on top of it. */
export interface Engine extends StorageLocation {
  readonly name: Store['engine']
  /** Builds and compiles queries, and never runs one. */
  readonly queries: Kysely<Tables>
  read<Result>(operation: Operation<Result>): Promise<Result>
  /** Runs the operation in one transaction, and resolves after its commit. */
  write<Result>(operation: Operation<Result>, plans?: Plans): Promise<Result>
  /** Runs a write of one statement, which needs no explicit transaction, and returns the number of rows written. */
  writeOne(query: Compilable): Promise<number>
  /**
   * A statement that locks this name until the commit, so that other operations that lock it wait. Null: the engine runs
   * writes one after another anyway. Operations with a `shared` lock wait only for those that lock it `alone`. Reads after
   * the lock see everything that earlier owners of the lock committed.
   */
  lock(name: string, mode?: 'alone' | 'shared'): CompiledQuery | null
  backup(path: string): Promise<void>
  /** Overwrites erased data. False: old bytes may remain in the database's files. */
  wipe(): Promise<boolean>
  close(): Promise<void>
}
