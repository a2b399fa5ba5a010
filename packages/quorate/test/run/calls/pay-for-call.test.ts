import { seededRandom } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import type { AgentCall } from '../../../src/debate/ask.ts'
import { replayModel } from '../../../src/model/create-model.ts'
import { manualModel } from '../../../src/model/manual-model.ts'
import type { Model } from '../../../src/model/model.ts'
import { ModelError } from '../../../src/model/model-error.ts'
import { createNotices } from '../../../src/run/calls/notices.ts'
import { type CallContext, type PaidModel, payForCalls } from '../../../src/run/calls/pay-for-call.ts'
import { createSpendMeter } from '../../../src/run/spend-meter.ts'
import type { Store } from '../../../src/store/store.ts'
import { timeOrderedIds } from '../../../src/store/time-ordered-id.ts'
import { createTraffic } from '../../../src/traffic/create-traffic.ts'
import { onAbort } from '../../../src/traffic/on-abort.ts'
import { timerSleep } from '../../../src/traffic/timer-sleep.ts'
import type { Sleep } from '../../../src/traffic/traffic.ts'
import { type ScriptLine, scriptedModel } from '../../model/scripted-model.ts'
import { createRun, sampleId } from '../../store/samples.ts'
import { newStore } from '../../store/store-under-test.ts'

const CALL: AgentCall = {
  questionId: 'q0',
  agent: 'ann',
  round: 1,
  repeat: 0,
  isReminder: false,
  messages: [{ role: 'user', content: 'Which is larger?' }],
  settings: { temperature: 0.7, maxOutputTokens: 100, seed: 3, topLogprobs: null, schema: null },
}
const USAGE = { inputTokens: 10, outputTokens: 20 }
/** A dollar per million tokens, for input and output. */
const PRICES = { 'scripted/ann': { inputMicroUsd: 1_000_000, outputMicroUsd: 1_000_000 } }
/** Counts over all contexts, because ids must be unique. */
let time = 0
const NEVER = new AbortController().signal

async function storeWithRuns(): Promise<Store> {
  const store = await newStore()
  await createRun(store)
  await createRun(store, 3, { id: sampleId(2) })
  return store
}

async function contextOf(store: Store, model: Model, change: Partial<CallContext & { cap: number } & PaidModel> = {}) {
  const { cap = null, insist = false, ...rest } = change
  const runId = change.runId ?? sampleId(1)
  const limits = { attempts: 3, backOff: { firstMs: 1, mostMs: 1 } }
  const now = () => ++time
  const random = seededRandom(1)
  const context: CallContext = {
    runId,
    fence: 'ours',
    calls: store.calls,
    prices: PRICES,
    now,
    stopping: NEVER,
    notices: createNotices(),
    meter: createSpendMeter({ before: await store.calls.spend(runId), capMicroUsd: cap }),
    traffic: createTraffic({ limits, now: () => performance.now(), random, sleep: timerSleep }),
    models: new Map([['ann', { model, insist }]]),
    newId: timeOrderedIds({ now, random: Math.random }),
    ...rest,
  }
  return context
}

function model(...lines: readonly ScriptLine[]) {
  return scriptedModel('ann', lines)
}

async function callsOf(store: Store, runId = sampleId(1)) {
  return store.calls.list(runId, { after: null, limit: 100 })
}

