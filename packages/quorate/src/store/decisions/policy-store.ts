import { sql } from 'kysely'
import { z } from 'zod'
import { StoreError } from '../../record/store-error.ts'
import { checkedLimit } from '../checked-input.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowOf, rowsOf, type Steps, take, together } from '../operation.ts'
import { insertMessages } from '../outbox-store.ts'
import { perEngine } from '../per-engine.ts'
import { preparedQuery } from '../prepared-query.ts'
import { integer, jsonString } from '../row-schemas.ts'
import { lastArrival } from '../runs/arrivals.ts'
import type { LedgerRow } from '../store.ts'
import { appendEntry } from './ledger-store.ts'
import type { PolicyChange, PolicyEvent, PolicyStore } from './policy-events.ts'

const eventSchema = z
  .object({
    id: z.string(),
    sequence: integer,
    kind: z.enum(['suspend', 'release', 'activate']),
    cause: z.enum(['monitor', 'drift', 'fingerprint', 'admin', 'shadow']).nullable(),
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
    arrivalBefore: ({ sequence }, certificateId) =>
      engine.read(function* () {
        const arrivals = engine.queries.selectFrom('policyArrivals').select('arrival')
        const found = arrivals.where('sequence', '=', sequence).where('certificateId', '=', certificateId)
        return (yield* rowOf(found, z.object({ arrival: integer }).describe('arrival before a release')))?.arrival ?? 0
      }),
    currentSuspension: () => engine.read(() => readSuspension(engine)),
    list: async ({ before, limit, kind }) => {
      const events = engine.queries.selectFrom('policyEvents').selectAll()
      const earlier = before === null ? events : events.where('sequence', '<', before)
      const ofKind = kind === undefined ? earlier : earlier.where('kind', '=', kind)
      return engine.read(() => rowsOf(ofKind.orderBy('sequence', 'desc').limit(checkedLimit(limit)), eventSchema))
    },
  }
}

/** Exclusive for the writer of an event, and shared by commits of actions, so neither can interleave with the other. */
const POLICY_LOCK = 'policy'

function readSuspension(engine: Engine): Steps<PolicyEvent | null> {
  return rowOf(prepared(engine).suspension({}), eventSchema)
}

/**
 * The suspension that forbids this transaction to commit an action; null: it may commit the action. The writer of a policy
 * event waits for that commit, so no action is committed after a suspension. Without `isOperatorsChoice`, a certificate that
 * was never activated is an error.
 */
export function* suspensionOfAction(
  engine: Engine,
  { certificateId, isOperatorsChoice }: { readonly certificateId: string; readonly isOperatorsChoice: boolean },
): Steps<PolicyEvent | null> {
  yield* take(engine.lock(POLICY_LOCK, 'shared'))
  const [suspension, activated] = yield* together(
    readSuspension(engine),
    rowOf(prepared(engine).activation({ certificateId }), z.object({ sequence: integer })),
  )
  if (suspension !== null || isOperatorsChoice) return suspension
  if (activated !== null) return null
  throw new StoreError(
    'invalid',
    `store: expected a certificate that a person activated, got ${certificateId}, which may not act: ` +
      'activate it with POST /v1/certificates/{id}/activate or quorate serve --certificate FILE',
  )
}

/** The queries that every action runs. */
const prepared = perEngine((queries) => ({
  suspension: preparedQuery([], () => {
    const releases = queries.selectFrom('policyEvents').where('kind', '=', sql.lit('release' as const))
    const lastRelease = releases.select(({ fn }) => fn.max('sequence').as('sequence'))
    // The first one, because a later suspension does not replace the reason of an earlier one.
    return queries
      .selectFrom('policyEvents')
      .selectAll()
      .where('kind', '=', sql.lit('suspend' as const))
      .where('sequence', '>', sql<number>`coalesce(${lastRelease}, 0)`)
      .orderBy('sequence')
      .limit(1)
  }),
  activation: preparedQuery(['certificateId'], ({ certificateId }: { readonly certificateId: string }) =>
    queries
      .selectFrom('policyEvents')
      .select('sequence')
      .where('certificateId', '=', certificateId)
      .where('kind', '=', sql.lit('activate' as const))
      .limit(1),
  ),
}))

function* append(
  engine: Engine,
  { event, entry, messages, unless }: PolicyChange,
): Steps<{ readonly event: PolicyEvent; readonly row: LedgerRow } | null> {
  yield* take(engine.lock(POLICY_LOCK))
  if (unless !== undefined) {
    const isSuspended = (yield* readSuspension(engine)) !== null
    if (isSuspended === (unless === 'suspended')) return null
  }
  const arrival = yield* arrivalFor(engine, event.certificateId)
  const row = yield* appendEntry(engine, entry)
  const stored = { ...event, sequence: row.sequence, arrival }
  const note = event.note === null ? null : JSON.stringify(event.note)
  yield* affectedBy(engine.queries.insertInto('policyEvents').values({ ...stored, note }))
  if (event.kind === 'release') yield* noteArrivals(engine, row.sequence)
  yield* insertMessages(engine, messages)
  return { event: stored, row }
}

/** Records for each certificate where its monitors restart after a release. A time would not do, because clocks differ. */
function* noteArrivals({ queries }: Engine, sequence: number): Steps<void> {
  const noted = sql`insert into policy_arrivals (sequence, certificate_id, arrival)
    select ${sql.lit(sequence)}, last.id, last.arrival from (
      select certificates.id, (
        select max(run_questions.arrival) from run_questions where run_questions.certificate_id = certificates.id
      ) as arrival from certificates
    ) last where last.arrival is not null`
  yield* affectedBy({ compile: () => noted.compile(queries) })
}

function* arrivalFor(engine: Engine, certificateId: string | null): Steps<number> {
  return certificateId === null ? 0 : yield* lastArrival(engine, certificateId)
}
