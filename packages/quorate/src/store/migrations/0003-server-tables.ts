import { type Compilable, sql } from 'kysely'
import { type Context, index, ofQuestion, table } from './0001-first-tables.ts'
import type { Migration } from './migration.ts'

/** What the server, the queue and webhooks need. */
export const serverTables: Migration = {
  version: 3,
  name: 'server, queue and webhooks',
  statements: (queries, types) => {
    const context = { queries, types }
    return [
      ...arrivals(context),
      ...listedDebates(context),
      ...queue(context),
      ...labelsOfReviews(context),
      ...access(context),
      ...messages(context),
    ]
  },
}

/** Questions that were asked before are not counted: the probability that they were drawn with was not kept. */
function arrivals(context: Context): readonly Compilable[] {
  return [
    ...columns(context, 'runQuestions', 'integer', 'arrival arrivedAt rateMark'),
    ...columns(context, 'runQuestions', 'text', 'certificateId spotCheckRate'),
    unique(context, 'runQuestions', 'runQuestionsByArrival', 'certificateId arrival'),
    index(context, 'runQuestions', 'runQuestionsByDraw', 'certificateId isDrawn arrival'),
    some(context, sql`run_questions_by_mark on run_questions (certificate_id, arrival) where rate_mark is not null`),
  ]
}

function listedDebates(context: Context): readonly Compilable[] {
  const decided = sql`update debates set kind = decisions.kind, reason = decisions.reason from decisions
    where decisions.run_id = debates.run_id and decisions.question_id = debates.question_id`
  const certified = table(context, 'certified', [
    ['text', 'runId questionId decisionId digests? result'],
    ['integer', 'round at'],
  ])
  return [
    // Debates that were stored before have no group here: it is written with the debate.
    ...columns(context, 'debates', 'text', 'groupName kind reason'),
    withDefault(context, 'debates', 'isErased', 0),
    raw(context, decided),
    index(context, 'debates', 'debatesByTime', 'at runId questionId version'),
    // Of the few: every debate that is stored pays for an index that it stands in.
    some(context, sql`debates_by_reason on debates (reason, at, run_id, question_id) where reason is not null`),
    some(context, sql`debates_by_group on debates (group_name, at, run_id, question_id) where group_name is not null`),
    some(context, sql`debates_by_failure on debates (status, at, run_id, question_id) where status <> 'done'`),
    ofQuestion(certified, 'certified').addPrimaryKeyConstraint('certifiedKey', ['runId', 'questionId', 'round']),
  ]
}

/** Also in the code, as UNKNOWN_RANK; a released migration keeps its own numbers. */
const LAST = 2_000_000_000

function queue(context: Context): readonly Compilable[] {
  return [
    ...columns(context, 'reviews', 'integer', 'distance isBlind submittedAt undoUntil claimedAt'),
    ...columns(context, 'reviews', 'text', 'queue by note claimedBy'),
    withDefault(context, 'reviews', 'list', 'blind'),
    withDefault(context, 'reviews', 'rank', LAST),
    withDefault(context, 'reviews', 'skips', 0),
    raw(context, sql`update reviews set rank = created_at`),
    raw(context, sql`update reviews set queue = list where status = 'waiting' and locked_until is null`),
    index(context, 'reviews', 'reviewsByRank', 'queue rank id'),
    index(context, 'reviews', 'reviewsByLock', 'status queue lockedUntil'),
    index(context, 'reviews', 'reviewsByAge', 'status createdAt'),
    // What can still be undone is asked for often, and is little of all that was submitted.
    some(context, sql`reviews_by_undo on reviews (undo_until) where status = 'submitted' and is_blind = 1`),
    index(context, 'reviews', 'reviewsByReviewer', 'by status submittedAt'),
    index(context, 'reviews', 'reviewsByAssignee', 'assignee status lockedUntil id'),
    table(context, 'reviewSkips', [
      ['text', 'reviewer reviewId'],
      ['integer', 'at'],
    ])
      .addPrimaryKeyConstraint('reviewSkipsKey', ['reviewer', 'reviewId'])
      .addForeignKeyConstraint('reviewSkipsReview', ['reviewId'], 'reviews', ['id']),
    index(context, 'reviewSkips', 'reviewSkipsByReview', 'reviewId'),
    index(context, 'reviewSkips', 'reviewSkipsByTime', 'reviewer at reviewId'),
    table(context, 'reviewQueue', [['integer', 'id handedOut']]).addPrimaryKeyConstraint('reviewQueueKey', ['id']),
    raw(context, sql`insert into review_queue (id, handed_out) values (1, 0)`),
  ]
}

