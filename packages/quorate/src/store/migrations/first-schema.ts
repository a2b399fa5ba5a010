import { type Compilable, sql } from 'kysely'
import type { Migration } from './migrate.ts'
import { index, ofQuestion, partialIndex, raw, type SchemaContext, table, uniqueIndex } from './table-statements.ts'

/**
 * Creates all tables. A store from before the first release has a different version or name, and is refused. Until then, the name
 * changes with the columns and with the JSON in them.
 */
const firstSchema: Migration = {
  version: 1,
  name: 'first schema of 2026-11-19, with claims',
  statements: (queries, types) => {
    const context = { queries, types }
    return [
      ...runTables(context),
      ...callTables(context),
      ...batchTables(context),
      ...debateTables(context),
      ...decisionTables(context),
      ...labelTables(context),
      ...reviewTables(context),
      ...ledgerTables(context),
      ...accessTables(context),
      ...messageTables(context),
      ...policyTables(context),
      ...workerTables(context),
    ]
  },
}

/** In order, without gaps, from 1. A released migration never changes: the next change gets the next number. */
export const ALL_MIGRATIONS: readonly Migration[] = [firstSchema]

function runTables(context: SchemaContext): readonly Compilable[] {
  return [
    // No single process owns a run without a fence, such as an import.
    table(context, 'runs', [
      ['text', 'id kind configHash questionsHash config certificateId? status fence?'],
      ['integer', 'sequence createdAt isShadow seed'],
    ])
      .addPrimaryKeyConstraint('runsKey', ['id'])
      .addUniqueConstraint('runsSequence', ['sequence']),
    index(context, 'runs', 'runsByHash', 'configHash questionsHash kind sequence'),
    table(context, 'runQuestions', [
      ['text', 'runId questionId question? status samplingRate? certificateId? spotCheckRate? fence?'],
      ['integer', 'position isSpotCheck samplingKey? arrival? arrivedAt? rateMark?'],
    ])
      .addPrimaryKeyConstraint('runQuestionsKey', ['runId', 'position'])
      .addUniqueConstraint('runQuestionsId', ['runId', 'questionId'])
      .addForeignKeyConstraint('runQuestionsRun', ['runId'], 'runs', ['id']),
    index(context, 'runQuestions', 'runQuestionsByStatus', 'runId status position'),
    // For redaction, which covers all runs.
    index(context, 'runQuestions', 'runQuestionsByQuestion', 'questionId'),
    uniqueIndex(context, 'runQuestions', 'runQuestionsByArrival', 'certificateId arrival'),
    index(context, 'runQuestions', 'runQuestionsBySpotCheck', 'certificateId isSpotCheck arrival'),
    partialIndex(
      context,
      sql`run_questions_by_mark on run_questions (certificate_id, arrival) where rate_mark is not null`,
    ),
    // In a table of their own, so that a query that lists runs cannot list their secret keys.
    table(context, 'samplingKeys', [
      ['text', 'runId key'],
      ['integer', 'number createdAt'],
    ])
      .addPrimaryKeyConstraint('samplingKeysKey', ['runId', 'number'])
      .addForeignKeyConstraint('samplingKeysRun', ['runId'], 'runs', ['id']),
    ...counters(context),
  ]
}

/**
 * Numbers in order of commit. A transaction that takes a number locks the row until its commit, so the next number goes to a
 * transaction that commits later. Numbers of PostgreSQL's sequences do not follow the order of commits.
 */
function counters(context: SchemaContext): readonly Compilable[] {
  return [
    table(context, 'counters', [
      ['text', 'name'],
      ['integer', 'value'],
    ]).addPrimaryKeyConstraint('countersKey', ['name']),
    raw(context, sql`insert into counters (name, value) values ('labels', 0), ('runs', 0)`),
  ]
}

/**
 * Every key of a call begins with the run, whose ids are ordered by time, so that the table can be partitioned by ranges of
 * runs. No index contains a column that changes when a call is closed, so closing a call updates no index.
 */
