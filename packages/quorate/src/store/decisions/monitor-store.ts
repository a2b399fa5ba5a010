import { z } from 'zod'
import { decisionSchema } from '../../record/decision.ts'
import type { QuestionKey } from '../../record/question.ts'
import { questionStatusSchema } from '../../record/run.ts'
import { checkedLimit } from '../checked-input.ts'
import { lastNumber } from '../counters.ts'
import type { Engine } from '../engine.ts'
import { rowOf, rowsOf, runAll, type Steps } from '../operation.ts'
import { perEngine } from '../per-engine.ts'
import { preparedQuery } from '../prepared-query.ts'
import { readHiddenFigures } from '../reviews/hidden-questions.ts'
import { flagValue, integer, jsonText } from '../row-schemas.ts'
import type { Tables } from '../schema.ts'
import type { StoredDecision } from '../store.ts'
import type { ArrivedQuestion, MonitorStore } from './monitor-records.ts'

const kindSchema = z.enum(['act', 'defer'])
const reasonSchema = z.string().transform((reason) => (reason === '' ? null : reason))
const countSchema = z
  .object({ kind: kindSchema, reason: reasonSchema, decided: integer, rounds: integer })
  .describe('count of decisions')

const arrivedSchema: z.ZodType<ArrivedQuestion> = z
  .object({
    arrival: integer,
    arrivedAt: integer,
    runId: z.string(),
    questionId: z.string(),
    status: questionStatusSchema,
    debate: jsonText.nullable(),
  })
  .describe('arrived question')

const driftSchema = z
  .object({ certificateId: z.string(), key: z.string(), arrival: integer, state: jsonText, at: integer })
  .describe('state of the drift monitor')

export function createMonitorStore(engine: Engine): MonitorStore {
  const { queries } = engine
  return {
    position: () => engine.read(() => readPosition(engine)),
    counts: (certificateId) =>
      engine.read(() => {
        const counts = queries.selectFrom('decisionCounts').selectAll().where('certificateId', '=', certificateId)
        const some = counts.where('decided', '!=', 0)
        return rowsOf(some.orderBy('kind').orderBy('reason'), countSchema)
      }),
    hidden: (of) => engine.read(() => readHiddenFigures(engine, of)),
    arrived: async ({ certificateId, after, limit }) => {
      const query = queries
        .selectFrom('runQuestions as question')
        .leftJoin('debates as debate', (join) =>
          join.onRef('debate.runId', '=', 'question.runId').onRef('debate.questionId', '=', 'question.questionId'),
        )
        .select(['question.arrival', 'question.arrivedAt', 'question.runId', 'question.questionId', 'question.status'])
        .select('debate.debate')
        .where('question.certificateId', '=', certificateId)
        .where('question.arrival', '>', after)
        .orderBy('question.arrival')
        .limit(checkedLimit(limit))
      return engine.read(() => rowsOf(query, arrivedSchema))
    },
    findDrift: (certificateId) =>
      engine.read(() =>
        rowOf(queries.selectFrom('driftStates').selectAll().where('certificateId', '=', certificateId), driftSchema),
      ),
    keepDrift: async (position) => {
      await engine.writeOne(
        queries
          .insertInto('driftStates')
          .values(position)
          .onConflict((conflict) =>
            conflict
              .column('certificateId')
              .doUpdateSet(position)
              .where(({ eb, or }) =>
                or([eb('driftStates.key', '!=', position.key), eb('driftStates.arrival', '<', position.arrival)]),
              ),
          ),
      )
    },
  }
}

const writtenSchema = z.object({ writes: integer.nullable() }).describe('writes of debates')

/** Each write of a debate raises its version, and each write of a label takes a number. No clock is involved. */
function* readPosition(engine: Engine): Steps<string> {
  const debates = engine.queries.selectFrom('debates').select(({ fn }) => fn.sum('version').as('writes'))
  const written = yield* rowOf(debates, writtenSchema)
  return JSON.stringify([written?.writes ?? 0, yield* lastNumber(engine, 'labels')])
}

export type Counted = Pick<StoredDecision, 'certificateId' | 'kind' | 'reason' | 'isShadow'> & {
  readonly rounds: number
}

const beforeSchema = z
  .object({
    certificateId: z.string(),
    kind: kindSchema,
    reason: decisionSchema.shape.reason,
    isShadow: flagValue,
    rounds: integer,
  })
  .describe('decision')

/** The stored decision on a question, as it is counted so far; null: there is none. */
export function countedBefore(engine: Engine, { runId, questionId }: QuestionKey): Steps<Counted | null> {
  return rowOf(prepared(engine).before({ runId, questionId }), beforeSchema)
}

/** Moves a decision from one count to another. Others that write these counts wait for the commit, so it comes late in one. */
export function* recount(engine: Engine, before: Counted | null, now: Counted | null): Steps<void> {
  if (before !== null) yield* add(engine, before, -1)
  if (now !== null) yield* add(engine, now, 1)
}

/** Counts first decisions on questions. Each sum is one statement, in an order that all processes share, to avoid deadlocks. */
export function* countNew(engine: Engine, decided: readonly Counted[]): Steps<void> {
  const sums = new Map<string, Tables['decisionCounts']>()
  for (const { certificateId, kind, reason, isShadow, rounds } of decided) {
    if (isShadow) continue
    const key = JSON.stringify([certificateId, kind, reason ?? ''])
    const sum = sums.get(key) ?? { certificateId, kind, reason: reason ?? '', decided: 0, rounds: 0 }
    sums.set(key, { ...sum, decided: sum.decided + 1, rounds: sum.rounds + rounds })
  }
  const inOrder = [...sums].sort(([left], [right]) => (left < right ? -1 : 1))
  yield* runAll(inOrder.map(([, row]) => prepared(engine).add(row)))
}

function* add(engine: Engine, { certificateId, kind, reason, isShadow, rounds }: Counted, sign: 1 | -1): Steps<void> {
  if (isShadow) return
  const row = { certificateId, kind, reason: reason ?? '', decided: sign, rounds: sign * rounds }
  yield* runAll([prepared(engine).add(row)])
}

const prepared = perEngine((queries) => ({
  before: preparedQuery(['runId', 'questionId'], ({ runId, questionId }: QuestionKey) =>
    queries
      .selectFrom('decisions as decision')
      .innerJoin('debates as debate', (join) =>
        join.onRef('debate.runId', '=', 'decision.runId').onRef('debate.questionId', '=', 'decision.questionId'),
      )
      .select(['decision.certificateId', 'decision.kind', 'decision.reason', 'decision.isShadow', 'debate.rounds'])
      .where('decision.runId', '=', runId)
      .where('decision.questionId', '=', questionId),
  ),
  add: preparedQuery(['certificateId', 'kind', 'reason', 'decided', 'rounds'], (row: Tables['decisionCounts']) =>
    queries
      .insertInto('decisionCounts')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['certificateId', 'kind', 'reason']).doUpdateSet(({ eb, ref }) => ({
          decided: eb('decisionCounts.decided', '+', ref('excluded.decided')),
          rounds: eb('decisionCounts.rounds', '+', ref('excluded.rounds')),
        })),
      ),
  ),
}))
