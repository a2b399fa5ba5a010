import { canonicalJson } from '@quorate/certificate'
import { z } from 'zod'
import { redactedDebate } from '../../record/debate.ts'
import { findStored } from '../../record/parse-stored.ts'
import { outcomeSchema } from '../../record/review.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowsOf, type Steps } from '../operation.ts'
import { NEXT_VERSION } from './debate-store.ts'

/** Replaces the text of an error or an answer, which may repeat the question. */
export const ERASED = 'erased'

/**
 * Erases the texts of a question in all runs, and returns the number of rows that had text. The question itself is erased
 * first: this waits for transactions that have locked it, and later ones find it erased and write no text.
 */
export function* redactQuestion(engine: Engine, questionId: string): Steps<number> {
  const asked = yield* rowsOf(
    engine.queries.selectFrom('runQuestions').select('runId').where('questionId', '=', questionId),
    z.object({ runId: z.string() }),
  )
  let erased = 0
  for (const { runId } of asked) erased += yield* redactInRun(engine, runId, questionId)
  // Also covers ledger chains that belong to no run.
  return erased + (yield* redactLedger(engine, questionId, null))
}

/** Erases the texts of a question in one run. */
export function* redactInRun(engine: Engine, runId: string, questionId: string): Steps<number> {
  const { queries } = engine
  let erased = yield* affectedBy(
    queries
      .updateTable('runQuestions')
      .set({ question: null })
      .where('runId', '=', runId)
      .where('questionId', '=', questionId)
      .where('question', 'is not', null),
  )
  erased += yield* redactCalls(engine, runId, questionId)
  erased += yield* redactDebate(engine, runId, questionId)
  erased += yield* redactCertified(engine, runId, questionId)
  erased += yield* affectedBy(
    queries
      .updateTable('reviews')
      .set({ note: null })
      .where('runId', '=', runId)
      .where('questionId', '=', questionId)
      .where('note', 'is not', null),
  )
  erased += yield* redactTyped(engine, runId, questionId)
  return erased + (yield* redactLedger(engine, questionId, runId))
}

/** Erases answers that people typed. Their classes stay, as those of the debate do. */
function* redactTyped({ queries }: Engine, runId: string, questionId: string): Steps<number> {
  const ofQuestion = queries.selectFrom('reviews').select(['id', 'outcome']).where('runId', '=', runId)
  const typed = yield* rowsOf(ofQuestion.where('questionId', '=', questionId), typedSchema)
  let erased = 0
  for (const { id, outcome } of typed) {
    const left = erasedOutcome(outcome)
    if (left === outcome) continue
    erased += yield* affectedBy(queries.updateTable('reviews').set({ outcome: left }).where('id', '=', id))
  }
  const labels = queries.updateTable('labels').set({ text: null }).where('questionId', '=', questionId)
  return erased + (yield* affectedBy(labels.where('runId', '=', runId).where('text', 'is not', null)))
}

/** The outcome of a review without a typed answer. */
export function erasedOutcome<Json extends string | null>(outcome: Json): Json | string {
  const read = findStored(outcomeSchema, outcome)
  return read?.kind === 'answer' ? canonicalJson({ ...read, text: ERASED }) : outcome
}

const typedSchema = z.object({ id: z.string(), outcome: z.string().nullable() }).describe('outcome of a review')

/** Also erases the salt, without which a digest cannot be compared with guesses. */
function redactLedger({ queries }: Engine, questionId: string, runId: string | null): Steps<number> {
  const query = queries
    .updateTable('ledgerTexts')
    .set({ text: null, salt: null })
    .where('questionId', '=', questionId)
    .where('text', 'is not', null)
  return affectedBy(runId === null ? query : query.where('runId', '=', runId))
}

function* redactCalls({ queries }: Engine, runId: string, questionId: string): Steps<number> {
  const ofQuestion = queries.updateTable('calls').where('runId', '=', runId).where('questionId', '=', questionId)
  const replies = yield* affectedBy(ofQuestion.set({ reply: null }).where('reply', 'is not', null))
  // The cache key is an unsalted hash of the prompt, which would confirm a guess of the question.
  yield* affectedBy(ofQuestion.set(({ ref }) => ({ cacheKey: ref('id') })))
  const errors = yield* affectedBy(ofQuestion.set({ error: ERASED }).where('error', '!=', ERASED))
  return replies + errors
}

/** Digests of a debate have no salt, so they would confirm a guess of the question. */
function redactCertified({ queries }: Engine, runId: string, questionId: string): Steps<number> {
  return affectedBy(
    queries
      .updateTable('certified')
      .set({ digests: null })
      .where('runId', '=', runId)
      .where('questionId', '=', questionId)
      .where('digests', 'is not', null),
  )
}

function* redactDebate({ queries }: Engine, runId: string, questionId: string): Steps<number> {
  const stored = yield* rowsOf(
    queries.selectFrom('debates').select('debate').where('runId', '=', runId).where('questionId', '=', questionId),
    z.object({ debate: z.string() }),
  )
  let erased = 0
  for (const { debate } of stored) {
    const redacted = redactedDebate(debate)
    if (redacted === debate) continue
    erased += yield* affectedBy(
      queries
        .updateTable('debates')
        .set({ debate: redacted, version: NEXT_VERSION })
        .where('runId', '=', runId)
        .where('questionId', '=', questionId),
    )
  }
  return erased
}
