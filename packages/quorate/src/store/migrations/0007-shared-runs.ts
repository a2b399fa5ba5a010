import { type Compilable, sql } from 'kysely'
import { type Context, index, ofQuestion, table } from './0001-first-tables.ts'
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
      ...callTables(context),
      table(context, 'workers', [
        ['text', 'id name version queues'],
        ['integer', 'startedAt seenAt endedAt? debates inFlight ended answered takenOver'],
      ]).addPrimaryKeyConstraint('workersKey', ['id']),
      table(context, 'breakers', [
        ['text', 'name probeBy? lastError?'],
        ['integer', 'failures rests restsUntil? probeUntil? pausedUntil?'],
      ]).addPrimaryKeyConstraint('breakersKey', ['name']),
    ]
  },
}

/**
 * Calls made anew with fewer keys: every one begins with the run, whose ids are ordered by time, so that the table can be
 * cut into ranges of runs; and none holds what changes when a call is closed, so that closing writes no index.
 */
function callTables(context: Context): readonly Compilable[] {
  const columns =
    'id, cache_key, run_id, question_id, agent, model, fence, state, reply, error, round, repeat, is_reminder, attempt, ' +
    'reserved_micro_usd, opened_at, at, input_tokens, output_tokens, cost_micro_usd'
  const calls = table(context, 'newCalls', [
    ['text', 'id cacheKey runId questionId agent model fence state reply? error?'],
    ['integer', 'round repeat isReminder attempt reservedMicroUsd? openedAt at?'],
    ['integer', 'inputTokens? outputTokens? costMicroUsd?'],
  ])
  const { queries } = context
  const copy = sql`insert into new_calls (${sql.raw(columns)}) select ${sql.raw(columns)} from calls`
  return [
    ofQuestion(calls, 'calls')
      .addPrimaryKeyConstraint('callsOfRun', ['runId', 'id'])
      .addUniqueConstraint('callsOnce', ['runId', ...PLACE]),
    { compile: () => copy.compile(queries) },
    queries.schema.dropTable('calls'),
    queries.schema.alterTable('newCalls').renameTo('calls'),
    index(context, 'calls', 'callsByCacheKey', 'cacheKey id'),
  ]
}

const PLACE = ['questionId', 'agent', 'round', 'repeat', 'isReminder', 'attempt']
