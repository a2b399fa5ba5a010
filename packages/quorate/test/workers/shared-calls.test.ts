import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StoreError } from '../../src/record/store-error.ts'
import type { SharedStore } from '../../src/store/shared-store.ts'
import type { CallStore, Intent, Store } from '../../src/store/store.ts'
import { privatePostgres } from '../store/private-postgres.ts'
import { sampleEntry, sampleId, sampleIntent, sampleOutcome, sampleQuestions, sampleRun } from '../store/samples.ts'

const postgres = await privatePostgres()

const UNSTORABLE = 'half \ud800'

/** One of several concurrent operations on calls. */
const operation = fc.record({
  number: fc.nat(11),
  questionId: fc.constantFrom('q0', 'q1', 'q2', 'none'),
  agent: fc.constantFrom('ann', 'ben', UNSTORABLE),
  fence: fc.constantFrom('own', 'own', 'own', 'other'),
  reserved: fc.constantFrom(null, 0, 900),
  state: fc.constantFrom('answered' as const, 'refused' as const, 'lost' as const),
})
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never

/** Operations of one kind only, because of two kinds either may come first. */
const batch = fc.record({
  kind: fc.constantFrom('open' as const, 'open' as const, 'close' as const, 'before' as const),
  operations: fc.uniqueArray(operation, {
    maxLength: 6,
    selector: ({ number, questionId, agent }) => `${number} ${questionId} ${agent}`,
  }),
})
type Kind = 'open' | 'close' | 'before'

if (postgres.kind === 'absent') {
  test.skip(`calls of shared runs: ${postgres.reason}`, () => {})
} else {
  const { admin, freshUrl } = postgres

  describe('concurrent calls', () => {
    test.each([
      ['a run without a cap', null],
      ['a run with a cap that has room', 1_000_000],
    ])('end as they do one after the other: %s', async (_, cap) => {
      const store = await (await postgres.fresh())()
      const { shared } = store
      if (shared === null) throw new Error('PostgreSQL has no shared store')
      let runs = 0
      await fc.assert(
        fc.asyncProperty(fc.array(batch, { maxLength: 5 }), async (batches) => {
          const together = await newRun(store, shared, { number: ++runs, cap })
          const oneByOne = await newRun(store, shared, { number: ++runs, cap })
          for (const { kind, operations } of batches) {
            const some = await Promise.all(operations.map((each) => done(shared.calls, together, { kind, ...each })))
            const others: unknown[] = []
            for (const each of operations) others.push(await done(store.calls, oneByOne, { kind, ...each }))
            expect(some).toEqual(others)
          }
          expect(await comparable(store, together)).toEqual(await comparable(store, oneByOne))
          if (cap !== null) await checkSpending(store, shared, together)
        }),
        { numRuns: 25, seed: 7 },
      )
      await store.close()
    })
  })

  test('the first heartbeat of a worker makes a new database count its rows, once there are some', async () => {
    const { schema, url } = await freshUrl()
    const { openPostgres } = await import('../../src/store/postgres/open-postgres.ts')
    const store = await openPostgres(url, { now: () => 0, connections: 6 })
    const { shared } = store
    if (shared === null) throw new Error('PostgreSQL has no shared store')
    const known = async () =>
      (await admin.query(`select reltuples from pg_class where oid = '${schema}.calls'::regclass`)).rows[0].reltuples
    const none = { debates: 0, inFlight: 0, ended: 0, answered: 0, takenOver: 0 }
    const seen = () =>
      shared.workers.seen({ id: 'w', name: 'w', version: '1', queues: '[]', startedAt: 0, endedAt: null, ...none })
    await seen()
    expect(await known()).toBeLessThanOrEqual(0)
    const runId = await newRun(store, shared, { number: 1, cap: null })
    await Promise.all(
      Array.from({ length: 400 }, (_, number) => shared.calls.open(sampleIntent(number, { runId, fence: 'own' }))),
    )
    await seen()
    expect(await known()).toBe(400)
    await store.close()
  })

  test('tables of texts can be cut into ranges of runs, which are ordered by time', async () => {
    const { schema, url } = await freshUrl()
    const { openPostgres } = await import('../../src/store/postgres/open-postgres.ts')
    await (await openPostgres(url, { now: () => 0 })).close()
    for (const table of ['calls', 'debates', 'certified', 'ledger', 'ledger_texts']) {
      const cut = `${schema}.${table}_cut`
      const like = `create table ${cut} (like ${schema}.${table} including all) partition by range (run_id)`
      // PostgreSQL refuses this where a unique key leaves the run out.
      await admin.query(like)
      await admin.query(`create table ${cut}_1 partition of ${cut} for values from ('0') to ('1')`)
    }
  })
}

interface NewRun {
  readonly number: number
  readonly cap: number | null
}

/** A shared run whose questions are taken. The text of q2 is erased. */
async function newRun(store: Store, shared: SharedStore, { number, cap }: NewRun): Promise<string> {
  const runId = sampleId(number)
  const erasable = `erased ${number}`
  const questions = sampleQuestions(3).map((question) =>
    question.questionId === 'q2' ? { ...question, questionId: erasable } : question,
  )
  await shared.runs.create({
    run: sampleRun({ id: runId }),
    shared: { createdAt: 1, options: '{}', capMicroUsd: cap },
    questions,
    entry: { ...sampleEntry({ runId }), kind: 'run-opened' },
    enqueue: async () => {},
  })
  for (const { questionId } of questions) await shared.runs.take(runId, questionId, { fence: 'own', at: 1 })
  await store.redact(erasable)
  return runId
}

function intentFor(runId: string, { number, questionId, agent, fence, reserved }: Operation): Intent {
  const own = questionId === 'q2' ? `erased ${Number.parseInt(runId.slice(-8), 10)}` : questionId
  return sampleIntent(number, { runId, questionId: own, agent, fence, reservedMicroUsd: reserved })
}

async function done(calls: CallStore, runId: string, operation: Operation & { readonly kind: Kind }): Promise<unknown> {
  const intent = intentFor(runId, operation)
  try {
    if (operation.kind === 'open') return await calls.open(intent)
    if (operation.kind === 'close') return await calls.close(intent, operation.state, sampleOutcome())
    const { attempts, answered, cached } = await calls.before(runId, intent, `none ${runId}`)
    return [attempts, answered?.id ?? null, cached]
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    // If there are several reasons to refuse a call, any of them may come first.
    return operation.agent === UNSTORABLE ? 'refused' : error.kind
  }
}

async function comparable(store: Store, runId: string) {
  const calls = await store.calls.list(runId, { after: null, limit: 100 })
  return calls.map(({ runId: _, questionId, ...call }) => ({ ...call, questionId: questionId.replace(/ \d+$/, '') }))
}

async function checkSpending(store: Store, shared: SharedStore, runId: string): Promise<void> {
  const spend = await store.calls.spend(runId)
  const budget = await shared.runs.find(runId)
  const { reservedMicroUsd, committedMicroUsd } = spend
  expect(budget).toMatchObject({ reservedMicroUsd, committedMicroUsd })
}