function callTables(context: SchemaContext): readonly Compilable[] {
  const calls = table(context, 'calls', [
    ['text', 'id cacheKey runId questionId agent model fence state reply? error?'],
    ['integer', 'round repeat isReminder attempt reservedMicroUsd? openedAt at?'],
    ['integer', 'inputTokens? outputTokens? costMicroUsd?'],
  ])
  return [
    ofQuestion(calls, 'calls')
      .addPrimaryKeyConstraint('callsOfRun', ['runId', 'id'])
      .addUniqueConstraint('callsOnce', ['runId', 'questionId', 'agent', 'round', 'repeat', 'isReminder', 'attempt']),
    index(context, 'calls', 'callsByCacheKey', 'cacheKey id'),
    // Sums over archived calls.
    table(context, 'callArchives', [
      ['text', 'runId state'],
      ['integer', 'count inputTokens outputTokens cost uncosted unpriced'],
    ])
      .addPrimaryKeyConstraint('callArchivesKey', ['runId', 'state'])
      .addForeignKeyConstraint('callArchivesRun', ['runId'], 'runs', ['id']),
    // Sums over calls that are still stored, so that a server need not read all of them when it starts.
    table(context, 'callSums', [
      ['text', 'runId upTo sums digest'],
      ['integer', 'calls'],
    ])
      .addPrimaryKeyConstraint('callSumsKey', ['runId'])
      .addForeignKeyConstraint('callSumsRun', ['runId'], 'runs', ['id']),
  ]
}

function batchTables(context: SchemaContext): readonly Compilable[] {
  return [
    // Requests are identified by digests, so there is no text to erase.
    table(context, 'batches', [
      ['text', 'id url remoteId? keys'],
      ['integer', 'at'],
    ]).addPrimaryKeyConstraint('batchesKey', ['id']),
  ]
}

function debateTables(context: SchemaContext): readonly Compilable[] {
  const debates = table(context, 'debates', [
    ['text', 'runId questionId debate status groupName? kind? reason?'],
    ['integer', 'rounds at version isErased'],
  ])
  return [
    ofQuestion(debates, 'debates').addPrimaryKeyConstraint('debatesKey', ['runId', 'questionId']),
    index(context, 'debates', 'debatesByTime', 'at runId questionId version'),
    // Partial, because each index that contains a debate makes writing the debate slower.
    partialIndex(context, sql`debates_by_reason on debates (reason, at, run_id, question_id) where reason is not null`),
    partialIndex(
      context,
      sql`debates_by_group on debates (group_name, at, run_id, question_id) where group_name is not null`,
    ),
    partialIndex(context, sql`debates_by_failure on debates (status, at, run_id, question_id) where status <> 'done'`),
  ]
}

function decisionTables(context: SchemaContext): readonly Compilable[] {
  const decisions = table(context, 'decisions', [
    ['text', 'id runId questionId certificateId kind reason? answer? decision'],
    ['integer', 'round isShadow at debateKind?'],
  ])
  const certified = table(context, 'certified', [
    ['text', 'runId questionId decisionId digests? result'],
    ['integer', 'round at'],
  ])
  return [
    table(context, 'certificates', [
      ['text', 'id file runId?'],
      ['integer', 'at'],
    ]).addPrimaryKeyConstraint('certificatesKey', ['id']),
    index(context, 'certificates', 'certificatesByTime', 'at id'),
    ofQuestion(decisions, 'decisions')
      .addPrimaryKeyConstraint('decisionsKey', ['id'])
      .addUniqueConstraint('decisionsOnce', ['runId', 'questionId']),
    // With the kind, so that the decisions of a run are counted from the index alone.
    index(context, 'decisions', 'decisionsByRun', 'runId id kind'),
    // Finds earlier decisions on a repeated question without reading every decision.
    index(context, 'decisions', 'decisionsByQuestion', 'questionId certificateId'),
    ofQuestion(certified, 'certified').addPrimaryKeyConstraint('certifiedKey', ['runId', 'questionId', 'round']),
    // What a server needs when it starts, without reading every decision again.
    table(context, 'decisionCounts', [
      ['text', 'certificateId kind reason'],
      ['integer', 'decided rounds'],
    ]).addPrimaryKeyConstraint('decisionCountsKey', ['certificateId', 'kind', 'reason']),
    table(context, 'driftStates', [
      ['text', 'certificateId key state'],
      ['integer', 'arrival at'],
    ]).addPrimaryKeyConstraint('driftStatesKey', ['certificateId']),
  ]
}

