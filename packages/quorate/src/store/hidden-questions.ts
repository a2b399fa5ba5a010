import { sql } from 'kysely'
import { z } from 'zod'
import type { Engine } from './engine.ts'
import { rowsOf, type Steps } from './operation.ts'
import type { HiddenAmong } from './reviews.ts'
import { ROWS_AT_ONCE } from './row-schemas.ts'
import type { Millis } from './store.ts'

/**
 * Of a row of `run_questions as question`: a blind item of the queue is about it, or a spot check that nobody had yet, and
 * nobody's word on it is final. What was drawn is hidden from its first round on: it will be an item.
 */
export function isHiddenAt(now: Millis) {
  return sql<boolean>`((question.is_drawn = 1 and question.status = 'pending') or exists (
    select 1 from reviews where reviews.run_id = question.run_id and reviews.question_id = question.question_id and (
      (reviews.status = 'waiting' and (reviews.is_blind = 1 or (reviews.is_blind is null and reviews.source = 'spot-check')))
      or (reviews.status = 'submitted' and reviews.is_blind = 1 and reviews.undo_until > ${now})
    )
  ))`
}

const idSchema = z.object({ questionId: z.string() }).describe('hidden question')

export function* hiddenAmong(
  { queries }: Engine,
  { questionIds, runId, now }: HiddenAmong,
): Steps<ReadonlySet<string>> {
  const asked = [...new Set(questionIds)]
  const hidden = new Set<string>()
  for (let start = 0; start < asked.length; start += ROWS_AT_ONCE) {
    const query = queries
      .selectFrom('runQuestions as question')
      .select('question.questionId')
      .where('question.questionId', 'in', asked.slice(start, start + ROWS_AT_ONCE))
      .where(isHiddenAt(now))
    const found = yield* rowsOf(runId === undefined ? query : query.where('question.runId', '=', runId), idSchema)
    for (const { questionId } of found) hidden.add(questionId)
  }
  return hidden
}
