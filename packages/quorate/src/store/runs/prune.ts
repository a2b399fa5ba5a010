import { z } from 'zod'
import type { Engine } from '../engine.ts'
import { affectedBy, rowsOf, type Steps } from '../operation.ts'
import { flagValue, integer } from '../row-schemas.ts'
import type { Millis, Pruned } from '../store.ts'
import { redactInRun } from './redact.ts'

/** The most debates of one commit, so that other writers do not wait long. */
const DEBATES_AT_ONCE = 50

export async function pruneStore(
  engine: Engine,
  { before, now }: { readonly before: Millis; readonly now: Millis },
): Promise<Pruned> {
  const { queries } = engine
  let erased = 0
  let after: Key | null = null
  do {
    const place: Key | null = after
    const some: Erased = await engine.write(() => eraseSome(engine, place, before))
    erased += some.erased
    after = some.last
  } while (after !== null)
  const ended = queries.deleteFrom('outbox').where('nextAt', 'is', null).where('createdAt', '<', before)
  const messages = await engine.writeOne(ended)
  const sessions = await engine.writeOne(queries.deleteFrom('sessions').where('expiresAt', '<=', now))
  return { erased, messages, sessions }
}

const keySchema = z.object({ at: integer, runId: z.string(), questionId: z.string(), isErased: flagValue })
type Key = z.infer<typeof keySchema>

interface Erased {
  readonly erased: number
  /** The last debate of this step; null: there are no more. */
  readonly last: Key | null
}

function* eraseSome(engine: Engine, after: Key | null, before: Millis): Steps<Erased> {
  const { queries } = engine
  const debates = queries.selectFrom('debates').select(['at', 'runId', 'questionId', 'isErased'])
  const rest =
    after === null
      ? debates
      : debates.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('at', 'runId', 'questionId'), '>', tuple(after.at, after.runId, after.questionId)),
        )
  const page = rest.where('at', '<', before).orderBy('at').orderBy('runId').orderBy('questionId')
  const old = yield* rowsOf(page.limit(DEBATES_AT_ONCE), keySchema)
  let erased = 0
  for (const { runId, questionId, isErased } of old) {
    if (isErased) continue
    erased += yield* redactInRun(engine, runId, questionId)
    const ofQuestion = queries.updateTable('debates').where('runId', '=', runId).where('questionId', '=', questionId)
    yield* affectedBy(ofQuestion.set({ isErased: 1 }))
  }
  return { erased, last: old.length < DEBATES_AT_ONCE ? null : (old.at(-1) ?? null) }
}
