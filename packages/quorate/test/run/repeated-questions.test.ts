import { expect, test } from 'vitest'
import { supersedeReviews } from '../../src/run/known-questions.ts'
import { certifiedFrom, memoryStore, runWorld, samplePlan, simulatedQuestions } from './run-world.ts'

const FRESH = simulatedQuestions(40, { from: 60 }).map((question) => ({ ...question, gold: null }))
const IDS = FRESH.map(({ id }) => id)
const plan = samplePlan({ kind: 'decide', spotCheckRate: 0.5 })

async function decidedTwice() {
  const store = memoryStore()
  const certified = await certifiedFrom(store, simulatedQuestions(60))
  const first = await runWorld({ store, plan, questions: FRESH, certified })
  const before = await store.runs.spotChecks({ certificateId: certified.id, after: 0, limit: 100 })
  const more = simulatedQuestions(5, { from: 200 }).map((question) => ({ ...question, gold: null }))
  const second = await runWorld({ store, plan, questions: [...FRESH, ...more], certified })
  return { store, certified, first, second, before }
}

test('a question that is asked again under its certificate is no new arrival, but a new question is', async () => {
  const { store, certified, before, first } = await decidedTwice()
  expect(await store.runs.arrivals(certified.id)).toBe(FRESH.length + 5)
  const now = await store.runs.spotChecks({ certificateId: certified.id, after: 0, limit: 100 })
  expect(before.length).toBeGreaterThan(5)
  expect(now.slice(0, before.length)).toEqual(before)
  expect(now.slice(before.length).every(({ arrival }) => arrival > FRESH.length)).toBe(true)
  expect(before.every(({ runId }) => runId === first.runId)).toBe(true)
})

test('an id with another text is another question, and counts', async () => {
  const { store, certified } = await decidedTwice()
  const other = FRESH.slice(0, 3).map((question, at) => ({ ...question, question: `${question.question} (${at})` }))
  await runWorld({ store, plan, questions: other, certified })
  expect(await store.runs.arrivals(certified.id)).toBe(FRESH.length + 5 + 3)
})

test('older review items of deferrals are retracted, and spot checks of counted questions stay', async () => {
  const { store, first, second } = await decidedTwice()
  const waiting = () => store.reviews.list({ after: null, limit: 200, status: 'waiting' })
  const older = (await waiting()).filter(({ runId }) => runId === first.runId)
  const sampled = older.filter(({ source }) => source === 'spot-check')
  const withdrawn = await supersedeReviews(store, { runId: second.runId, questionIds: IDS, now: 0 })
  expect(withdrawn).toBe(older.length - sampled.length)
  const left = (await waiting()).filter(({ runId }) => runId === first.runId)
  expect(left.map(({ id }) => id).sort()).toEqual(sampled.map(({ id }) => id).sort())
})

test('review items of later decisions stay when an older run is continued', async () => {
  const { store, first, second } = await decidedTwice()
  const waiting = async () => {
    const items = await store.reviews.list({ after: null, limit: 200, status: 'waiting' })
    return items.filter(({ runId }) => runId === second.runId).map(({ id }) => id)
  }
  await supersedeReviews(store, { runId: second.runId, questionIds: IDS, now: 0 })
  const before = await waiting()
  expect(before).not.toEqual([])
  expect(await supersedeReviews(store, { runId: first.runId, questionIds: IDS, now: 0 })).toBe(0)
  expect(await waiting()).toEqual(before)
})

test('a review item that somebody works on stays, and is retracted once the claim has expired', async () => {
  const { store, first, second } = await decidedTwice()
  const items = await store.reviews.list({ after: null, limit: 200, status: 'waiting' })
  const others = { runId: second.runId, questionIds: IDS }
  const item = items.find(({ runId, source }) => runId === first.runId && source !== 'spot-check')
  if (item === undefined) throw new Error('no deferral waits')
  await store.reviews.update(item.id, item, { claimedBy: 'ann', claimedUntil: 1_000 })
  const superseded = (now: number) => supersedeReviews(store, { ...others, now })
  expect(await superseded(999)).toBeGreaterThan(0)
  expect(await store.reviews.find(item.id)).toMatchObject({ status: 'waiting', claimedBy: 'ann' })
  expect(await superseded(1_000)).toBe(1)
  expect(await store.reviews.find(item.id)).toMatchObject({ status: 'retracted' })
})

test('review items of questions that a server was asked stay', async () => {
  const { store, second } = await decidedTwice()
  const decisions: typeof store.decisions = {
    ...store.decisions,
    ofQuestions: async (of) =>
      (await store.decisions.ofQuestions(of)).map((stored) => ({
        ...stored,
        decision: JSON.stringify({ ...JSON.parse(stored.decision), caller: { name: 'billing' } }),
      })),
  }
  const { reviews } = store
  expect(await supersedeReviews({ reviews, decisions }, { runId: second.runId, questionIds: IDS, now: 0 })).toBe(0)
})
