import { describe, expect, test } from 'vitest'
import { ModelError } from '../../src/model/model-error.ts'
import type { RunPlan } from '../../src/run/run-plan.ts'
import { timerSleep } from '../../src/traffic/timer-sleep.ts'
import { resolveLimits } from '../../src/traffic/traffic-limits.ts'
import { newStore } from '../store/store-under-test.ts'
import { countedModels, runWorld, samplePlan, simulatedQuestions } from './run-world.ts'

/** A dollar per thousand tokens, so a call costs some cents. */
const DEAR = Object.fromEntries(
  ['ada', 'bob', 'cleo'].map((name) => [
    `simulated/${name}`,
    { inputMicroUsd: 1_000_000_000, outputMicroUsd: 1_000_000_000 },
  ]),
)

function capped(maxCostUsd: number): RunPlan {
  const plan = samplePlan({ prices: DEAR })
  return { ...plan, limits: { ...plan.limits, maxCostUsd } }
}

describe('a run of debates', () => {
  test('debates all rounds of every question and keeps debate, calls and status', async () => {
    const store = await newStore()
    const { models, asked } = countedModels()
    const result = await runWorld({ store, plan: samplePlan(), questions: simulatedQuestions(12), models })
    expect(result).toMatchObject({ halt: null, tally: { questions: 12, statuses: { done: 12, pending: 0 } } })
    const debates = await store.debates.list(result.runId, { after: null, limit: 100 })
    expect(debates.map(({ rounds, status }) => ({ rounds, status }))).toEqual(
      Array(12).fill({ rounds: 4, status: 'done' }),
    )
    expect(result.spend.calls.answered).toBe(asked.length)
    expect(await store.runs.find(result.runId)).toMatchObject({ status: 'done' })
  })

  test('asks nothing again when it is run once more: every answer comes from the cache', async () => {
    const store = await newStore()
    const [plan, questions] = [samplePlan(), simulatedQuestions(5)]
    const first = await runWorld({ store, plan, questions })
    const { models, asked } = countedModels()
    const second = await runWorld({ store, plan, questions, models })
    expect(asked).toEqual([])
    expect(second.spend.calls.answered).toBe(first.spend.calls.answered)
    expect(second.spend.committedMicroUsd).toBe(0)
  })

  test('is an agent failure if an agent stays down, and --retry-errors asks only what is missing', async () => {
    const store = await newStore()
    const [plan, questions] = [samplePlan(), simulatedQuestions(3)]
    const down = countedModels(async (agent) => {
      if (agent === 'bob') throw new ModelError('request', 'no', { charged: 'no' })
    })
    const first = await runWorld({ store, plan, questions, models: down.models })
    expect(first.tally.statuses).toMatchObject({ 'agent-failure': 3, done: 0 })
    const stored = await store.debates.list(first.runId, { after: null, limit: 9 })
    expect(stored.map(({ debate }) => JSON.parse(debate).failure)).toEqual(
      Array(3).fill({ agent: 'bob', round: 1, reason: 'no' }),
    )
    const up = countedModels()
    const again = { store, plan, questions, models: up.models, resume: { kind: 'latest' } } as const
    expect((await runWorld(again)).tally.statuses).toMatchObject({ 'agent-failure': 3 })
    expect(up.asked).toEqual([])
    const second = await runWorld({ ...again, retryErrors: true })
    expect(second).toMatchObject({ runId: first.runId, tally: { statuses: { done: 3, 'agent-failure': 0 } } })
    // Round 1 of the two others was answered before.
    expect(up.asked.filter(({ agent }) => agent === 'ada').length).toBe(9)
  })

  test('ends a debate as a time-out once its own time is over, while others continue', async () => {
    const store = await newStore()
    const plan = samplePlan()
    const [stuck, ...others] = simulatedQuestions(4)
    const text = stuck?.question ?? ''
    // The deadline of a debate passes once it is the only one left and has been asked. No clock is read.
    const deadlines = new Set<() => void>()
    let isAsked = false
    const passTheLast = () => {
      if (isAsked && deadlines.size === 1) for (const pass of deadlines) pass()
    }
    const { models } = countedModels()
    for (const [agent, { model, insist }] of models) {
      const call: typeof model.call = (request) => {
        if (!request.messages[0]?.content.includes(text)) return model.call(request)
        isAsked = true
        passTheLast()
        return new Promise(() => undefined)
      }
      models.set(agent, { model: { ...model, call }, insist })
    }
    const sleep: typeof timerSleep = (milliseconds, signal) => {
      if (milliseconds !== plan.limits.debateTimeoutMs) return timerSleep(milliseconds, signal)
      return new Promise((pass) => {
        deadlines.add(pass)
        signal?.addEventListener('abort', () => {
          deadlines.delete(pass)
          pass()
          passTheLast()
        })
      })
    }
    const questions = [...others, ...(stuck === undefined ? [] : [stuck])]
    const { tally } = await runWorld({ store, plan, questions, models, tools: { sleep } })
    expect(tally.statuses).toMatchObject({ 'time-out': 1, done: 3, pending: 0 })
  })
})

