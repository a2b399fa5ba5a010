import { z } from 'zod'
import { admitResult } from './admission.ts'
import { checkedLimit } from './checked-input.ts'
import { erasedDebate, writeDebate } from './debate-store.ts'
import type { Engine } from './engine.ts'
import { appendEntry, erasedEntry } from './ledger-store.ts'
import { affectedBy, rowOf, rowsOf, type Steps } from './operation.ts'
import { flagValue, integer, jsonText } from './row-schemas.ts'
import { missingQuestion } from './run-store.ts'
import { flag } from './schema.ts'
import type { DecisionStore, LedgerEntry, StoredDebate, StoredDecision } from './store.ts'
import { StoreError } from './store-error.ts'

const decisionSchema = z
  .object({
    id: z.string(),
    runId: z.string(),
    questionId: z.string(),
    certificateId: z.string(),
    kind: z.enum(['act', 'defer']),
    reason: z.string().nullable(),
    answer: z.string().nullable(),
    round: integer,
    decision: jsonText,
    isShadow: flagValue,
    at: integer,
  })
  .describe('decision')

export function createDecisionStore(engine: Engine): DecisionStore {
  const ofRun = (runId: string) => engine.queries.selectFrom('decisions').selectAll().where('runId', '=', runId)
  return {
    save: async (decision, debate, entry, fence) => {
      checkSameQuestion(decision, debate, entry)
      await engine.write(function* () {
        const { isErased } = yield* admitResult(engine, debate, fence)
        yield* settle(engine, debate)
        yield* writeDebate(engine, isErased ? erasedDebate(debate) : debate)
        yield* writeDecision(engine, decision)
        yield* appendEntry(engine, isErased ? erasedEntry(entry) : entry)
      })
    },
    find: (runId, questionId) =>
      engine.read(() => rowOf(ofRun(runId).where('questionId', '=', questionId), decisionSchema)),
    list: async (runId, { after, limit }) => {
      const query = after === null ? ofRun(runId) : ofRun(runId).where('id', '>', after)
      return engine.read(() => rowsOf(query.orderBy('id').limit(checkedLimit(limit)), decisionSchema))
    },
  }
}

function checkSameQuestion(decision: StoredDecision, debate: StoredDebate, entry: LedgerEntry): void {
  const isSame =
    debate.runId === decision.runId && debate.questionId === decision.questionId && entry.runId === decision.runId
  if (isSame) return
  throw new StoreError(
    'invalid',
    `store: decision ${decision.id}: its debate or its entry is of another run or question`,
  )
}

/** The condition is part of the statement: of two processes that decide the same question, one finds it done. */
function* settle({ queries }: Engine, { runId, questionId, status }: StoredDebate): Steps<void> {
  const ofQuestion = queries
    .updateTable('runQuestions')
    .set({ status })
    .where('runId', '=', runId)
    .where('questionId', '=', questionId)
    .where('status', '!=', 'done')
  if ((yield* affectedBy(ofQuestion)) > 0) return
  const found = yield* rowsOf(
    queries.selectFrom('runQuestions').select('status').where('runId', '=', runId).where('questionId', '=', questionId),
    z.object({ status: z.string() }),
  )
  if (found.length === 0) throw missingQuestion(runId, questionId)
  throw new StoreError('exists', `store: run ${runId}: the question ${JSON.stringify(questionId)} is decided`)
}

function* writeDecision({ queries }: Engine, decision: StoredDecision): Steps<void> {
  const row = { ...decision, isShadow: flag(decision.isShadow) }
  yield* affectedBy(
    queries
      .insertInto('decisions')
      .values(row)
      .onConflict((conflict) => conflict.columns(['runId', 'questionId']).doUpdateSet(row)),
  )
}
