import { seededRandom } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { openRun } from '../../../src/run/open-run.ts'
import { createRunContext, type RunContext } from '../../../src/run/run-context.ts'
import { readDecisionId } from '../../../src/run/stored-question.ts'
import { barOf } from '../../../src/run/suspension.ts'
import { debateAndSettle } from '../../../src/run/work.ts'
import type { QuestionsElsewhere } from '../../../src/run/workers/served-questions.ts'
import type { DecisionEvent } from '../../../src/server/services.ts'
import type { RunQuestion, Store } from '../../../src/store/store.ts'
import { timeOrderedIds } from '../../../src/store/time-ordered-id.ts'
import { createTraffic } from '../../../src/traffic/create-traffic.ts'
import { timerSleep } from '../../../src/traffic/timer-sleep.ts'
import { all, countedModels, memoryStore, samplePlan } from '../../run/run-world.ts'
import { SAMPLE_KEY } from '../../store/samples.ts'
import { keptDrift, slowWalk } from './slow-walk.ts'
import { ANN, decided, FRESH, inputOf, serveWorld } from './world.ts'

const ASKED = { who: ANN, idempotencyKey: null }
const NEVER = new AbortController().signal
/** Shortens the waits between polls. */
const sleep = (ms: number, signal?: AbortSignal) => timerSleep(ms <= 2000 ? Math.min(ms, 5) : ms, signal)

/** A server whose questions wait until the test debates them, as a worker would. */
async function detachedWorld(store: Store = memoryStore()) {
  const elsewhere = workerOf(store)
  const plan = samplePlan({ kind: 'decide', spotCheckRate: 0 })
  const world = await serveWorld({ store, tools: { panel: { plan, elsewhere }, sleep } })
  const ask = async (at: number) => world.services.decisions.ask(inputOf(FRESH[at] ?? noQuestion()), ASKED)
  return { ...world, elsewhere, ask }
}

test('decisions of workers are announced like those of this process, and the monitors have the same state bit for bit', async () => {
  const { store, services, elsewhere, ask } = await detachedWorld()
  const accepted = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(ask))
  expect(new Set(accepted.map(({ status }) => status))).toEqual(new Set(['pending']))
  const waited = Promise.all(accepted.map(({ id }) => decided(services, id)))
  // In another order than they arrived.
  for (const { questionId } of accepted.toReversed()) await elsewhere.debate(questionId)
  const views = await waited
  for (const view of views) {
    expect(view.status).toBe('decided')
    expect(view).toEqual(await decided(services, view.id))
  }
  expect((await services.monitor()).automation.acted?.of).toBe(8)
  await services.stop()
  expect(await keptDrift(store)).toStrictEqual(await slowWalk(store))
})

test('an open stream gets every round in order and then the decision, and so does one that is opened later', async () => {
  const { services, elsewhere, ask } = await detachedWorld()
  const { id, questionId } = await ask(0)
  const live = all((await services.decisions.events(id, NEVER)) ?? noEvents())
  await elsewhere.debate(questionId)
  const events = await live
  const rounds = events.flatMap((event) => (event.event === 'round' ? [event.data.round] : []))
  expect(rounds).toEqual(rounds.map((_, at) => at + 1))
  expect(events.at(-1)).toMatchObject({ event: 'decided', data: { id, status: 'decided' } })
  expect(await all((await services.decisions.events(id, NEVER)) ?? noEvents())).toEqual(events)
})

test('a question has the status running while it is debated, and failed once it is given up', async () => {
  const { services, elsewhere, reported, ask } = await detachedWorld()
  const { id, questionId } = await ask(0)
  const status = async () => (await services.decisions.find(id, { waitMs: 0, signal: NEVER }))?.status
  elsewhere.begun.add(questionId)
  await expect.poll(status).toBe('running')
  await elsewhere.giveUp(questionId)
  expect((await decided(services, id)).status).toBe('failed')
  expect(reported).toMatchObject([{ words: expect.stringContaining(id) }])
})

test('a question that was given up has the status failed on the other servers of its run too, for those who ask it again', async () => {
  const first = await detachedWorld()
  const { id, questionId } = await first.ask(0)
  await first.elsewhere.giveUp(questionId)
  const second = await detachedWorld(first.store)
  expect(await second.ask(0)).toMatchObject({ id, questionId, status: 'failed', decision: null })
})

test('an outage of the store is logged once, and decisions of that time are announced when it is back', async () => {
  const { services, elsewhere, reported, ask } = await detachedWorld()
  const { id, questionId } = await ask(0)
  elsewhere.isAway = true
  await expect.poll(() => elsewhere.refused).toBeGreaterThan(3)
  await elsewhere.debate(questionId)
  elsewhere.isAway = false
  expect((await decided(services, id)).status).toBe('decided')
  expect(reported).toHaveLength(1)
})

