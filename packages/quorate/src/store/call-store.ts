import { z } from 'zod'
import { checkedLimit, storableText } from './checked-input.ts'
import type { Engine } from './engine.ts'
import { rowOf, rowsOf, type Steps } from './operation.ts'
import { flagValue, integer, jsonText } from './row-schemas.ts'
import { flag } from './schema.ts'
import { readSpend } from './spend.ts'
import type { CallPlace, CallState, CallStore, Intent, Outcome } from './store.ts'
import { StoreError } from './store-error.ts'

const callSchema = z
  .object({
    id: z.string(),
    key: z.string(),
    cacheKey: z.string(),
    runId: z.string(),
    questionId: z.string(),
    agent: z.string(),
    round: integer,
    repeat: integer,
    isReminder: flagValue,
    attempt: integer,
    model: z.string(),
    reservedMicroUsd: integer.nullable(),
    fence: z.string(),
    openedAt: integer,
    state: z.enum(['open', 'answered', 'refused', 'lost']),
    at: integer.nullable(),
    reply: jsonText.nullable(),
    inputTokens: integer.nullable(),
    outputTokens: integer.nullable(),
    costMicroUsd: integer.nullable(),
    error: z.string().nullable(),
  })
  .describe('call')

const countSchema = z.object({ count: integer }).describe('count of calls')

export function createCallStore(engine: Engine): CallStore {
  const { queries } = engine
  return {
    open: (intent) => open(engine, intent),
    close: async (id, fence, state, outcome) => {
      const query = queries
        .updateTable('calls')
        .set({ state, ...written(state, outcome) })
        .where('id', '=', id)
        .where('fence', '=', fence)
        .where('state', '=', 'open')
      return (await engine.writeOne(query)) > 0
    },
    answered: (runId, place) => {
      const query = placed(engine, runId, place)
        .selectAll()
        .where('state', '=', 'answered')
        .where('reply', 'is not', null)
        .limit(1)
      return engine.read(() => rowOf(query, callSchema))
    },
    cached: (cacheKey) => {
      const query = queries
        .selectFrom('calls')
        .selectAll()
        .where('cacheKey', '=', cacheKey)
        .where('state', '=', 'answered')
        .where('reply', 'is not', null)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
      return engine.read(() => rowOf(query, callSchema))
    },
    attempts: (runId, place) => engine.read(() => attempts(engine, runId, place)),
    loseOpen: (runId, fence, at) => {
      const error = 'the process that asked ended before the answer was written'
      const query = queries
        .updateTable('calls')
        .set({ state: 'lost', at, error })
        .where('runId', '=', runId)
        .where('state', '=', 'open')
        .where('fence', '!=', fence)
      return engine.writeOne(query)
    },
    spend: (runId) => engine.read(() => readSpend(engine, runId)),
    list: async (runId, { after, limit }) => {
      const query = queries.selectFrom('calls').selectAll().where('runId', '=', runId)
      const page = (after === null ? query : query.where('id', '>', after)).orderBy('id').limit(checkedLimit(limit))
      return engine.read(() => rowsOf(page, callSchema))
    },
  }
}

async function open({ queries, writeOne }: Engine, intent: Intent): Promise<void> {
  const row = {
    ...intent,
    isReminder: flag(intent.isReminder),
    state: 'open' as const,
    at: null,
    reply: null,
    inputTokens: null,
    outputTokens: null,
    costMicroUsd: null,
    error: null,
  }
  const query = queries.insertInto('calls').values(row)
  if ((await writeOne(query.onConflict((conflict) => conflict.doNothing()))) > 0) return
  throw new StoreError('exists', `store: the call ${JSON.stringify(intent.key)} was opened before (id ${intent.id})`)
}

/** Only an answer has a reply and costs something. */
function written(state: Exclude<CallState, 'open'>, { at, error, ...answer }: Outcome): Outcome {
  const words = error === null ? null : storableText(error)
  if (state === 'answered') return { at, ...answer, error: words }
  return { at, reply: null, inputTokens: null, outputTokens: null, costMicroUsd: null, error: words }
}

function placed({ queries }: Engine, runId: string, place: CallPlace) {
  return queries
    .selectFrom('calls')
    .where('runId', '=', runId)
    .where('questionId', '=', place.questionId)
    .where('agent', '=', place.agent)
    .where('round', '=', place.round)
    .where('repeat', '=', place.repeat)
    .where('isReminder', '=', flag(place.isReminder))
}

function* attempts(engine: Engine, runId: string, place: CallPlace): Steps<number> {
  const query = placed(engine, runId, place).select(({ fn }) => fn.countAll().as('count'))
  return (yield* rowOf(query, countSchema))?.count ?? 0
}