function labelTables(context: SchemaContext): readonly Compilable[] {
  return [
    table(context, 'labels', [
      ['text', 'id runId? questionId gold? source by? verdict reviewId? grades? text?'],
      ['integer', 'sequence at retractedAt?'],
    ])
      .addPrimaryKeyConstraint('labelsKey', ['id'])
      .addUniqueConstraint('labelsSequence', ['sequence']),
    index(context, 'labels', 'labelsByQuestion', 'questionId sequence'),
    index(context, 'labels', 'labelsBySource', 'source id'),
    // A review never has two labels.
    uniqueIndex(context, 'labels', 'labelsOfReview', 'reviewId'),
  ]
}

function reviewTables(context: SchemaContext): readonly Compilable[] {
  const reviews = table(context, 'reviews', [
    [
      'text',
      'id root runId questionId source reason? status claimedBy? outcome? list queue? by? note? lastClaimedBy? assignedTo?',
    ],
    [
      'integer',
      'part sequence createdAt claimedUntil? distance? rank arrival skips isBlind? submittedAt? undoUntil? lastClaimedAt? dueAt?',
    ],
  ])
  const viewers = table(context, 'reviewViewers', [['text', 'runId questionId reviewer']])
  return [
    ofQuestion(reviews, 'reviews')
      .addPrimaryKeyConstraint('reviewsKey', ['id'])
      .addUniqueConstraint('reviewsByQuestion', ['runId', 'questionId', 'sequence']),
    index(context, 'reviews', 'reviewsByStatus', 'status id'),
    index(context, 'reviews', 'reviewsByRoot', 'root part'),
    index(context, 'reviews', 'reviewsByRank', 'queue rank arrival id'),
    index(context, 'reviews', 'reviewsByClaim', 'status queue claimedUntil'),
    index(context, 'reviews', 'reviewsByAge', 'status createdAt'),
    // Submissions that can still be undone are read often, and are few of all submissions.
    partialIndex(context, sql`reviews_by_undo on reviews (undo_until) where status = 'submitted' and is_blind = 1`),
    // Free assigned items are found by person, and by due date once it has passed.
    partialIndex(
      context,
      sql`reviews_by_assignment on reviews (assigned_to, (coalesce(due_at, 9007199254740991)), created_at, id)
        where queue = 'assigned'`,
    ),
    partialIndex(context, sql`reviews_by_due_date on reviews (queue, due_at, id) where due_at is not null`),
    index(context, 'reviews', 'reviewsByPerson', 'assignedTo status id'),
    index(context, 'reviews', 'reviewsByReviewer', 'by status submittedAt'),
    index(context, 'reviews', 'reviewsByClaimant', 'claimedBy status claimedUntil id'),
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
    // Reviewers who know the panel's answer and must not review the question blind.
    ofQuestion(viewers, 'reviewViewers').addPrimaryKeyConstraint('reviewViewersKey', [
      'runId',
      'questionId',
      'reviewer',
    ]),
  ]
}

