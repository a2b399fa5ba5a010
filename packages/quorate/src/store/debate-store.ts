import { z } from 'zod'
import { admitResult } from './admission.ts'
import { checkedLimit } from './checked-input.ts'
import type { Engine } from './engine.ts'
import { affectedBy, rowOf, rowsOf, type Steps } from './operation.ts'
import { redactedDebate } from './redacted-debate.ts'
import { integer, jsonText } from './row-schemas.ts'
import { setStatus } from './run-store.ts'
import type { DebateStore, StoredDebate } from './store.ts'

const debateSchema = z
  .object({
    runId: z.string(),
    questionId: z.string(),
    debate: jsonText,
    rounds: integer,
    status: z.enum(['done', 'agent-failure', 'time-out', 'error']),
    at: integer,
  })
  .describe('debate')

export function createDebateStore(engine: Engine): DebateStore {
  const ofRun = (runId: string) => engine.queries.selectFrom('debates').selectAll().where('runId', '=', runId)
  return {
    save: (debate, fence) =>
      engine.write(function* () {
        const { isErased } = yield* admitResult(engine, debate, fence)
        yield* setStatus(engine, debate)
        yield* writeDebate(engine, isErased ? erasedDebate(debate) : debate)
      }),
    find: (runId, questionId) =>
      engine.read(() => rowOf(ofRun(runId).where('questionId', '=', questionId), debateSchema)),
    list: async (runId, { after, limit }) => {
      const query = after === null ? ofRun(runId) : ofRun(runId).where('questionId', '>', after)
      const page = query.orderBy('questionId').limit(checkedLimit(limit))
      return engine.read(() => rowsOf(page, debateSchema))
    },
  }
}

/** As it is kept once its question has no text any more. */
export function erasedDebate(debate: StoredDebate): StoredDebate {
  return { ...debate, debate: redactedDebate(debate.debate) }
}

export function* writeDebate({ queries }: Engine, debate: StoredDebate): Steps<void> {
  yield* affectedBy(
    queries
      .insertInto('debates')
      .values(debate)
      .onConflict((conflict) => conflict.columns(['runId', 'questionId']).doUpdateSet(debate)),
  )
}