describe('an answer that is paid for', () => {
  test('has its intent committed before the request and its reply before it is returned', async () => {
    const store = await storeWithRuns()
    const seen: unknown[] = []
    const inner = model({ text: 'A', usage: USAGE })
    const spy: Model = {
      ...inner,
      async call(request) {
        seen.push((await callsOf(store)).map(({ state, reservedMicroUsd }) => ({ state, reservedMicroUsd })))
        return inner.call(request)
      },
    }
    const answer = await payForCalls(await contextOf(store, spy), NEVER)(CALL)
    expect(answer).toMatchObject({ kind: 'reply', reply: { text: 'A' } })
    expect(seen).toEqual([[{ state: 'open', reservedMicroUsd: 100 + 16 + 64 + 16 }]])
    expect(await callsOf(store)).toMatchObject([{ state: 'answered', costMicroUsd: 30, ...USAGE, attempt: 1 }])
  })

  test('is not asked again in its run, by whatever process', async () => {
    const store = await storeWithRuns()
    const asked = model('A')
    await payForCalls(await contextOf(store, asked), NEVER)(CALL)
    const again = await payForCalls(await contextOf(store, asked, { fence: 'later' }), NEVER)(CALL)
    expect(again).toMatchObject({ kind: 'reply', reply: { text: 'A' } })
    expect(asked.requests).toHaveLength(1)
    expect(await callsOf(store)).toHaveLength(1)
  })

  test('answers the same call of another run for free, and records where it came from', async () => {
    const store = await storeWithRuns()
    const asked = model({ text: 'A', usage: USAGE })
    await payForCalls(await contextOf(store, asked), NEVER)(CALL)
    const context = await contextOf(store, asked, { runId: sampleId(2) })
    expect(await payForCalls(context, NEVER)({ ...CALL, questionId: 'q1' })).toMatchObject({ reply: { text: 'A' } })
    expect(asked.requests).toHaveLength(1)
    const [paid] = await callsOf(store)
    const [copy] = await callsOf(store, sampleId(2))
    expect(copy).toMatchObject({ state: 'answered', costMicroUsd: 0, inputTokens: null })
    expect(JSON.parse(copy?.reply ?? '')).toMatchObject({ text: 'A', cachedFrom: paid?.id })
    expect(context.meter.spent()).toMatchObject({ answered: 1, cached: 1, committedMicroUsd: 0 })
  })

  test.each([
    ['agent', { agent: 'bob' }],
    ['round', { round: 2 }],
    ['repeat', { repeat: 1 }],
    ['settings', { settings: { ...CALL.settings, seed: 4 } }],
    ['messages', { messages: [{ role: 'user' as const, content: 'And now?' }] }],
  ])('is not shared with a call that differs in its %s', async (_, change) => {
    const store = await storeWithRuns()
    const asked = model('A', 'B')
    const models = new Map(['ann', 'bob'].map((name) => [name, { model: asked, insist: false }]))
    await payForCalls(await contextOf(store, asked, { models }), NEVER)(CALL)
    const context = await contextOf(store, asked, { runId: sampleId(2), models })
    expect(await payForCalls(context, NEVER)({ ...CALL, ...change })).toMatchObject({ reply: { text: 'B' } })
  })

  test('is shared unless it is a refusal', async () => {
    const store = await storeWithRuns()
    const asked = model({ text: '', finish: 'refusal' }, 'B')
    await payForCalls(await contextOf(store, asked), NEVER)(CALL)
    const context = await contextOf(store, asked, { runId: sampleId(2) })
    expect(await payForCalls(context, NEVER)(CALL)).toMatchObject({ reply: { text: 'B' } })
  })
})

describe('attempts that fail', () => {
  test('are refused and free if the provider rejected them, and lost with their reserve if that is unknown', async () => {
    const store = await storeWithRuns()
    const asked = model(
      new ModelError('server', 'five hundred', { charged: 'no' }),
      new ModelError('network', 'cut off', { charged: 'unknown' }),
      { text: 'A', usage: USAGE },
    )
    const context = await contextOf(store, asked)
    expect(await payForCalls(context, NEVER)(CALL)).toMatchObject({ kind: 'reply' })
    expect((await callsOf(store)).map(({ state, attempt, error }) => ({ state, attempt, error }))).toEqual([
      { state: 'refused', attempt: 1, error: 'five hundred' },
      { state: 'lost', attempt: 2, error: 'cut off' },
      { state: 'answered', attempt: 3, error: null },
    ])
    const { committedMicroUsd, reservedMicroUsd } = await store.calls.spend(sampleId(1))
    expect({ committedMicroUsd, reservedMicroUsd }).toEqual({ committedMicroUsd: 30, reservedMicroUsd: 196 })
    expect(context.meter.spent()).toMatchObject({ committedMicroUsd, reservedMicroUsd })
  })

  test('leave an agent down, and a later process continues their count', async () => {
    const store = await storeWithRuns()
    const error = new ModelError('server', 'five hundred', { charged: 'no' })
    const asked = model(error, error, error, 'A')
    expect(await payForCalls(await contextOf(store, asked), NEVER)(CALL)).toMatchObject({ kind: 'down' })
    await payForCalls(await contextOf(store, asked, { fence: 'later' }), NEVER)(CALL)
    expect((await callsOf(store)).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4])
  })
})

describe('nothing is sent', () => {
  test('beyond the cap, where reserves of lost calls count too', async () => {
    const store = await storeWithRuns()
    const asked = model(new ModelError('network', 'cut off', { charged: 'unknown' }), 'A')
    const answer = await payForCalls(await contextOf(store, asked, { cap: 300 }), NEVER)(CALL)
    expect(answer).toEqual({ kind: 'halted', reason: 'spend-cap' })
    expect(asked.requests).toHaveLength(1)
    expect(await callsOf(store)).toHaveLength(1)
  })

  test('once the run is stopping', async () => {
    const store = await storeWithRuns()
    const asked = model('A')
    const answer = await payForCalls(await contextOf(store, asked, { stopping: AbortSignal.abort() }), NEVER)(CALL)
    expect(answer).toEqual({ kind: 'halted', reason: 'interrupted' })
    expect(await callsOf(store)).toEqual([])
  })
})

test('a process that was replaced ends at its first answer, and the call stays reserved as lost', async () => {
  const store = await storeWithRuns()
  const inner = model('A')
  const slow: Model = {
    ...inner,
    async call(request) {
      await store.calls.takeOver(sampleId(1), 'theirs', 5)
      return inner.call(request)
    },
  }
  const context = await contextOf(store, slow)
  await expect(payForCalls(context, NEVER)(CALL)).rejects.toThrow('was taken over by another process')
  expect(await callsOf(store)).toMatchObject([{ state: 'lost', reservedMicroUsd: 196 }])
  expect(context.meter.spent()).toMatchObject({ open: 0, reservedMicroUsd: 196 })
})

