import { z } from 'zod'
import type { QuestionKey } from '../../record/question.ts'
import { StoreError } from '../../record/store-error.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, type Steps } from '../operation.ts'
import { perEngine } from '../per-engine.ts'
import { preparedQuery } from '../prepared-query.ts'
import { flagValue } from '../row-schemas.ts'
import type { CallOfFence, Intent } from '../store.ts'
import { missingQuestion } from './run-rows.ts'

/**
 * What a write must check in its own transaction: that its process still owns the run and the question, and whether the
 * question is erased. Neither changes until the commit, because taking over the run and redacting the question lock the same
 * rows.
 */
interface Admission {
  readonly isErased: boolean
}

const fenceSchema = z.object({ fence: z.string().nullable() }).describe('run')
const admissionSchema = fenceSchema
  .extend({ questionFence: z.string().nullable(), isErased: flagValue })
  .describe('question of a run')

/** Admits the opening of a call. It is an error if the call may not be opened. */
export function* admitCall(engine: Engine, { runId, questionId, fence }: Intent): Steps<void> {
  const found = yield* rowOf(prepared(engine).toOpen({ runId, questionId }), admissionSchema)
  if (found === null) throw missingQuestion(runId, questionId)
  checkFences(found, runId, fence)
  if (!found.isErased) return
  throw new StoreError('erased', `store: run ${runId}: the text of ${JSON.stringify(questionId)} was erased`)
}

/** Admits the outcome of an open call; null: the call is no longer open, or has another owner. */
export function* admitOutcome(engine: Engine, call: CallOfFence): Steps<Admission | null> {
  const found = yield* rowOf(
    prepared(engine).toClose({ id: call.id, runId: call.runId, fence: call.fence }),
    admissionSchema,
  )
  return found === null || isFenced(found, call.fence) ? null : found
}

/** Admits the result of a question. Without a fence, any process may write. */
export function* admitResult(
  engine: Engine,
  { runId, questionId }: QuestionKey,
  fence: string | undefined,
): Steps<Admission> {
  const found = yield* rowOf(prepared(engine).toSave({ runId, questionId }), admissionSchema)
  if (found === null) throw missingQuestion(runId, questionId)
  checkFences(found, runId, fence)
  return found
}

/** Admits a write about a run as a whole. */
export function* admitRun(engine: Engine, runId: string, fence: string): Steps<void> {
  const found = yield* rowOf(prepared(engine).toRun({ runId }), fenceSchema)
  checkFence(found?.fence ?? null, runId, fence)
}

/** The fence of a question of a shared run that no worker has leased. No process may write about it. */
export const UNLEASED = ''

/**
 * From now on only the process with this fence may write about the run, including questions that others had leased. Null:
 * workers lease its questions one by one, and each may write only about its own.
 */
export function* setFence({ queries }: Engine, runId: string, fence: string | null): Steps<void> {
  const changed = yield* affectedBy(queries.updateTable('runs').set({ fence }).where('id', '=', runId))
  if (changed === 0) throw new StoreError('missing', `store: there is no run ${JSON.stringify(runId)}`)
  const pending = queries.updateTable('runQuestions').where('runId', '=', runId).where('status', '=', 'pending')
  if (fence === null) yield* affectedBy(pending.set({ fence: UNLEASED }))
  else yield* affectedBy(pending.set({ fence: null }).where('fence', 'is not', null))
}

function checkFence(owner: string | null, runId: string, fence: string | undefined): void {
  if (!isOther(owner, fence)) return
  throw new StoreError('fenced', `run ${runId} was taken over by another process. This one stops`)
}

/** A write must pass both fences. */
interface Fences {
  /** The fence of the run as a whole. */
  readonly fence: string | null
  readonly questionFence: string | null
}

function isFenced({ fence, questionFence }: Fences, own: string | undefined): boolean {
  return isOther(fence, own) || isOther(questionFence, own)
}

function checkFences(fences: Fences, runId: string, fence: string | undefined): void {
  checkFence(fences.fence, runId, fence)
  if (!isOther(fences.questionFence, fence)) return
  throw new StoreError('fenced', `run ${runId}: another worker took the question over. This one drops it`)
}

function isOther(owner: string | null, fence: string | undefined): boolean {
  return owner !== null && fence !== undefined && (owner === UNLEASED || owner !== fence)
}

const PLACE = ['runId', 'questionId'] as const
const CALL = ['id', 'runId', 'fence'] as const

/** SQLite runs writes one after another anyway. PostgreSQL has to lock the rows. */
function prepared(engine: Engine) {
  return engine.name === 'sqlite' ? unlocked(engine) : locked(engine)
}

const unlocked = perEngine((queries) => {
  const { ofPlace, ofCall, ofRun } = readings(queries)
  const place = preparedQuery(PLACE, ofPlace)
  return {
    toOpen: place,
    toClose: preparedQuery(CALL, ofCall),
    toSave: place,
    toRun: preparedQuery(['runId'], ofRun),
  }
})

const locked = perEngine((queries) => {
  const { ofPlace, ofCall, ofRun } = readings(queries)
  // Locks the run first, as a takeover does. In the other order the two could deadlock.
  const both = ['runs', 'runQuestions'] as const
  return {
    toOpen: preparedQuery(PLACE, (place: QuestionKey) => ofPlace(place).forShare(both)),
    toClose: preparedQuery(CALL, (call: CallOfFence) => ofCall(call).forShare(both)),
    // The status of the question is written next.
    toSave: preparedQuery(PLACE, (place: QuestionKey) =>
      ofPlace(place).forShare('runs').forNoKeyUpdate('runQuestions'),
    ),
    toRun: preparedQuery(['runId'], (run: { readonly runId: string }) => ofRun(run).forShare()),
  }
})

function readings(queries: Engine['queries']) {
  const questions = () =>
    queries
      .selectFrom('runQuestions')
      .innerJoin('runs', 'runs.id', 'runQuestions.runId')
      .select(({ case: choose, lit }) => [
        'runs.fence',
        'runQuestions.fence as questionFence',
        choose().when('runQuestions.question', 'is', null).then(lit(1)).else(lit(0)).end().as('isErased'),
      ])
  const ofPlace = ({ runId, questionId }: QuestionKey) =>
    questions().where('runQuestions.runId', '=', runId).where('runQuestions.questionId', '=', questionId)
  // A subquery finds the question by the call's whole key. In a join, a planner without statistics scans all calls of the run.
  const ofCall = ({ id, runId, fence }: CallOfFence) =>
    questions()
      .where('runQuestions.runId', '=', runId)
      .where('runQuestions.questionId', '=', ({ selectFrom }) =>
        selectFrom('calls')
          .select('calls.questionId')
          .where('calls.runId', '=', runId)
          .where('calls.id', '=', id)
          .where('calls.fence', '=', fence)
          .where('calls.state', '=', 'open'),
      )
  const ofRun = ({ runId }: { readonly runId: string }) =>
    queries.selectFrom('runs').select('fence').where('id', '=', runId)
  return { ofPlace, ofCall, ofRun }
}
