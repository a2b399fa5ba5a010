import { firstTables } from './0001-first-tables.ts'
import { runFence } from './0002-run-fence.ts'
import { serverTables } from './0003-server-tables.ts'
import { monitorTables } from './0004-monitor-tables.ts'
import { reviewViewers } from './0005-review-viewers.ts'
import { outboxLanes } from './0006-outbox-lanes.ts'
import { sharedRuns } from './0007-shared-runs.ts'
import type { Migration } from './migration.ts'

/** The tables as they are made anew, part by part. Stores of before there was a release are refused. */
const firstSchema: Migration = {
  version: 1,
  name: 'first schema',
  statements: (queries, types) =>
    [firstTables, runFence, serverTables, monitorTables, reviewViewers, outboxLanes, sharedRuns].flatMap((part) =>
      part.statements(queries, types),
    ),
}

/** In order, without gaps, from 1. A released one is never changed: the next change is the next number. */
export const ALL_MIGRATIONS: readonly Migration[] = [firstSchema]