function ledgerTables(context: SchemaContext): readonly Compilable[] {
  return [
    table(context, 'ledger', [
      ['text', 'runId line hash'],
      ['integer', 'sequence'],
    ]).addPrimaryKeyConstraint('ledgerKey', ['runId', 'sequence']),
    table(context, 'ledgerTexts', [
      ['text', 'runId digest salt? text? questionId'],
      ['integer', 'sequence position'],
    ])
      .addPrimaryKeyConstraint('ledgerTextsKey', ['runId', 'sequence', 'position'])
      .addForeignKeyConstraint('ledgerTextsRow', ['runId', 'sequence'], 'ledger', ['runId', 'sequence']),
    index(context, 'ledgerTexts', 'ledgerTextsByQuestion', 'questionId'),
  ]
}

function accessTables(context: SchemaContext): readonly Compilable[] {
  return [
    table(context, 'tokens', [
      ['text', 'id name role kind hash madeBy?'],
      ['integer', 'createdAt expiresAt? revokedAt? lastUsedAt?'],
    ])
      .addPrimaryKeyConstraint('tokensKey', ['id'])
      .addUniqueConstraint('tokensHash', ['hash']),
    index(context, 'tokens', 'tokensByName', 'name revokedAt'),
    // Every claim checks whether another person could review the item.
    index(context, 'tokens', 'tokensByKind', 'kind role'),
    // The person who created a program's token can see what the program sees.
    partialIndex(context, sql`tokens_by_maker on tokens (made_by) where made_by is not null`),
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

/** Messages are leased by target, alarms first. Neither query may have to read messages to other targets. */
function messageTables(context: SchemaContext): readonly Compilable[] {
  return [
    table(context, 'outbox', [
      ['text', 'id event body target subject? lastError?'],
      ['integer', 'createdAt notBefore attempts nextAt? deliveredAt?'],
    ]).addPrimaryKeyConstraint('outboxKey', ['id']),
    index(context, 'outbox', 'outboxByTime', 'nextAt createdAt id'),
    index(context, 'outbox', 'outboxBySubject', 'subject'),
    index(context, 'outbox', 'outboxByTarget', 'target nextAt createdAt id'),
    index(context, 'outbox', 'outboxByEvent', 'event target nextAt createdAt id'),
    index(context, 'outbox', 'outboxByEventTime', 'event nextAt createdAt id'),
  ]
}

function policyTables(context: SchemaContext): readonly Compilable[] {
  return [
    table(context, 'policyEvents', [
      ['text', 'id kind cause? certificateId? by? note?'],
      ['integer', 'sequence at arrival'],
    ])
      .addPrimaryKeyConstraint('policyEventsKey', ['id'])
      .addUniqueConstraint('policyEventsSequence', ['sequence']),
    index(context, 'policyEvents', 'policyEventsByKind', 'kind sequence'),
    index(context, 'policyEvents', 'policyEventsByCertificate', 'certificateId kind'),
    // The last arrival for each certificate when a release was committed.
    table(context, 'policyArrivals', [
      ['text', 'certificateId'],
      ['integer', 'sequence arrival'],
    ]).addPrimaryKeyConstraint('policyArrivalsKey', ['sequence', 'certificateId']),
  ]
}

/** What the workers on one database share: the spend and the halt of runs, the workers themselves, circuit breakers. */
function workerTables(context: SchemaContext): readonly Compilable[] {
  return [
    table(context, 'sharedRuns', [
      ['text', 'runId options halt? haltWords?'],
      ['integer', 'createdAt capMicroUsd? committedMicroUsd reservedMicroUsd openCalls'],
    ])
      .addPrimaryKeyConstraint('sharedRunsKey', ['runId'])
      .addForeignKeyConstraint('sharedRunsRun', ['runId'], 'runs', ['id']),
    table(context, 'workers', [
      ['text', 'id name version queues jobs'],
      ['integer', 'startedAt seenAt endedAt? debates inFlight ended answered takenOver'],
    ]).addPrimaryKeyConstraint('workersKey', ['id']),
    table(context, 'breakers', [
      ['text', 'name probeBy? lastError?'],
      ['integer', 'failures rests restsUntil? probeUntil? pausedUntil?'],
    ]).addPrimaryKeyConstraint('breakersKey', ['name']),
  ]
}
