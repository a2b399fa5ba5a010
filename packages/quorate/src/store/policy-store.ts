import { z } from 'zod'
import { lastArrival } from './arrivals.ts'
import { checkedLimit } from './checked-input.ts'
import type { Engine } from './engine.ts'
import { appendEntry } from './ledger-store.ts'
import { affectedBy, rowOf, rowsOf, type Steps } from './operation.ts'
import { insertMessages } from './outbox-store.ts'
import type { PolicyChange, PolicyEvent, PolicyStore } from './policy-events.ts'
import { integer, jsonString } from './row-schemas.ts'
import type { LedgerRow } from './store.ts'

const eventSchema = z
  .object({
    id: z.string(),
    kind: z.enum(['hold', 'release', 'activate']),
    cause: z.enum(['monitor', 'drift', 'fingerprint', 'admin']).nullable(),
    certificateId: z.string().nullable(),
    by: z.string().nullable(),
    note: jsonString.nullable(),
    at: integer,
    arrival: integer,
  })
  .describe('policy event')

export function createPolicyStore(engine: Engine): PolicyStore {
  return {
    append: (change) => engine.write(() => append(engine, change)),
    list: async ({ before, limit, kind }) => {
      const events = engine.queries.selectFrom('policyEvents').selectAll()
      const earlier = before === null ? events : events.where('id', '<', before)
      const ofKind = kind === undefined ? earlier : earlier.where('kind', '=', kind)
      return engine.read(() => rowsOf(ofKind.orderBy('id', 'desc').limit(checkedLimit(limit)), eventSchema))
    },
  }
}

type Appended = { readonly event: PolicyEvent; readonly row: LedgerRow }

function* append(engine: Engine, { event, entry, messages, unless }: PolicyChange): Steps<Appended | null> {
  const lock = engine.lock('policy')
  if (lock !== null) yield lock
  const { queries } = engine
  const last = queries.selectFrom('policyEvents').selectAll().orderBy('id', 'desc').limit(1)
  if (unless !== undefined && (yield* rowOf(last, eventSchema))?.kind === unless) return null
  const stored = { ...event, arrival: yield* arrivalFor(engine, event.certificateId) }
  const note = event.note === null ? null : JSON.stringify(event.note)
  yield* affectedBy(queries.insertInto('policyEvents').values({ ...stored, note }))
  yield* insertMessages(engine, messages)
  return { event: stored, row: yield* appendEntry(engine, entry) }
}

/** Of no certificate none has arrived. */
function* arrivalFor(engine: Engine, certificateId: string | null): Steps<number> {
  return certificateId === null ? 0 : yield* lastArrival(engine, certificateId)
}
