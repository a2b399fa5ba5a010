import type { ExpressionBuilder } from 'kysely'
import { z } from 'zod'
import { MESSAGE_EVENTS } from '../record/webhook-event.ts'
import { checkedLimit, storableText } from './checked-input.ts'
import type { Engine } from './engine.ts'
import { affectedBy, rowOf, rowsOf, runAll, type Steps } from './operation.ts'
import type { OutboxMessage, OutboxStore, StoredMessage, TargetScope } from './outbox.ts'
import { integer, jsonText } from './row-schemas.ts'
import type { Tables } from './schema.ts'

const messageSchema = z
  .object({
    id: z.string(),
    event: z.enum(MESSAGE_EVENTS),
    body: jsonText,
    target: z.string(),
    subject: z.string().nullable(),
    lastError: z.string().nullable(),
    createdAt: integer,
    notBefore: integer,
    attempts: integer,
    nextAt: integer.nullable(),
    deliveredAt: integer.nullable(),
  })
  .describe('message')

export function createOutboxStore(engine: Engine): OutboxStore {
  const { queries } = engine
  const messages = queries.selectFrom('outbox')
  const ofId = (id: string) => queries.updateTable('outbox').where('id', '=', id)
  return {
    add: (added) => engine.write(() => insertMessages(engine, added)),
    find: (id) => engine.read(() => rowOf(messages.selectAll().where('id', '=', id), messageSchema)),
    due: async (claim) => {
      checkedLimit(claim.limit)
      return engine.write(() => takeDue(engine, claim))
    },
    delivered: async (id, at) => {
      await engine.writeOne(ofId(id).set({ deliveredAt: at, nextAt: null, lastError: null }))
    },
    failed: async (id, { error, nextAt }) => {
      // This process may have lost its lease to one that has delivered the message.
      const query = ofId(id).set({ lastError: storableText(error), nextAt })
      await engine.writeOne(query.where('nextAt', 'is not', null))
    },
    nextAt: async (targets) => {
      const scoped = messages.where((is) => within(is, targets))
      const next = scoped.select('nextAt').where('nextAt', 'is not', null).orderBy('nextAt').limit(1)
      return (await engine.read(() => rowOf(next, z.object({ nextAt: integer }))))?.nextAt ?? null
    },
    counts: () => engine.read(() => counts(engine)),
  }
}

export function insertMessages({ queries }: Engine, messages: readonly OutboxMessage[]): Steps<void> {
  return runAll(
    messages.map((message) => {
      const row = { ...message, attempts: 0, nextAt: message.notBefore, deliveredAt: null, lastError: null }
      return queries.insertInto('outbox').values(row)
    }),
  )
}

function* takeDue(
  engine: Engine,
  { now, limit, leaseMs, targets, first }: Parameters<OutboxStore['due']>[0],
): Steps<readonly StoredMessage[]> {
  const { queries, name } = engine
  const scoped = queries
    .selectFrom('outbox')
    .selectAll()
    .where('nextAt', '<=', now)
    .where((is) => within(is, targets))
    .orderBy('nextAt')
    .orderBy('createdAt')
    .orderBy('id')
  const query = name === 'postgres' ? scoped.forUpdate().skipLocked() : scoped
  // Each of the two queries reads rows in the order of an index. One sorted query would read every due message.
  const urgent = first === undefined ? [] : yield* rowsOf(query.where('event', '=', first).limit(limit), messageSchema)
  const others = first === undefined ? query : query.where('event', '!=', first)
  const left = limit - urgent.length
  const due = left === 0 ? urgent : [...urgent, ...(yield* rowsOf(others.limit(left), messageSchema))]
  const taken: StoredMessage[] = []
  for (const message of due) {
    const changed = { attempts: message.attempts + 1, nextAt: now + leaseMs }
    yield* affectedBy(queries.updateTable('outbox').set(changed).where('id', '=', message.id))
    taken.push({ ...message, ...changed })
  }
  return taken
}

function within(is: ExpressionBuilder<Tables, 'outbox'>, targets: TargetScope | undefined) {
  if (targets === undefined || ('except' in targets && targets.except.length === 0)) return is.and([])
  return 'only' in targets ? is('target', '=', targets.only) : is('target', 'not in', targets.except)
}

const countSchema = z.object({ count: integer }).describe('count of messages')

function* counts({ queries }: Engine): Steps<{ readonly pending: number; readonly failed: number }> {
  const counted = queries.selectFrom('outbox').select(({ fn }) => fn.countAll().as('count'))
  const pending = yield* rowOf(counted.where('nextAt', 'is not', null), countSchema)
  const ended = counted.where('nextAt', 'is', null)
  const failed = yield* rowOf(ended.where('deliveredAt', 'is', null).where('attempts', '>', 0), countSchema)
  return { pending: pending?.count ?? 0, failed: failed?.count ?? 0 }
}
