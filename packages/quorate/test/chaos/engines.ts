import { join } from 'node:path'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import type { Store } from '../../src/store/store.ts'

/** Where a run keeps what it has: the same chaos over each. */
export interface ChaosEngine {
  readonly name: Store['engine']
  /** For the command line: which store it is to use. */
  env(): Readonly<Record<string, string>>
  /** The store that a run in this folder left. */
  open(folder: string): Store | Promise<Store>
}

export const SQLITE: ChaosEngine = {
  name: 'sqlite',
  env: () => ({}),
  open: (folder) => openSqlite(join(folder, '.quorate/quorate.db'), { now: () => 0 }),
}