function labelsOfReviews(context: Context): readonly Compilable[] {
  return [
    withDefault(context, 'labels', 'verdict', 'option'),
    ...columns(context, 'labels', 'text', 'reviewId'),
    ...columns(context, 'labels', 'integer', 'retractedAt'),
    // A review never counts twice, whatever happens.
    unique(context, 'labels', 'labelsOfReview', 'reviewId'),
  ]
}

function access(context: Context): readonly Compilable[] {
  return [
    table(context, 'tokens', [
      ['text', 'id name role kind hash'],
      ['integer', 'createdAt expiresAt? revokedAt? lastUsedAt?'],
    ])
      .addPrimaryKeyConstraint('tokensKey', ['id'])
      .addUniqueConstraint('tokensHash', ['hash']),
    index(context, 'tokens', 'tokensByName', 'name revokedAt'),
    table(context, 'sessions', [
      ['text', 'hash tokenId'],
      ['integer', 'createdAt expiresAt'],
    ])
      .addPrimaryKeyConstraint('sessionsKey', ['hash'])
      .addForeignKeyConstraint('sessionsToken', ['tokenId'], 'tokens', ['id']),
    index(context, 'sessions', 'sessionsByToken', 'tokenId'),
    index(context, 'sessions', 'sessionsByEnd', 'expiresAt'),
    table(context, 'readiness', [['integer', 'id at']]).addPrimaryKeyConstraint('readinessKey', ['id']),
  ]
}

function messages(context: Context): readonly Compilable[] {
  return [
    table(context, 'outbox', [
      ['text', 'id event body target subject? lastError?'],
      ['integer', 'createdAt notBefore attempts nextAt? deliveredAt?'],
    ]).addPrimaryKeyConstraint('outboxKey', ['id']),
    index(context, 'outbox', 'outboxByTime', 'nextAt createdAt id'),
    index(context, 'outbox', 'outboxBySubject', 'subject'),
    table(context, 'policyEvents', [
      ['text', 'id kind cause? certificateId? by? note?'],
      ['integer', 'sequence at arrival'],
    ])
      .addPrimaryKeyConstraint('policyEventsKey', ['id'])
      .addUniqueConstraint('policyEventsSequence', ['sequence']),
    index(context, 'policyEvents', 'policyEventsByKind', 'kind sequence'),
    // The last arrival for each certificate when a release was committed.
    table(context, 'policyArrivals', [
      ['text', 'certificateId'],
      ['integer', 'sequence arrival'],
    ]).addPrimaryKeyConstraint('policyArrivalsKey', ['sequence', 'certificateId']),
    index(context, 'policyEvents', 'policyEventsByCertificate', 'certificateId kind'),
  ]
}

/** SQLite adds one column a statement. */
function columns({ queries, types }: Context, name: string, type: 'text' | 'integer', names: string) {
  return names.split(' ').map((column) => queries.schema.alterTable(name).addColumn(column, types[type]))
}

function withDefault({ queries, types }: Context, name: string, column: string, value: string | number): Compilable {
  const type = typeof value === 'string' ? types.text : types.integer
  return queries.schema.alterTable(name).addColumn(column, type, (builder) => builder.notNull().defaultTo(value))
}

/** Rows with null do not meet. */
function unique({ queries }: Context, name: string, indexName: string, names: string): Compilable {
  return queries.schema.createIndex(indexName).on(name).columns(names.split(' ')).unique()
}

function some(context: Context, definition: ReturnType<typeof sql>): Compilable {
  return raw(context, sql`create index ${definition}`)
}

function raw({ queries }: Context, statement: ReturnType<typeof sql>): Compilable {
  return { compile: () => statement.compile(queries) }
}
