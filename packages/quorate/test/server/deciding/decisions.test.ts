import { describe, expect, test } from 'vitest'
import { ModelError } from '../../../src/model/model-error.ts'
import { isSampled } from '../../../src/run/intake.ts'
import type { DecisionEvent, Services } from '../../../src/server/services.ts'
import { all, countedModels, each, memoryStore, runWorld, samplePlan } from '../../run/run-world.ts'
import { SAMPLE_KEY } from '../../store/samples.ts'
import { verified } from './verified.ts'
import { ANN, calibrated, decided, FRESH, inputOf, LABELLED, serveWorld } from './world.ts'

const ASKED = { who: ANN, idempotencyKey: null }
const SOME = FRESH.slice(0, 12)

async function askAll(services: Services, questions = SOME) {
  const views = await Promise.all(questions.map((question) => services.decisions.ask(inputOf(question), ASKED)))
  return Promise.all(views.map(({ id }) => decided(services, id)))
}

describe('questions over HTTP', () => {
  test('are decided as the command line decides them, and their ledger verifies', async () => {
    const { certified } = await calibrated()
    const { services, store } = await serveWorld()
    const views = await askAll(services)
    const other = memoryStore()
    const run = await runWorld({ store: other, plan: samplePlan({ kind: 'decide' }), questions: SOME, certified })
    for (const view of views) {
      const own = await store.decisions.find(view.runId, view.questionId)
      const same = await other.decisions.find(run.runId, view.questionId)
      const { id: _, runId: __, at: ___, ...record } = JSON.parse(own?.decision ?? '')
      const { id: ____, runId: _____, at: ______, ...expected } = JSON.parse(same?.decision ?? '')
      expect(record).toEqual({ ...expected, caller: { name: ANN.name } })
      expect(view).toMatchObject({ status: 'decided', certificate: certified.id, decision: { kind: expected.kind } })
    }
    expect(new Set(views.map(({ decision }) => decision?.kind))).toEqual(new Set(['act', 'defer']))
    expect(await verified(store, views[0]?.runId ?? '')).toMatchObject({ kind: 'whole', decisions: SOME.length })
  })

  test('name who asked in the ledger, with the decision', async () => {
    const { services, store } = await serveWorld()
    const [view] = await askAll(services, SOME.slice(0, 1))
    const rows = await store.ledger.list(view?.runId ?? '', { after: 0, limit: 100 })
    const bodies = rows.map(({ line }) => JSON.parse(line)).filter(({ kind }) => kind === 'decision')
    expect(bodies.map(({ body }) => body.caller)).toEqual([{ name: ANN.name }])
    expect(await verified(store, view?.runId ?? '')).toMatchObject({ kind: 'whole' })
  })

  test('have an id at once, which is the decision they get', async () => {
    const { services, store } = await serveWorld()
    const [question] = SOME
    if (question === undefined) throw new Error('no question')
    const accepted = await services.decisions.ask(inputOf(question), ASKED)
    expect(accepted).toMatchObject({ questionId: question.id, decision: null })
    expect(await store.runs.findQuestion(accepted.runId, question.id)).toMatchObject({ questionId: question.id })
    await decided(services, accepted.id)
    expect(await store.decisions.findById(accepted.id)).toMatchObject({ questionId: question.id })
  })

  test('asked twice are debated once; another question under the same id is refused by the field that differs', async () => {
    const { models, asked } = countedModels()
    const { services } = await serveWorld({ models })
    const [question, another] = SOME
    if (question === undefined || another === undefined) throw new Error('no question')
    const both = await Promise.all([1, 2].map(() => services.decisions.ask(inputOf(question), ASKED)))
    const first = await decided(services, both[0]?.id ?? '')
    const calls = asked.length
    expect(await services.decisions.ask(inputOf(question), ASKED)).toEqual(first)
    expect(both.map(({ id }) => id)).toEqual([first.id, first.id])
    expect(asked.length).toBe(calls)
    const changed = { ...inputOf(question), question: 'Something else?' }
    await expect(services.decisions.ask(changed, ASKED)).rejects.toMatchObject({
      parts: { status: 409, errors: [{ field: 'question' }] },
    })
    const keyed = { who: ANN, idempotencyKey: 'key-1' }
    const { id: _, ...anonymous } = inputOf(another)
    const withKey = await services.decisions.ask(anonymous, keyed)
    expect((await services.decisions.ask(anonymous, keyed)).id).toBe(withKey.id)
    await expect(services.decisions.ask({ ...anonymous, group: 'other' }, keyed)).rejects.toMatchObject({
      parts: { status: 409, errors: [{ field: 'group' }] },
    })
    await decided(services, withKey.id)
  })

  test('with other fields under the same id are refused, and with the same fields in any order they are not', async () => {
    const { services } = await serveWorld()
    const [ruled, plain] = SOME.map(inputOf)
    if (ruled === undefined || plain === undefined) throw new Error('no question')
    const keyed = { who: ANN, idempotencyKey: 'key-of-fields' }
    const conflict = {
      parts: { status: 409, errors: [{ field: 'fields', expected: 'the same as before under this id' }] },
    }
    const { id } = await services.decisions.ask({ ...ruled, fields: { amount: 12, country: 'CH' } }, keyed)
    for (const asked of [keyed, ASKED]) {
      const same = { ...ruled, fields: { country: 'CH', amount: 12 } }
      expect((await services.decisions.ask(same, asked)).id).toBe(id)
      const others = [{ amount: 13, country: 'CH' }, { amount: '12', country: 'CH' }, { amount: 12 }, {}, undefined]
      for (const fields of others) {
        await expect(services.decisions.ask({ ...ruled, fields }, asked)).rejects.toMatchObject(conflict)
      }
    }
    await decided(services, id)
    expect((await services.decisions.ask({ ...ruled, fields: { country: 'CH', amount: 12 } }, keyed)).id).toBe(id)
    const bare = await services.decisions.ask(plain, ASKED)
    expect((await services.decisions.ask({ ...plain, fields: {} }, ASKED)).id).toBe(bare.id)
    await expect(services.decisions.ask({ ...plain, fields: { amount: null } }, ASKED)).rejects.toMatchObject(conflict)
    await decided(services, bare.id)
  })

  test('under the id of a question whose text was erased are refused, because nothing is left to compare with', async () => {
    const store = memoryStore()
    const { services } = await serveWorld({ store })
    const views = await askAll(services)
    const acted = views.find(({ decision }) => decision?.kind === 'act')
    const question = SOME.find(({ id }) => id === acted?.questionId)
    if (acted === undefined || question === undefined) throw new Error('no question was acted on')
    await store.redact(question.id)
    const same = inputOf(question)
    for (const input of [{ ...same, question: 'Something else?' }, { ...same, fields: { amount: 5000 } }, same]) {
      await expect(services.decisions.ask(input, ASKED)).rejects.toMatchObject({
        parts: { status: 409, detail: 'The question was asked before, and its text was erased.' },
      })
    }
    expect(await services.decisions.find(acted.id, { waitMs: 0, signal: AbortSignal.timeout(1) })).toMatchObject({
      decision: { kind: 'act' },
    })
  })

  test("an idempotency key is its caller's own, and a request that was refused leaves nothing under it", async () => {
    const store = memoryStore()
    const first = await serveWorld({ store })
    const [question, another, third] = SOME.map(inputOf)
    if (question === undefined || another === undefined || third === undefined) throw new Error('no question')
    const { id: _, ...anonymous } = question
    const bot = { who: { ...ANN, name: 'bot' }, idempotencyKey: 'order-1' }
    const other = { who: { ...ANN, name: 'another bot' }, idempotencyKey: 'order-1' }
    const [one, two] = [
      await first.services.decisions.ask(anonymous, bot),
      await first.services.decisions.ask(anonymous, other),
    ]
    expect(one.id === two.id || one.questionId === two.questionId).toBe(false)
    const bad = { ...another, options: ['A', 'A'] }
    const retried = { ...bot, idempotencyKey: 'order-2' }
    await expect(first.services.decisions.ask({ ...bad, id: 'z-9' }, retried)).rejects.toThrow()
    expect(await first.services.decisions.ask(another, retried)).toMatchObject({ questionId: another.id })
    const racing = [third, { ...third, id: 'z-10' }].map((input) =>
      first.services.decisions.ask(input, { ...bot, idempotencyKey: 'order-3' }),
    )
    expect((await Promise.allSettled(racing)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    await first.services.stop()
    const { services } = await serveWorld({ store })
    expect((await services.decisions.ask(anonymous, bot)).id).toBe(one.id)
    const { id: __, ...unnamed } = another
    expect(await services.decisions.ask(unnamed, retried)).toMatchObject({ questionId: another.id })
    await expect(services.decisions.ask({ ...another, id: 'z-11' }, retried)).rejects.toMatchObject({
      parts: { status: 409, errors: [{ field: 'id' }] },
    })
  })

  test('that the certificate was calibrated on are refused, unless allowed, which is recorded', async () => {
    const [seen] = LABELLED
    if (seen === undefined) throw new Error('no question')
    const { services } = await serveWorld()
    await expect(services.decisions.ask(inputOf(seen), ASKED)).rejects.toMatchObject({ parts: { status: 409 } })
    const renamed = { ...inputOf(seen), id: 'another name' }
    await expect(services.decisions.ask(renamed, ASKED)).rejects.toMatchObject({ parts: { status: 409 } })
    const allowing = await serveWorld({ tools: { allowSeen: true } })
    const view = await allowing.services.decisions.ask(inputOf(seen), ASKED)
    await decided(allowing.services, view.id)
    const stored = await allowing.store.decisions.findById(view.id)
    expect(JSON.parse(stored?.decision ?? '')).toMatchObject({ isSeen: true })
  })

  test('stream their rounds as they happen, and again to later callers', async () => {
    const { services } = await serveWorld()
    const signal = new AbortController().signal
    for (const question of SOME.slice(0, 4)) {
      const { id } = await services.decisions.ask(inputOf(question), ASKED)
      const live = await all((await services.decisions.events(id, signal)) ?? each([]))
      const past = await all((await services.decisions.events(id, signal)) ?? each([]))
      expect(live).toEqual(past)
      const last: DecisionEvent | undefined = live.at(-1)
      const rounds = live.slice(0, -1)
      expect(last).toMatchObject({ event: 'decided', data: { id, status: 'decided' } })
      expect(rounds.map(({ data }) => 'round' in data && data.round)).toEqual(rounds.map((_, index) => index + 1))
      expect(rounds.at(-1)?.data).toMatchObject({ verdict: last?.event === 'decided' ? last.data.decision : null })
    }
    expect(await services.decisions.events('nothing', signal)).toBeNull()
  })

  test('waiting ends when the caller disconnects', async () => {
    const never = new Promise<void>(() => {})
    const { models } = countedModels(() => never)
    const { services } = await serveWorld({ models })
    const [question] = SOME
    if (question === undefined) throw new Error('no question')
    const { id } = await services.decisions.ask(inputOf(question), ASKED)
    const gone = new AbortController()
    const waiting = services.decisions.find(id, { waitMs: 60_000, signal: gone.signal })
    gone.abort()
    expect(await waiting).toMatchObject({ id, decision: null })
  })
})

describe('what can go wrong', () => {
  test('after a crash every accepted question is decided, and no answered call is asked again', async () => {
    const store = memoryStore()
    let calls = 0
    const slow = countedModels(async () => {
      calls += 1
      if (calls > 30) await new Promise<void>(() => {})
    })
    const before = await serveWorld({ store, models: slow.models })
    const accepted = await Promise.all(SOME.map((question) => before.services.decisions.ask(inputOf(question), ASKED)))
    while (slow.asked.length <= 30) await new Promise((next) => setImmediate(next))
    before.kill()
    const again = countedModels()
    const after = await serveWorld({ store, models: again.models })
    const views = await Promise.all(accepted.map(({ id }) => decided(after.services, id)))
    expect(views.map(({ status }) => status)).toEqual(SOME.map(() => 'decided'))
    const runId = views[0]?.runId ?? ''
    const stored = await store.calls.list(runId, { after: null, limit: 5000 })
    const answered = stored.filter(({ state }) => state === 'answered')
    const places = answered.map((call) => JSON.stringify([call.questionId, call.agent, call.round, call.isReminder]))
    expect(new Set(places).size).toBe(places.length)
    expect(await verified(store, runId)).toMatchObject({ kind: 'whole', decisions: SOME.length })
  })

  test('the spend cap defers with its own reason', async () => {
    const price = { inputMicroUsd: 1_000_000, outputMicroUsd: 1_000_000 }
    const prices = Object.fromEntries(['ada', 'bob', 'cleo'].map((name) => [`simulated/${name}`, price]))
    const limits = { ...samplePlan().limits, maxCostUsd: 0.000_001 }
    const { services, store } = await serveWorld({ plan: { prices, limits } })
    const views = await askAll(services, SOME.slice(0, 3))
    expect(views.map(({ decision }) => decision?.reason)).toEqual(['spend-cap', 'spend-cap', 'spend-cap'])
    expect(views.every(({ reviewId }) => reviewId !== null)).toBe(true)
    expect(await verified(store, views[0]?.runId ?? '')).toMatchObject({ kind: 'whole' })
  })

  test('an agent that fails is a deferral with that reason, never a judgement', async () => {
    const { models } = countedModels(async (agent) => {
      if (agent === 'cleo') throw new ModelError('request', 'no', { charged: 'no' })
    })
    const { services } = await serveWorld({ models })
    const views = await askAll(services, SOME.slice(0, 2))
    expect(views.map(({ decision }) => decision?.reason)).toEqual(['agent-failure', 'agent-failure'])
  })

  test('an internal error is reported, and the question stays pending in the store until the next process decides it', async () => {
    const store = memoryStore()
    const lame = { ...store, decisions: { ...store.decisions, settle: () => Promise.reject(new Error('no disk')) } }
    const first = await serveWorld({ store: lame })
    const [question] = SOME
    if (question === undefined) throw new Error('no question')
    const { id } = await first.services.decisions.ask(inputOf(question), ASKED)
    expect(await decided(first.services, id)).toMatchObject({ status: 'failed', decision: null })
    expect(first.reported).toMatchObject([{ cause: { message: 'no disk' } }])
    first.kill()
    const { services } = await serveWorld({ store })
    expect(await decided(services, id)).toMatchObject({ id, status: 'decided' })
  })
})

describe('a suspended policy', () => {
  test('defers everything and debates only spot checks; released, it acts again', async () => {
    const plan = { spotCheckRate: 0.3 }
    const { models, asked } = countedModels()
    const { services, store, announced } = await serveWorld({ plan, models })
    await services.policy.suspend('we look at something', ANN)
    const views = await askAll(services)
    expect(new Set(views.map(({ decision }) => decision?.reason))).toEqual(new Set(['suspended']))
    const coin = { runId: views[0]?.runId ?? '', key: SAMPLE_KEY, spotCheckRate: 0.3 }
    const sampled = SOME.filter(({ id }) => isSampled(id, coin))
    expect(sampled.length).toBeGreaterThan(0)
    for (const { runId, questionId, rounds } of views) {
      // The answer has only the rounds of the decision: later ones would reveal a spot check.
      expect(rounds).toBe(0)
      const debate = await store.debates.find(runId, questionId)
      expect(debate?.rounds).toBe(sampled.some(({ id }) => id === questionId) ? 4 : 0)
    }
    expect(asked.length).toBeGreaterThanOrEqual(sampled.length * 12)
    expect(announced.map(({ event }) => event)).toContain('policy.suspended')
    await services.policy.release('it was nothing', ANN)
    const later = await askAll(services, FRESH.slice(12, 30))
    expect(later.some(({ decision }) => decision?.kind === 'act')).toBe(true)
    expect(await verified(store, views[0]?.runId ?? '')).toMatchObject({ kind: 'whole' })
  })

  test('a question that is being debated at the suspension does not act', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const { models, asked } = countedModels(() => gate)
    const { services } = await serveWorld({ models })
    const accepted = await Promise.all(SOME.map((question) => services.decisions.ask(inputOf(question), ASKED)))
    while (asked.length === 0) await new Promise((next) => setImmediate(next))
    await services.policy.suspend('stop', ANN)
    release()
    const views = await Promise.all(accepted.map(({ id }) => decided(services, id)))
    expect(views.every(({ decision }) => decision?.kind === 'defer')).toBe(true)
  })
})
