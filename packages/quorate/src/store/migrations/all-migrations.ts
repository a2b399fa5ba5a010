import { firstTables } from './0001-first-tables.ts'
import { runFence } from './0002-run-fence.ts'
import { serverTables } from './0003-server-tables.ts'
import { sharedRuns } from './0004-shared-runs.ts'
import type { Migration } from './migration.ts'

/** In order, without gaps, from 1. */
export const ALL_MIGRATIONS: readonly Migration[] = [firstTables, runFence, serverTables, sharedRuns]