describe('the spend cap', () => {
  test('is never exceeded, and started debates pause until the run resumes with a larger cap', async () => {
    const store = await newStore()
    const questions = simulatedQuestions(10)
    const first = countedModels()
    const cap = 4
    const halted = await runWorld({ store, plan: capped(cap), questions, models: first.models })
    expect(halted.halt).toBe('spend-cap')
    const { committedMicroUsd, reservedMicroUsd } = halted.spend
    expect(committedMicroUsd + reservedMicroUsd).toBeLessThanOrEqual(cap * 1e6)
    expect(committedMicroUsd).toBeGreaterThan(0)
    expect(halted.tally.statuses.pending).toBeGreaterThan(0)
    const second = countedModels()
    const resumed = await runWorld({
      store,
      plan: capped(1e6),
      questions,
      models: second.models,
      resume: { kind: 'latest' },
    })
    expect(resumed).toMatchObject({ halt: null, runId: halted.runId, tally: { statuses: { done: 10 } } })
    const whole = countedModels()
    await runWorld({ store: await newStore(), plan: samplePlan(), questions, models: whole.models })
    expect(first.asked.length + second.asked.length).toBe(whole.asked.length)
  })

  test('is used until the next call might not fit, although estimates of calls in flight are far higher', async () => {
    const plan = capped(3)
    const result = await runWorld({ store: await newStore(), plan, questions: simulatedQuestions(10) })
    // An estimate counts bytes as tokens: about a dollar and a half.
    expect(result.spend.committedMicroUsd).toBeGreaterThan(1e6)
  })
})

describe('stopping', () => {
  test('lets calls in flight finish and commits them; resuming asks the rest', async () => {
    const store = await newStore()
    const [plan, questions] = [samplePlan(), simulatedQuestions(10)]
    const stop = new AbortController()
    const first = countedModels(async (_, call) => {
      if (call === 30) stop.abort()
    })
    const stopped = await runWorld({ store, plan, questions, models: first.models, tools: { stopping: stop.signal } })
    expect(stopped.halt).toBe('interrupted')
    expect(stopped.spend.calls).toMatchObject({ answered: first.asked.length, open: 0, lost: 0 })
    const second = countedModels()
    const done = await runWorld({ store, plan, questions, models: second.models, resume: { kind: 'latest' } })
    expect(done.tally.statuses.done).toBe(10)
    expect(done.spend.calls.answered).toBe(first.asked.length + second.asked.length)
  })

  test('aborting ends calls in flight as lost', async () => {
    const store = await newStore()
    const [stop, abort] = [new AbortController(), new AbortController()]
    const { models } = countedModels(async (_, call) => {
      if (call !== 5) return
      await new Promise(setImmediate)
      stop.abort()
      abort.abort()
      await new Promise(() => undefined)
    })
    const tools = { stopping: stop.signal, aborting: abort.signal }
    const result = await runWorld({ store, plan: samplePlan(), questions: simulatedQuestions(10), models, tools })
    expect(result.halt).toBe('interrupted')
    expect(result.spend.calls.lost).toBeGreaterThan(0)
    expect(result.spend.calls.open).toBe(0)
  })
})

describe('resuming is refused', () => {
  test.each([
    ['where no run has these questions', 4, 'sample', 'no debate run has these questions and this config'],
    ['where the config is another', 3, 'other', 'no debate run has these questions and this config'],
  ])('%s', async (_, count, hash, words) => {
    const store = await newStore()
    await runWorld({ store, plan: samplePlan(), questions: simulatedQuestions(3) })
    const again = { store, plan: samplePlan({ hash }), questions: simulatedQuestions(count) }
    await expect(runWorld({ ...again, resume: { kind: 'latest' } })).rejects.toThrow(words)
  })

  test('if the named run has another file of questions', async () => {
    const store = await newStore()
    const { runId } = await runWorld({ store, plan: samplePlan(), questions: simulatedQuestions(3) })
    const again = { store, plan: samplePlan(), questions: simulatedQuestions(4) }
    await expect(runWorld({ ...again, resume: { kind: 'id', id: runId } })).rejects.toThrow('another file of questions')
  })
})

test('calls of a process that was killed are lost, keep their reserve and are asked again', async () => {
  const store = await newStore()
  const questions = simulatedQuestions(4)
  const plan = { ...capped(1e6), limits: { ...capped(1e6).limits, traffic: resolveLimits({ concurrency: 4 }) } }
  const dead = new Promise<never>(() => undefined)
  let calls = 0
  const { models } = countedModels(async () => {
    // From here on no answer comes back.
    if (++calls > 12) await dead
  })
  // Its clock stops too: a deadline that passed later would still be written, perhaps into a closed store.
  const sleep: typeof timerSleep = (_, signal) =>
    new Promise((pass) => signal?.addEventListener('abort', () => pass(), { once: true }))
  void runWorld({ store, plan, questions, models, tools: { sleep } })
  while (calls < 16) await new Promise(setImmediate)
  const live = countedModels()
  const result = await runWorld({ store, plan, questions, models: live.models, resume: { kind: 'latest' } })
  expect(result.tally.statuses.done).toBe(4)
  expect(result.spend.calls.lost).toBeGreaterThanOrEqual(4)
  expect(result.spend.reservedMicroUsd).toBeGreaterThan(0)
  const answered = (await store.calls.list(result.runId, { after: null, limit: 1000 })).filter(
    ({ state }) => state === 'answered',
  )
  const places = answered.map((call) => [call.questionId, call.agent, call.round, call.isReminder].join(' '))
  expect(new Set(places).size).toBe(places.length)
})
