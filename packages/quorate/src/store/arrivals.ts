import { z } from 'zod'
import { checkedLimit } from './checked-input.ts'
import type { Engine } from './engine.ts'
import { labelColumns, labelOfRow, latestLabel } from './latest-label.ts'
import { affectedBy, rowOf, rowsOf, type Steps } from './operation.ts'
import { perEngine } from './per-engine.ts'
import { preparedQuery } from './prepared-query.ts'
import { integer } from './row-schemas.ts'
import { questionSchema, runSchema } from './run-rows.ts'
import { flag, type Tables } from './schema.ts'
import type { Draw, NewQuestion, Run, RunQuestion } from './store.ts'
import { StoreError } from './store-error.ts'

/** Whether questions of the run count as arrivals: those that may be acted on. */
export function isCounted({ kind, isShadow }: Pick<Run, 'kind' | 'isShadow'>): boolean {
  return kind === 'decide' && !isShadow
}

/** The last arrival; nobody else adds one until the commit. */
export function* lockArrivals(engine: Engine): Steps<number> {
  const lock = engine.lock('arrivals')
  if (lock !== null) yield lock
  return yield* lastArrival(engine)
}

export function* lastArrival(engine: Engine): Steps<number> {
  return (yield* rowOf(prepared(engine).lastArrival({}), LAST))?.last ?? 0
}

export function readQuestion(engine: Engine, runId: string, questionId: string): Steps<RunQuestion | null> {
  return rowOf(prepared(engine).question({ runId, questionId }), questionSchema)
}

type Added = { readonly kind: 'added' | 'exists'; readonly question: RunQuestion }

export function* addQuestion(engine: Engine, runId: string, question: NewQuestion): Steps<Added> {
  const { run: ofRun, lastPosition, insert } = prepared(engine)
  const run = yield* rowOf(ofRun({ runId }), runSchema)
  if (run === null) throw new StoreError('missing', `store: there is no run ${JSON.stringify(runId)}`)
  if (run.status !== 'open') throw new StoreError('invalid', `store: run ${runId} is done and takes no question`)
  // Positions and arrivals are given out under one lock.
  const before = yield* lockArrivals(engine)
  const known = yield* readQuestion(engine, runId, question.questionId)
  if (known !== null) return { kind: 'exists', question: known }
  const last = (yield* rowOf(lastPosition({ runId }), LAST))?.last ?? -1
  const { questionId, isDrawn } = question
  const row = { runId, questionId, question: question.question, position: last + 1, status: 'pending' as const }
  const arrival = isCounted(run) ? before + 1 : null
  yield* affectedBy(insert({ ...row, isDrawn: flag(isDrawn), arrival }))
  return { kind: 'added', question: { ...row, isDrawn } }
}

const LAST = z.object({ last: integer.nullable() }).describe('last question')

type OfQuestion = Pick<RunQuestion, 'runId' | 'questionId'>

/** Those that every question makes. */
const prepared = perEngine((queries) => ({
  run: preparedQuery(['runId'], ({ runId }: Pick<OfQuestion, 'runId'>) =>
    queries.selectFrom('runs').selectAll().where('id', '=', runId),
  ),
  question: preparedQuery(['runId', 'questionId'], ({ runId, questionId }: OfQuestion) =>
    queries.selectFrom('runQuestions').selectAll().where('runId', '=', runId).where('questionId', '=', questionId),
  ),
  lastArrival: preparedQuery([], () =>
    queries.selectFrom('runQuestions').select(({ fn }) => fn.max('arrival').as('last')),
  ),
  lastPosition: preparedQuery(['runId'], ({ runId }: Pick<OfQuestion, 'runId'>) =>
    queries
      .selectFrom('runQuestions')
      .select(({ fn }) => fn.max('position').as('last'))
      .where('runId', '=', runId),
  ),
  insert: preparedQuery(
    ['runId', 'questionId', 'question', 'position', 'status', 'isDrawn', 'arrival'],
    (row: Tables['runQuestions']) => queries.insertInto('runQuestions').values(row),
  ),
}))

const drawSchema = z
  .object({
    arrival: integer,
    runId: z.string(),
    questionId: z.string(),
    decisionId: z.string().nullable(),
    certificateId: z.string().nullable(),
    kind: z.enum(['act', 'defer']).nullable(),
    reason: z.string().nullable(),
    answer: z.string().nullable(),
    round: integer.nullable(),
    at: integer.nullable(),
    ...labelColumns,
  })
  .transform((row): Draw => {
    const { arrival, runId, questionId, decisionId: id, certificateId, kind, reason, answer, round, at } = row
    const isDecided = id !== null && certificateId !== null && kind !== null && round !== null && at !== null
    const decision = isDecided ? { id, certificateId, kind, reason, answer, round, at } : null
    return { arrival, runId, questionId, decision, label: labelOfRow(row) }
  })
  .describe('draw')

export function* readDraws(
  { queries }: Engine,
  { after, limit }: { readonly after: number; readonly limit: number },
): Steps<readonly Draw[]> {
  const query = queries
    .selectFrom('runQuestions as question')
    .leftJoin('decisions as decision', (join) =>
      join.onRef('decision.runId', '=', 'question.runId').onRef('decision.questionId', '=', 'question.questionId'),
    )
    .leftJoin('labels as label', (join) => join.on(latestLabel))
    .select(['question.arrival', 'question.runId', 'question.questionId'])
    .select(['decision.id as decisionId', 'certificateId', 'kind', 'reason', 'answer', 'round', 'decision.at'])
    .select(['gold', 'verdict', 'source', 'label.at as labelledAt'])
    .where('question.isDrawn', '=', 1)
    .where('question.arrival', '>', after)
    .orderBy('question.arrival')
    .limit(checkedLimit(limit))
  return yield* rowsOf(query, drawSchema)
}