test('questions that wait without a worker are logged once, and again the next time', async () => {
  const { elsewhere, reported, ask } = await detachedWorld()
  const announced = (count: string) => ({ words: expect.stringContaining(`${count}, and no worker`) })
  const looks = (more: number) => expect.poll(() => elsewhere.sought).toBeGreaterThanOrEqual(more)
  elsewhere.isGone = true
  const [one, two] = [await ask(0), await ask(1)]
  await looks(1)
  expect(reported).toMatchObject([announced('2 waiting questions')])
  // A worker that began both, finished one and died.
  for (const { questionId } of [one, two]) elsewhere.begun.add(questionId)
  await elsewhere.debate(one.questionId)
  await looks(2)
  expect(reported).toMatchObject([announced('2 waiting questions'), announced('1 waiting question')])
})

test('questions that wait for a busy worker are not logged', async () => {
  const { elsewhere, reported, ask } = await detachedWorld()
  await ask(0)
  await expect.poll(() => elsewhere.sought).toBeGreaterThanOrEqual(2)
  expect(reported).toEqual([])
})

test('a restarted server waits for pending questions and finds those that were decided in the meantime', async () => {
  const first = await detachedWorld()
  const [one, two] = [await first.ask(0), await first.ask(1)]
  first.kill()
  await first.elsewhere.debate(one.questionId)
  const second = await detachedWorld(first.store)
  expect(await decided(second.services, one.id)).toMatchObject({ status: 'decided', runId: one.runId })
  const waited = decided(second.services, two.id)
  await second.elsewhere.debate(two.questionId)
  expect(await waited).toMatchObject({ id: two.id, status: 'decided' })
  expect(await second.ask(1)).toEqual(await waited)
})

const now = () => 1_790_000_500_000
const random = seededRandom(3)
const newId = timeOrderedIds({ now, random })

interface FakeWorker extends QuestionsElsewhere {
  readonly begun: Set<string>
  isAway: boolean
  /** No worker is alive. */
  isGone: boolean
  /** How often the server checked for a worker. */
  sought: number
  refused: number
  debate(questionId: string): Promise<void>
  giveUp(questionId: string): Promise<void>
}

function workerOf(store: Store): FakeWorker {
  const plan = samplePlan({ kind: 'decide' })
  const { models } = countedModels()
  const traffic = createTraffic({ limits: plan.limits.traffic, now, random, sleep: timerSleep })
  const tools = {
    store,
    models,
    traffic,
    now,
    newId,
    newSalt: () => 'salt',
    newKey: () => SAMPLE_KEY,
    sleep: timerSleep,
  }
  let run: RunContext | null = null
  const rowOf = async (questionId: string): Promise<RunQuestion> =>
    (await store.runs.findQuestion(run?.opened.run.id ?? '', questionId)) ?? noQuestion()
  const worker: FakeWorker = {
    begun: new Set<string>(),
    isAway: false,
    isGone: false,
    sought: 0,
    refused: 0,
    async open(options) {
      const opened = await openRun(store, options)
      const { deciding } = options
      run = await createRunContext(plan, { ...tools, stopping: NEVER, aborting: NEVER }, { opened, deciding })
      return opened.run
    },
    add: (runId, question) => store.runs.addQuestion(runId, question),
    async progress({ pending, begun }) {
      if (worker.isAway) {
        worker.refused += 1
        throw new Error('nobody answers')
      }
      const rows = await Promise.all([...pending, ...begun].map(rowOf))
      return rows.filter(
        ({ status, questionId }) =>
          status !== 'pending' || (pending.includes(questionId) && worker.begun.has(questionId)),
      )
    },
    async hasWorkers() {
      worker.sought += 1
      return !worker.isGone
    },
    async debate(questionId) {
      const row = await rowOf(questionId)
      if (run === null) throw new Error('the run is not open')
      const bar = async () => barOf(await store.policy.currentSuspension())
      const decisionId = readDecisionId(row.question) ?? newId()
      const terms = { kind: 'served', decisionId, bar, messagesOf: () => [], allowSeen: false } as const
      await debateAndSettle({ run, row, terms })
    },
    async giveUp(questionId) {
      await store.runs.setQuestion((await rowOf(questionId)).runId, questionId, 'error')
    },
  }
  return worker
}

function noQuestion(): never {
  throw new Error('there is no such question')
}

async function* noEvents(): AsyncGenerator<DecisionEvent> {}
