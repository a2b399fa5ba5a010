import { expect, test } from 'vitest'
import { POLICY_CHAIN, type PolicyEvent } from '../../src/store/decisions/policy-events.ts'
import type { Store } from '../../src/store/store.ts'
import { countedModels, memoryStore, runWorld, samplePlan, sharedCertified, simulatedQuestions } from './run-world.ts'

const LABELLED = simulatedQuestions(120)
const FRESH = simulatedQuestions(30, { from: 120 })
const DECIDE = samplePlan({ kind: 'decide', spotCheckRate: 0 })

async function write(store: Store, number: number, kind: PolicyEvent['kind']): Promise<void> {
  const note = kind === 'suspend' ? 'Spot checks contradict the budget.' : null
  const event = { id: `event ${number}`, kind, cause: null, certificateId: null, by: null, note, at: 1_790_000_000_000 }
  const entry = { runId: POLICY_CHAIN, kind, at: 1, body: {}, texts: [] }
  await store.policy.append({ event, entry, messages: [] })
}

test('with a suspended policy nothing is acted on, and the result says why and how to release it', async () => {
  const store = memoryStore()
  const certified = await sharedCertified(LABELLED)
  await write(store, 1, 'suspend')
  await write(store, 2, 'activate')
  const { models, asked } = countedModels()
  const run = { store, plan: DECIDE, questions: FRESH, certified }
  const { tally, notices } = await runWorld({ ...run, models })
  expect(tally).toMatchObject({ acted: 0, deferred: { suspended: FRESH.length } })
  expect(asked, 'nothing is paid for questions that cannot be acted on').toEqual([])
  const [notice] = notices
  expect(notice?.text).toContain('has been suspended since 2026-09-21')
  expect(notice?.text).toContain('Spot checks contradict the budget.')
  expect(notice?.text).toContain('POST /v1/policy/release')
  expect(await store.runs.arrivals(certified.id), 'deferrals of a suspension are not counted').toBe(0)
  await write(store, 3, 'release')
  const released = await runWorld(run)
  expect(released.tally.acted).toBeGreaterThan(0)
  expect(released.notices).toEqual([])
  expect(await store.runs.arrivals(certified.id)).toBe(FRESH.length)
})

test('a suspension during a run applies from the next question on, and the monitor does not count suspended questions', async () => {
  const store = memoryStore()
  const certified = await sharedCertified(LABELLED)
  const counted: Store = {
    ...store,
    decisions: {
      ...store.decisions,
      async settle(settlement) {
        const settled = await store.decisions.settle(settlement)
        if (++saved === 10) await write(store, 1, 'suspend')
        return settled
      },
    },
  }
  let saved = 0
  const { limits } = DECIDE
  // One debate at a time, because commits that others have begun when the suspension comes are still written.
  const plan = { ...DECIDE, spotCheckRate: 0.5, limits: { ...limits, traffic: { ...limits.traffic, concurrency: 1 } } }
  const { runId, tally } = await runWorld({ store: counted, plan, questions: FRESH, certified })
  expect(tally.acted).toBeGreaterThan(0)
  expect(tally.deferred['suspended']).toBe(FRESH.length - 10)
  const decisions = await store.decisions.list(runId, { after: null, limit: 99 })
  expect(decisions.filter(({ reason }) => reason === 'suspended')).toHaveLength(tally.deferred['suspended'] ?? 0)
  expect(decisions.slice(10).every(({ reason }) => reason === 'suspended')).toBe(true)
  const rates = await store.runs.rates({ certificateId: certified.id, after: 0 })
  const arrived = await store.runs.arrivals(certified.id)
  const passedOver = rates.map(({ from, spotCheckRate }, at) =>
    spotCheckRate === 0 ? (rates[at + 1]?.from ?? arrived + 1) - from : 0,
  )
  expect(arrived).toBe(FRESH.length)
  expect(passedOver.reduce((sum, count) => sum + count, 0)).toBe(FRESH.length - 10)
})

test('a shadow run decides as if nothing were suspended, because it changes nothing anyway', async () => {
  const store = memoryStore()
  const certified = await sharedCertified(LABELLED)
  await write(store, 1, 'suspend')
  const plan = { ...DECIDE, isShadow: true }
  const { tally } = await runWorld({ store, plan, questions: FRESH, certified })
  expect(tally.acted).toBeGreaterThan(0)
})
