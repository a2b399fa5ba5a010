import { join } from 'node:path'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import type { Store } from '../../src/store/store.ts'

/** A store of a run. The same chaos runs on each engine. */
export interface ChaosEngine {
  readonly name: Store['engine']
  /** Environment that tells the command line which store to use. */
  env(): Readonly<Record<string, string>>
  /** Opens the store of a run in this folder. */
  open(folder: string): Store | Promise<Store>
}

export const SQLITE: ChaosEngine = {
  name: 'sqlite',
  env: () => ({}),
  open: (folder) => openSqlite(join(folder, '.quorate/quorate.db'), { now: () => 0 }),
}
