import { index } from './0001-first-tables.ts'
import type { Migration } from './migration.ts'

/** Messages are taken target by target, alarms first: neither must read what waits for others. */
export const outboxLanes: Migration = {
  version: 6,
  name: 'messages by target',
  statements: (queries, types) => {
    const context = { queries, types }
    return [
      index(context, 'outbox', 'outboxByTarget', 'target nextAt createdAt id'),
      index(context, 'outbox', 'outboxByEvent', 'event target nextAt createdAt id'),
      index(context, 'outbox', 'outboxByEventTime', 'event nextAt createdAt id'),
    ]
  },
}
