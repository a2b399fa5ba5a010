import { table } from './0001-first-tables.ts'
import type { Migration } from './migration.ts'

/** What several workers on one database share: who holds which question, what a run may spend, who is there; sums of calls that were archived. */
export const sharedRuns: Migration = {
  version: 7,
  name: 'runs of several workers',
  statements: (queries, types) => {
    const context = { queries, types }
    return [
      queries.schema.alterTable('runQuestions').addColumn('fence', types.text),
      table(context, 'sharedRuns', [
        ['text', 'runId options halt?'],
        ['integer', 'createdAt capMicroUsd? committedMicroUsd reservedMicroUsd openCalls'],
      ])
        .addPrimaryKeyConstraint('sharedRunsKey', ['runId'])
        .addForeignKeyConstraint('sharedRunsRun', ['runId'], 'runs', ['id']),
      table(context, 'callArchives', [
        ['text', 'runId state'],
        ['integer', 'count inputTokens outputTokens cost uncosted unpriced'],
      ])
        .addPrimaryKeyConstraint('callArchivesKey', ['runId', 'state'])
        .addForeignKeyConstraint('callArchivesRun', ['runId'], 'runs', ['id']),
      table(context, 'workers', [
        ['text', 'id name version queues'],
        ['integer', 'startedAt seenAt endedAt? debates inFlight ended answered takenOver'],
      ]).addPrimaryKeyConstraint('workersKey', ['id']),
      table(context, 'rateLimits', [
        ['text', 'name'],
        ['integer', 'freeAt'],
      ]).addPrimaryKeyConstraint('rateLimitsKey', ['name']),
      table(context, 'breakers', [
        ['text', 'name probeBy? lastError?'],
        ['integer', 'failures rests restsUntil? probeUntil? pausedUntil?'],
      ]).addPrimaryKeyConstraint('breakersKey', ['name']),
    ]
  },
}