test('a config that insists accepts no answer under other settings, and does not pay for it twice', async () => {
  const store = await storeWithRuns()
  const asked = model({ text: 'A', warnings: ['seed: dropped'] })
  const context = await contextOf(store, asked, { insist: true })
  for (let ask = 0; ask < 2; ask++) {
    expect(await payForCalls(context, NEVER)(CALL)).toMatchObject({
      kind: 'down',
      reason: expect.stringContaining('seed: dropped'),
    })
  }
  expect(asked.requests).toHaveLength(1)
})

describe('a setting that was dropped', () => {
  const SEED = 'seed: not supported by this model, dropped'

  test('is stored with the answered call and its cost even if the config insists, and the error says what to do', async () => {
    const store = await storeWithRuns()
    const context = await contextOf(store, model({ text: 'A', usage: USAGE, warnings: [SEED] }), { insist: ['seed'] })
    const answer = await payForCalls(context, NEVER)(CALL)
    expect(answer).toMatchObject({ kind: 'down', reason: expect.stringMatching(/insists.*seed.*Choose a model/) })
    const [call] = await callsOf(store)
    expect(call).toMatchObject({ state: 'answered', costMicroUsd: 30 })
    expect(JSON.parse(call?.reply ?? '')).toMatchObject({ warnings: [SEED] })
    expect(context.meter.spent()).toMatchObject({ committedMicroUsd: 30, reservedMicroUsd: 0 })
  })

  test('is no error if the config insists on other settings, and is reported once with its count', async () => {
    const store = await storeWithRuns()
    const asked = model({ text: 'A', warnings: [SEED] }, { text: 'B', warnings: [SEED] })
    const context = await contextOf(store, asked, { insist: ['temperature'] })
    const ask = payForCalls(context, NEVER)
    expect(await ask(CALL)).toMatchObject({ kind: 'reply' })
    expect(await ask({ ...CALL, round: 2 })).toMatchObject({ kind: 'reply' })
    expect(context.notices.all()).toEqual([{ text: `scripted/ann: ${SEED}`, count: 2 }])
  })
})

describe('a replay', () => {
  test('answers from the store for free, including refusals, and sends no request', async () => {
    const store = await storeWithRuns()
    const original = model('A', { text: '', finish: 'refusal' })
    const paid = payForCalls(await contextOf(store, original), NEVER)
    await paid(CALL)
    await paid({ ...CALL, round: 2 })
    const replay = replayModel('replay/scripted/ann', original)
    const context = await contextOf(store, replay, { runId: sampleId(2) })
    const ask = payForCalls(context, NEVER)
    expect(await ask(CALL)).toMatchObject({ kind: 'reply', reply: { text: 'A' } })
    expect(await ask({ ...CALL, round: 2 })).toMatchObject({ kind: 'reply', reply: { finish: 'refusal' } })
    expect(original.requests).toHaveLength(2)
    expect(context.meter.spent()).toMatchObject({ answered: 2, cached: 2, committedMicroUsd: 0 })
  })

  test('names the question, agent and round without a stored answer, and records no call', async () => {
    const store = await storeWithRuns()
    const ask = payForCalls(await contextOf(store, replayModel('replay/scripted/ann', model())), NEVER)
    const answer = await ask({ ...CALL, round: 3, repeat: 1 })
    const place = 'no answer is stored to question "q0", agent "ann", round 3, sample 2'
    expect(answer).toMatchObject({ kind: 'down', reason: expect.stringContaining(place) })
    expect(await callsOf(store)).toEqual([])
  })
})

test('a person may take longer than a provider', async () => {
  const store = await storeWithRuns()
  const slept: number[] = []
  const sleep: Sleep = async (milliseconds, signal) => {
    slept.push(milliseconds)
    if (signal !== undefined) await new Promise<void>((resolve) => onAbort(signal, resolve))
  }
  const traffic = createTraffic({ limits: { timeoutMs: 5 }, now: () => 0, random: seededRandom(1), sleep })
  const person = manualModel('eve', async () => 'A')
  expect(await payForCalls(await contextOf(store, person, { traffic }), NEVER)(CALL)).toMatchObject({ kind: 'reply' })
  expect(slept).not.toContain(5)
  expect(await payForCalls(await contextOf(store, model('A'), { traffic }), NEVER)(CALL)).toMatchObject({
    kind: 'reply',
  })
})

test('notices are kept up to a limit, and the rest is counted', () => {
  const notices = createNotices()
  for (let index = 0; index < 60; index++) notices.add(`error ${index}`)
  notices.add('error 3')
  expect(notices.all()).toHaveLength(51)
  expect(notices.all()[3]).toEqual({ text: 'error 3', count: 2 })
  expect(notices.all().at(-1)).toMatchObject({ count: 10 })
})
