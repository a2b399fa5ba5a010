import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import type { SharedStore } from '../../src/store/shared-store.ts'
import { type FakeProvider, startFakeProvider } from '../fake-provider/fake-provider.ts'
import { providerFolder } from '../run/provider-folder.ts'
import { privatePostgres } from '../store/private-postgres.ts'
import { runHere, startFleet } from './fleet.ts'

const postgres = await privatePostgres()
const QUESTIONS = 30
const CALLS = QUESTIONS * 3 * 3
const WORKERS = sized({ short: 2, full: 3 })
/** The prices in the folder, in micro-dollars per token. */
const PRICE = 10
const CAP_USD = 0.4
const OFTEN = { interval: 100 }

if (postgres.kind === 'absent') {
  test.skip(`money and failures over several workers: ${postgres.reason}`, () => {})
} else {
  const world = async (fake: FakeProvider) => {
    const folder = providerFolder(fake.url, { questions: QUESTIONS })
    const { url } = await postgres.freshUrl()
    const store = await openPostgres(url, { now: () => 0, connections: 2 })
    const { shared } = store
    if (shared === null) throw new Error('PostgreSQL has no shared store')
    return { place: { folder, store: url }, store, shared }
  }

  describe('a spend cap over several workers', () => {
    test('is never exceeded, halts the run with a reason, and a larger cap lets it continue', async () => {
      const fake = await startFakeProvider({ latencyMs: 20 })
      const { place, store, shared } = await world(fake)
      const fleet = startFleet({ ...place, workers: WORKERS })
      await fleet.ready(WORKERS)
      const queued = await runHere(place, [
        'debate',
        'questions.jsonl',
        '--detach',
        '--json',
        '--max-cost',
        `${CAP_USD}`,
      ])
      expect(queued.code, queued.output).toBe(0)
      const { runId } = JSON.parse(queued.output)
      const most = { micro: 0 }
      const look = async () => {
        const run = await shared.runs.find(runId)
        const { committedMicroUsd = 0, reservedMicroUsd = 0, halt = null } = run ?? {}
        most.micro = Math.max(most.micro, committedMicroUsd + reservedMicroUsd)
        return halt
      }
      await expect.poll(look, OFTEN).toBe('spend-cap')
      // A worker may still send a call that fits under the cap. Each reports after the halt that it sends nothing.
      await expect.poll(quietSince(shared, performance.now()), OFTEN).toEqual(Array(WORKERS).fill(true))
      expect((await store.calls.spend(runId)).calls.open).toBe(0)
      const { charged } = fake.counts()
      const charge = (charged.inputTokens + charged.outputTokens) * PRICE
      const cap = CAP_USD * 1e6
      expect(most.micro).toBeLessThanOrEqual(cap)
      expect(charge).toBeLessThanOrEqual(cap)
      expect(await store.calls.spend(runId)).toMatchObject({ committedMicroUsd: charge, reservedMicroUsd: 0 })
      expect(charged.requests).toBeGreaterThan(0)
      expect(charged.requests).toBeLessThan(CALLS)

      const status = await runHere(place, ['status', '--run', runId])
      expect(status.code, status.output).toBe(40)
      expect(status.output).toContain('Halted at its spend cap')
      expect(status.output).toContain(`quorate debate QUESTIONS --resume ${runId.slice(0, 13)} --detach --max-cost USD`)

      const larger = ['debate', 'questions.jsonl', '--resume', runId, '--detach', '--max-cost', `${10 * CAP_USD}`]
      const again = await runHere(place, larger)
      expect(again.code, again.output).toBe(0)
      expect(again.output).toMatch(/again in the queue/)
      await expect.poll(async () => (await store.runs.find(runId))?.status, OFTEN).toBe('done')
      expect(await fleet.stop(), fleet.output()).toEqual(Array(WORKERS).fill(0))
      expect(fake.counts()).toMatchObject({ requests: CALLS, answered: { requests: CALLS } })
      const { answered } = fake.counts()
      expect((await store.calls.spend(runId)).committedMicroUsd).toBe(
        (answered.inputTokens + answered.outputTokens) * PRICE,
      )
      await store.close()
      await fake.close()
    })
  })

  describe('a provider that fails every time', () => {
    const FAILURES = 12
    const SLOTS = 8

    test('gets about as many requests from two workers together as open the circuit breaker, not from each of them', async () => {
      const fake = await startFakeProvider({ latencyMs: 20, faultRate: 1, faults: ['server-error'] })
      const { place, store, shared } = await world(fake)
      const fleet = startFleet({ ...place, workers: 2 })
      await fleet.ready(2)
      const queued = await runHere(place, ['debate', 'questions.jsonl', '--detach', '--json'])
      expect(queued.code, queued.output).toBe(0)
      const rests = async () => (await shared.limits.breakers()).flatMap(({ restsForMs }) => restsForMs ?? [])
      await expect.poll(async () => (await rests()).length, OFTEN).toBe(3)
      // Since then both have read the breaker, sent a heartbeat, and have nothing in flight any more.
      await expect.poll(quietSince(shared, performance.now()), OFTEN).toEqual([true, true])
      const log = fake.log()
      const models = [...new Set(log.map(({ model }) => model))]
      expect(models.length).toBe(3)
      // The failures that open it, the slots of both workers that were full by then, and what replaced the first failures.
      for (const one of models) {
        expect(log.filter(({ model }) => model === one).length).toBeLessThanOrEqual(2 * FAILURES + 2 * SLOTS)
      }
      const before = fake.counts().requests
      await expect.poll(async () => Math.min(...(await rests())), OFTEN).toBeLessThan(1500)
      const after = fake.counts().requests
      // Unless this machine is so slow that the rest of the breaker is over.
      if (Math.min(...(await rests())) > 0) expect(after).toBe(before)
      fleet.end()
      await store.close()
      await fake.close()
    })
  })
}

/** More than the time between two heartbeats. */
const SIGN_MS = 2500

/** Whether every worker has reported, with a heartbeat after this time, that it has nothing in flight. */
function quietSince(shared: SharedStore, since: number): () => Promise<readonly boolean[]> {
  return async () =>
    (await shared.workers.list(5000)).map(
      ({ inFlight, silentMs }) => inFlight === 0 && performance.now() - silentMs > since + SIGN_MS,
    )
}
