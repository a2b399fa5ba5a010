import type { Pool } from 'pg'
import { z } from 'zod'
import { questionStatusSchema } from '../../record/run.ts'
import type { AddedQuestion } from '../decisions/settlement.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowsOf, type Steps } from '../operation.ts'
import { addQuestion } from '../runs/arrivals.ts'
import { UNLEASED } from '../runs/write-admission.ts'
import type { IntakeStore } from '../shared-store.ts'
import type { NewQuestion } from '../store.ts'
import { inTransaction } from './postgres-engine.ts'
import { storeErrorOfPostgres } from './postgres-errors.ts'

const progressSchema = z
  .object({ runId: z.string(), questionId: z.string(), status: questionStatusSchema })
  .describe('question that is waited for')

export function createIntakeStore(engine: Engine, pool: Pool, place: string): IntakeStore {
  const { queries } = engine
  return {
    async add(runId, question, enqueue) {
      let isPending = false
      const steps = function* (): Steps<AddedQuestion> {
        const added = yield* addUnleased(engine, runId, question)
        isPending = added.question.status === 'pending'
        return added
      }
      try {
        const finish: typeof enqueue = async (database) => {
          if (isPending) await enqueue(database)
        }
        return await inTransaction(pool, steps, { finish })
      } catch (error) {
        throw storeErrorOfPostgres(error, place)
      }
    },
    renew: async (runId, shared) => {
      const own = queries
        .updateTable('sharedRuns')
        .set({ ...shared, halt: null, haltWords: null })
        .where('runId', '=', runId)
        // Spend is summed up beside the calls only for a run with a cap. Adding a cap requires summing up the calls again.
        .where('capMicroUsd', shared.capMicroUsd === null ? 'is' : 'is not', null)
      const nobodys = queries.selectFrom('runs').select('id').where('id', '=', runId).where('fence', 'is', null)
      return (await engine.writeOne(own.where(({ exists }) => exists(nobodys)))) > 0
    },
    async progress({ runIds, pending, begun }) {
      const asked = [...pending, ...begun]
      if (asked.length === 0) return []
      const query = queries
        .selectFrom('runQuestions')
        .select(['runId', 'questionId', 'status'])
        .where('runId', 'in', runIds)
        .where('questionId', 'in', asked)
        .where(({ eb, and, or }) => {
          const isTaken = and([eb('questionId', 'in', [...pending]), eb('fence', '!=', UNLEASED)])
          return or([eb('status', '!=', 'pending'), ...(pending.length === 0 ? [] : [isTaken])])
        })
      return engine.read(() => rowsOf(query, progressSchema))
    },
  }
}

/** Adds a question about which no process writes until a worker leases it. */
function* addUnleased(engine: Engine, runId: string, question: NewQuestion): Steps<AddedQuestion> {
  const added = yield* addQuestion(engine, runId, question)
  if (added.kind === 'exists') return added
  const { queries } = engine
  const row = queries.updateTable('runQuestions').set({ fence: UNLEASED }).where('runId', '=', runId)
  yield* affectedBy(row.where('questionId', '=', question.questionId))
  return added
}
