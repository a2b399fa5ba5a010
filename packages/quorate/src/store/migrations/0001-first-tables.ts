import { type ColumnDefinitionBuilder, type Compilable, type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Tables } from '../schema.ts'
import type { ColumnTypes, Migration } from './migration.ts'

/** Columns by their type, in the order of `Columns`; a name that ends in `?` may be null. */
type Columns = readonly (readonly ['text' | 'integer', string])[]

export const firstTables: Migration = {
  version: 1,
  name: 'first tables',
  statements: (queries, types) => {
    const context = { queries, types }
    return [...runTables(context), ...callTables(context), ...resultTables(context), ...ledgerTables(context)]
  },
}

export interface Context {
  readonly queries: Kysely<Tables>
  readonly types: ColumnTypes
}

function runTables(context: Context): readonly Compilable[] {
  return [
    table(context, 'runs', [
      ['text', 'id kind configHash questionsHash config certificateId? status'],
      ['integer', 'sequence createdAt isShadow seed'],
    ])
      .addPrimaryKeyConstraint('runsKey', ['id'])
      .addUniqueConstraint('runsSequence', ['sequence']),
    index(context, 'runs', 'runsByHash', 'configHash questionsHash kind sequence'),
    table(context, 'runQuestions', [
      ['text', 'runId questionId question? status samplingRate?'],
      ['integer', 'position isDrawn samplingKey?'],
    ])
      .addPrimaryKeyConstraint('runQuestionsKey', ['runId', 'position'])
      .addUniqueConstraint('runQuestionsId', ['runId', 'questionId'])
      .addForeignKeyConstraint('runQuestionsRun', ['runId'], 'runs', ['id']),
    index(context, 'runQuestions', 'runQuestionsByStatus', 'runId status position'),
    // For redaction, which goes over all runs.
    index(context, 'runQuestions', 'runQuestionsByQuestion', 'questionId'),
    // Apart from the runs: whatever lists runs must not be able to list their keys.
    table(context, 'samplingKeys', [
      ['text', 'runId key'],
      ['integer', 'number createdAt'],
    ])
      .addPrimaryKeyConstraint('samplingKeysKey', ['runId', 'number'])
      .addForeignKeyConstraint('samplingKeysRun', ['runId'], 'runs', ['id']),
  ]
}

function callTables(context: Context): readonly Compilable[] {
  const calls = table(context, 'calls', [
    ['text', 'id key cacheKey runId questionId agent model fence state reply? error?'],
    ['integer', 'round repeat isReminder attempt reservedMicroUsd? openedAt at?'],
    ['integer', 'inputTokens? outputTokens? costMicroUsd?'],
  ])
  return [
    ofQuestion(calls, 'calls').addPrimaryKeyConstraint('callsId', ['id']).addUniqueConstraint('callsKey', ['key']),
    index(context, 'calls', 'callsByPlace', 'runId questionId agent round repeat isReminder'),
    index(context, 'calls', 'callsByCacheKey', 'cacheKey state at id'),
    index(context, 'calls', 'callsByRun', 'runId id'),
  ]
}

function resultTables(context: Context): readonly Compilable[] {
  const debates = table(context, 'debates', [
    ['text', 'runId questionId debate status'],
    ['integer', 'rounds at version'],
  ])
  const decisions = table(context, 'decisions', [
    ['text', 'id runId questionId certificateId kind reason? answer? decision'],
    ['integer', 'round isShadow at'],
  ])
  const reviews = table(context, 'reviews', [
    ['text', 'id runId questionId source reason? status assignee? outcome?'],
    ['integer', 'sequence createdAt lockedUntil?'],
  ])
  return [
    ofQuestion(debates, 'debates').addPrimaryKeyConstraint('debatesKey', ['runId', 'questionId']),
    table(context, 'certificates', [
      ['text', 'id file runId?'],
      ['integer', 'at'],
    ]).addPrimaryKeyConstraint('certificatesKey', ['id']),
    index(context, 'certificates', 'certificatesByTime', 'at id'),
    ofQuestion(decisions, 'decisions')
      .addPrimaryKeyConstraint('decisionsKey', ['id'])
      .addUniqueConstraint('decisionsOnce', ['runId', 'questionId']),
    index(context, 'decisions', 'decisionsByRun', 'runId id'),
    table(context, 'labels', [
      ['text', 'id runId? questionId gold? source by?'],
      ['integer', 'sequence at'],
    ])
      .addPrimaryKeyConstraint('labelsKey', ['id'])
      .addUniqueConstraint('labelsSequence', ['sequence']),
    index(context, 'labels', 'labelsByQuestion', 'questionId sequence'),
    ...counters(context),
    index(context, 'labels', 'labelsBySource', 'source id'),
    ofQuestion(reviews, 'reviews')
      .addPrimaryKeyConstraint('reviewsKey', ['id'])
      .addUniqueConstraint('reviewsByQuestion', ['runId', 'questionId', 'sequence']),
    index(context, 'reviews', 'reviewsByStatus', 'status id'),
  ]
}

/**
 * Numbers that are given out in the order of commits: whoever takes one has the row until its commit, so the next one is
 * given to whoever commits after it. Sequences of PostgreSQL are given out in no order of commits.
 */
function counters(context: Context): readonly Compilable[] {
  const none = sql`insert into counters (name, value) values ('labels', 0), ('runs', 0)`
  return [
    table(context, 'counters', [
      ['text', 'name'],
      ['integer', 'value'],
    ]).addPrimaryKeyConstraint('countersKey', ['name']),
    { compile: () => none.compile(context.queries) },
  ]
}

function ledgerTables(context: Context): readonly Compilable[] {
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

type TableBuilder = CreateTableBuilder<string, string>

export function table({ queries, types }: Context, name: string, columns: Columns): TableBuilder {
  let builder: TableBuilder = queries.schema.createTable(name)
  for (const [type, names] of columns) {
    for (const column of names.split(' ')) {
      const required = (definition: ColumnDefinitionBuilder) => definition.notNull()
      builder = column.endsWith('?')
        ? builder.addColumn(column.slice(0, -1), types[type])
        : builder.addColumn(column, types[type], required)
    }
  }
  return builder.modifyEnd(types.tableEnd)
}

export function ofQuestion(builder: TableBuilder, name: string): TableBuilder {
  const key = ['runId', 'questionId']
  return builder.addForeignKeyConstraint(`${name}Question`, key, 'runQuestions', key)
}

export function index({ queries }: Context, name: string, indexName: string, columns: string): Compilable {
  return queries.schema.createIndex(indexName).on(name).columns(columns.split(' '))
}
