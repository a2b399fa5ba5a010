import { type SelectQueryBuilder, sql } from 'kysely'
import { z } from 'zod'
import { debateSchema, debateStatusSchema, redactedDebate } from '../../record/debate.ts'
import { findStored } from '../../record/parse-stored.ts'
import type { QuestionKey } from '../../record/question.ts'
import { checkedLimit, isStorable } from '../checked-input.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf, runAll, type Steps } from '../operation.ts'
import { perEngine } from '../per-engine.ts'
import { preparedQuery, preparedRows } from '../prepared-query.ts'
import { integer, jsonText } from '../row-schemas.ts'
import { flag, type Tables } from '../schema.ts'
import type { DebateStore, StoredDebate, StoredDecision } from '../store.ts'
import { readLatest } from './listed-debate-rows.ts'
import { setStatus } from './run-store.ts'
import { admitResult } from './write-admission.ts'

const debateRow = z
  .object({
    runId: z.string(),
    questionId: z.string(),
    debate: jsonText,
    rounds: integer,
    status: debateStatusSchema,
    at: integer,
  })
  .describe('debate')

export function createDebateStore(engine: Engine): DebateStore {
  const debates = engine.queries.selectFrom('debates')
  return {
    latest: async (page) => engine.read(() => readLatest(engine, page)),
    save: (debate, fence) =>
      engine.write(function* () {
        const { isErased } = yield* admitResult(engine, debate, fence)
        yield* setStatus(engine, debate)
        yield* writeDebate(engine, isErased ? erasedDebate(debate) : debate, null)
      }),
    find: (runId, questionId) => engine.read(() => rowOf(prepared(engine).find({ runId, questionId }), debateRow)),
    list: async (runId, { after, limit, mostBytes }) => {
      const all = debates.where('runId', '=', runId).orderBy('questionId')
      const rest = after === null ? all : all.where('questionId', '>', after)
      const most = checkedLimit(limit)
      return engine.read(function* () {
        const fitting = mostBytes === undefined ? most : yield* countFitting(rest.limit(most), mostBytes)
        return yield* rowsOf(rest.selectAll().limit(fitting), debateRow)
      })
    },
  }
}

const sizeSchema = z.object({ bytes: integer }).describe('debate')

/** How many of the rows to read: at least 1. Both engines know the lengths without reading the texts. */
function* countFitting(rows: SelectQueryBuilder<Tables, 'debates', object>, mostBytes: number): Steps<number> {
  const sizes = yield* rowsOf(rows.select(sql<number>`octet_length(debate)`.as('bytes')), sizeSchema)
  let bytes = 0
  const past = sizes.findIndex((size) => {
    bytes += size.bytes
    return bytes > mostBytes
  })
  return Math.max(1, past < 0 ? sizes.length : past)
}

/** The debate as it is stored for an erased question. */
export function erasedDebate(debate: StoredDebate): StoredDebate {
  return { ...debate, debate: redactedDebate(debate.debate) }
}

/** Writes the debate with kind and reason of its decision. Without a decision, those of an earlier one stay. */
export function writeDebate(engine: Engine, debate: StoredDebate, decision: StoredDecision | null): Steps<void> {
  const { decided, undecided } = prepared(engine)
  return runAll([(decision === null ? undecided : decided)(rowOfDebate(debate, decision))])
}

function rowOfDebate({ group, ...debate }: StoredDebate, decision: StoredDecision | null): Tables['debates'] {
  return {
    ...debate,
    groupName: group === undefined ? groupOf(debate.debate) : group,
    isErased: flag(false),
    version: 1,
    kind: decision?.kind ?? null,
    reason: decision?.reason ?? null,
  }
}

/** Inserts debates of questions that had none. */
export function insertDebates(
  engine: Engine,
  debates: readonly { readonly debate: StoredDebate; readonly decision: StoredDecision | null }[],
): Steps<void> {
  return runAll(prepared(engine).insert(debates.map(({ debate, decision }) => rowOfDebate(debate, decision))))
}

/** Updates kind and reason of a stored debate that has more rounds than its decision. */
export function listDecision({ queries }: Engine, { runId, questionId, kind, reason }: StoredDecision): Steps<number> {
  const ofQuestion = queries.updateTable('debates').where('runId', '=', runId).where('questionId', '=', questionId)
  return affectedBy(ofQuestion.set({ kind, reason, version: NEXT_VERSION }))
}

/** For updates of a row, so that readers of all debates notice the change. */
export const NEXT_VERSION = sql<number>`debates.version + 1`

const COLUMNS = [
  'runId',
  'questionId',
  'debate',
  'rounds',
  'status',
  'at',
  'groupName',
  'isErased',
  'version',
  'kind',
  'reason',
] as const

const prepared = perEngine((queries) => {
  const write = (row: Tables['debates'], update: Partial<Tables['debates']>) =>
    queries
      .insertInto('debates')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['runId', 'questionId']).doUpdateSet({ ...update, version: NEXT_VERSION }),
      )
  return {
    find: preparedQuery(['runId', 'questionId'], ({ runId, questionId }: QuestionKey) =>
      queries.selectFrom('debates').selectAll().where('runId', '=', runId).where('questionId', '=', questionId),
    ),
    insert: preparedRows(COLUMNS, (rows: readonly Tables['debates'][]) => queries.insertInto('debates').values(rows)),
    decided: preparedQuery(COLUMNS, (row: Tables['debates']) => write(row, row)),
    undecided: preparedQuery(COLUMNS, (row: Tables['debates']) => {
      const { kind: _, reason: __, ...update } = row
      return write(row, update)
    }),
  }
})

const groupSchema = debateSchema.pick({ group: true })

/** A group that the database cannot store is left out. */
function groupOf(json: string): string | null {
  const group = findStored(groupSchema, json)?.group ?? null
  return group === null || isStorable(group) ? group : null
}
