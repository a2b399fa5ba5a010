import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Debate, decide, seededRandom } from '@quorate/certificate'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sized } from '../../../../../../tools/lane.ts'
import type { MonitorView } from '../../../../src/contract/monitor.ts'
import { StoreError } from '../../../../src/record/store-error.ts'
import type { Certified } from '../../../../src/run/calibration/certified.ts'
import { pages } from '../../../../src/run/pages.ts'
import { certifiedDebate } from '../../../../src/server/deciding/certify-input.ts'
import type { Services } from '../../../../src/server/services.ts'
import { POLICY_CHAIN } from '../../../../src/store/decisions/policy-events.ts'
import { openSqlite } from '../../../../src/store/sqlite/open-sqlite.ts'
import type { Store, StoredDecision } from '../../../../src/store/store.ts'
import { timerSleep } from '../../../../src/traffic/timer-sleep.ts'
import { nextOf } from '../../../review/review-fixture.ts'
import { memoryStore, sharedCertified } from '../../../run/run-world.ts'
import { createRun, sampleDebate } from '../../../store/samples.ts'
import {
  ANN,
  calibrated,
  certifyInput,
  decided,
  FRESH,
  inputOf,
  LABELLED,
  serveWorld,
  type WorldOptions,
} from '../world.ts'

/** Arrivals that a start waits for. */
const AT_START = 2000
const LATER = 300

interface ArrivedOptions {
  readonly failed?: number
  readonly drifted?: number
  readonly certificateId?: string
}

/** A run that no server has seen. Its first questions failed, and its last debates resemble none of the calibration. */
async function arrivedStore({ failed = AT_START, drifted = LATER, ...options }: ArrivedOptions = {}): Promise<Store> {
  const store = memoryStore()
  const { certified, debates } = await calibrated()
  const { certificateId = certified.id } = options
  const split = debates.find(({ rounds }) => new Set(rounds[0]?.map(({ answer }) => answer)).size > 1)
  await createRun(store, failed + drifted, { kind: 'decide', certificateId })
  const rows = pages(
    (page) => store.monitor.arrived({ certificateId, ...page }),
    0,
    ({ arrival }) => arrival,
  )
  for await (const { runId, questionId, arrival } of rows) {
    // A failed question has no debate to assess.
    if (arrival <= failed) await store.runs.setQuestion(runId, questionId, 'error')
    else await store.debates.save(sampleDebate(questionId, { debate: JSON.stringify({ ...split, id: questionId }) }))
  }
  return store
}

/** Nothing in it requires a suspension. */
const ALL_FAILED = { failed: AT_START + LATER, drifted: 0 }

interface SlowOptions extends Pick<WorldOptions, 'tools'> {
  readonly from?: number
  readonly of?: string
}

/** A server that can read later arrivals of the store only once `open` was called. */
async function serveSlowly(store: Store, { from = AT_START, of, tools = {} }: SlowOptions = {}) {
  let open = () => {}
  let isAsked = false
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const arrived: Store['monitor']['arrived'] = async (page) => {
    if (page.after >= from && (of === undefined || of === page.certificateId)) {
      isAsked = true
      await opened
    }
    return store.monitor.arrived(page)
  }
  const world = await serveWorld({ store: { ...store, monitor: { ...store.monitor, arrived } }, tools })
  onTestFinished(() => open())
  return { ...world, open: () => open(), isAsked: () => isAsked }
}

describe('a server that starts behind what has arrived', () => {
  test('acts on nothing before it has assessed all of it, but already shows its figures', async () => {
    const { services, open } = await serveSlowly(await arrivedStore())
    const asked = (await inputsThat('act')).map((input) => services.certify(input, ANN))
    let answered = 0
    for (const one of asked) void one.then(() => answered++)
    for (let turn = 0; turn < 500; turn++) await nextTurn()
    expect((await services.monitor()).policy.state).toBe('live')
    expect(answered).toBe(0)
    open()
    const answers = await Promise.all(asked)
    expect((await services.monitor()).policy).toMatchObject({ state: 'suspended', cause: 'drift' })
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['defer']))
  })

  test('tries again if it could not be read, and until then acts on nothing', async () => {
    const store = await arrivedStore()
    let isDown = true
    const arrived: Store['monitor']['arrived'] = async (page) => {
      if (page.after >= AT_START && isDown) throw new Error('the store is away')
      return store.monitor.arrived(page)
    }
    const { services, reported } = await serveWorld({
      store: { ...store, monitor: { ...store.monitor, arrived } },
      tools: seconds,
    })
    await expect.poll(() => reported.length).toBeGreaterThan(1)
    const asked = (await inputsThat('act')).map((input) => services.certify(input, ANN))
    for (let turn = 0; turn < 500; turn++) await nextTurn()
    isDown = false
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['defer']))
  })

  test('answers at once if nothing acts, and otherwise asks for a retry after 20 s', async () => {
    const sleep = (ms: number, signal?: AbortSignal) => timerSleep(ms === 20_000 ? 10 : ms, signal)
    const { services, open } = await serveSlowly(await arrivedStore(ALL_FAILED), { tools: { sleep } })
    for (const input of await inputsThat('defer')) expect(await services.certify(input, ANN)).toMatchObject(DEFERRED)
    const [input] = await inputsThat('act')
    if (input === undefined) throw new Error('no debate acts')
    await expect(services.certify(input, ANN)).rejects.toMatchObject({
      parts: { status: 503, retryAfterSeconds: 10, detail: expect.stringContaining('still reading') },
    })
    open()
    await expect.poll(() => services.certify(input, ANN).catch(() => null)).toMatchObject({ kind: 'act', id: input.id })
  })

  test('that is stopped before refuses waiting requests, and the next server debates the questions that it accepted', async () => {
    const store = await arrivedStore(ALL_FAILED)
    const { open, ...first } = await serveSlowly(store)
    const [input] = await inputsThat('act')
    const [question] = FRESH
    if (input === undefined || question === undefined) throw new Error('nothing to ask')
    const { id, runId } = await first.services.decisions.ask(inputOf(question), { who: ANN, idempotencyKey: null })
    const refused = expect(first.services.certify(input, ANN)).rejects.toMatchObject({ parts: { status: 503 } })
    for (let turn = 0; turn < 500; turn++) await nextTurn()
    let isStopped = false
    const stopped = first.services.stop().then(() => {
      isStopped = true
    })
    await refused
    for (let turn = 0; turn < 500; turn++) await nextTurn()
    // The store is still being read, so it must not be closed.
    expect(isStopped).toBe(false)
    open()
    await stopped
    expect(await store.decisions.find(runId, question.id)).toBeNull()
    expect(await store.runs.counts(runId)).toMatchObject({ pending: 1 })
    const { services } = await serveWorld({ store })
    const { decision } = await decided(services, id)
    expect(decision).toMatchObject({ kind: expect.stringMatching(/act|defer/) })
    expect(decision?.reason ?? null).not.toBe('suspended')
  })

  test('that is killed before does not start over', async () => {
    const store = await arrivedStore({ failed: 2 * AT_START + LATER, drifted: 0 })
    const { kill, isAsked } = await serveSlowly(store, { from: 2 * AT_START })
    await expect.poll(isAsked).toBe(true)
    kill()
    const { certified } = await calibrated()
    expect(await store.monitor.findDrift(certified.id)).toMatchObject({ arrival: 2 * AT_START })
  })
})

test('after another process activated a certificate, nothing acts before its arrivals are assessed', async () => {
  const other = await sharedCertified(LABELLED, { budget: { beta: 0.25, delta: 0.03, epsilon: 0.02 } })
  const store = await arrivedStore({ failed: 0, certificateId: other.id })
  const { services, open, isAsked } = await serveSlowly(store, { from: 0, of: other.id, tools: seconds })
  await activateElsewhere(store, other)
  await expect.poll(isAsked).toBe(true)
  const asked = (await inputsThat('act', other)).map((input) => services.certify(input, ANN))
  let answered = 0
  for (const one of asked) void one.then(() => answered++)
  for (let turn = 0; turn < 500; turn++) await nextTurn()
  expect(answered).toBe(0)
  open()
  const answers = await Promise.all(asked)
  expect(new Set(answers.map(({ kind, certificate }) => `${kind} ${certificate}`))).toEqual(
    new Set([`defer ${other.id}`]),
  )
  expect((await services.monitor()).policy).toMatchObject({ state: 'suspended', cause: 'drift' })
})

test('so it is if a request is the first to learn of the activation', async () => {
  const other = await sharedCertified(LABELLED, { budget: { beta: 0.25, delta: 0.03, epsilon: 0.02 } })
  const store = await arrivedStore({ failed: 0, certificateId: other.id })
  // The next poll is still to come.
  const sleep = (ms: number, signal?: AbortSignal) => timerSleep(ms === 5000 ? 600_000 : ms, signal)
  const { services, open } = await serveSlowly(store, { from: 0, of: other.id, tools: { sleep } })
  await activateElsewhere(store, other)
  const [input] = await inputsThat('act', other)
  if (input === undefined) throw new Error('no debate acts')
  let isAnswered = false
  const asked = services.certify({ ...input, certificate: other.id }, ANN).finally(() => {
    isAnswered = true
  })
  for (let turn = 0; turn < 500; turn++) await nextTurn()
  expect(isAnswered).toBe(false)
  open()
  expect(await asked).toMatchObject({ kind: 'defer', certificate: other.id })
  expect((await services.monitor()).policy).toMatchObject({ state: 'suspended', cause: 'drift' })
})

describe('if the monitor cannot begin with a certificate that another process activated', () => {
  async function serveBroken() {
    const other = await sharedCertified(LABELLED, { budget: { beta: 0.25, delta: 0.03, epsilon: 0.02 } })
    const store = await arrivedStore({ failed: 0, certificateId: other.id })
    const database = { isDown: true }
    const findDrift: Store['monitor']['findDrift'] = async (id) => {
      if (id === other.id && database.isDown) throw new Error('the store is away')
      return store.monitor.findDrift(id)
    }
    const monitor = { ...store.monitor, findDrift }
    const world = await serveWorld({ store: { ...store, monitor }, tools: seconds })
    await activateElsewhere(store, other)
    await expect.poll(() => world.reported.length).toBeGreaterThan(1)
    return { ...world, other, database }
  }

  test('nothing acts until it has begun and assessed the arrivals', async () => {
    const { services, other, database } = await serveBroken()
    const asked = (await inputsThat('act', other)).map((input) => services.certify(input, ANN))
    let answered = 0
    for (const one of asked) void one.then(() => answered++)
    for (let turn = 0; turn < 500; turn++) await nextTurn()
    expect(answered).toBe(0)
    database.isDown = false
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ kind, certificate }) => `${kind} ${certificate}`))).toEqual(
      new Set([`defer ${other.id}`]),
    )
    expect((await services.monitor()).policy).toMatchObject({ state: 'suspended', cause: 'drift' })
  })

  test('the server can still be stopped, and refuses the requests that wait', async () => {
    const { services, other, store } = await serveBroken()
    const [input] = await inputsThat('act', other)
    if (input === undefined) throw new Error('no debate acts')
    const refused = expect(services.certify(input, ANN)).rejects.toMatchObject({ parts: { status: 503 } })
    for (let turn = 0; turn < 500; turn++) await nextTurn()
    await services.stop()
    await refused
    expect(await allDecisions(store)).toEqual([])
  })
})

test.each([
  ['restart', 'drift'],
  ['find the other certificates', 'certificates'],
])('after a release at which the monitor cannot %s, nothing acts until it has', async (_, part) => {
  const store = memoryStore()
  let isDown = false
  const findDrift: Store['monitor']['findDrift'] = async (id) => {
    if (isDown && part === 'drift') throw new Error('the store is away')
    return store.monitor.findDrift(id)
  }
  const list: Store['certificates']['list'] = async (limit) => {
    if (isDown && part === 'certificates') throw new Error('the store is away')
    return store.certificates.list(limit)
  }
  // Polls and retries sleep for 5 s. They begin only once the store is back.
  const back = new AbortController()
  const sleep = (ms: number, signal: AbortSignal = back.signal) =>
    back.signal.aborted || ms !== 5000
      ? timerSleep(ms === 5000 ? 10 : ms, signal)
      : timerSleep(ms, AbortSignal.any([back.signal, signal]))
  const { services } = await serveWorld({
    store: { ...store, monitor: { ...store.monitor, findDrift }, certificates: { ...store.certificates, list } },
    tools: { sleep },
  })
  await services.policy.suspend('It stops.', ANN)
  isDown = true
  await expect(services.policy.release('It goes on.', ANN)).rejects.toThrow('the store is away')
  const asked = (await inputsThat('act')).map((input) => services.certify(input, ANN))
  let answered = 0
  for (const one of asked) void one.then(() => answered++)
  for (let turn = 0; turn < 500; turn++) await nextTurn()
  expect(answered).toBe(0)
  isDown = false
  back.abort()
  expect(new Set((await Promise.all(asked)).map(({ kind }) => kind))).toEqual(new Set(['act']))
})

test('sums of calls that cannot be stored are reported, and the monitor reads the store before and after', async () => {
  const store = memoryStore()
  const steps: string[] = []
  const keepSums = async () => {
    steps.push('keep')
    throw new StoreError('busy', 'store: another process writes')
  }
  const arrived: Store['monitor']['arrived'] = (page) => {
    if (steps.at(-1) !== 'read') steps.push('read')
    return store.monitor.arrived(page)
  }
  const { calls, monitor } = store
  const busy = { ...store, calls: { ...calls, keepSums }, monitor: { ...monitor, arrived } }
  const { reported } = await serveWorld({ store: busy, tools: seconds })
  await expect.poll(() => steps).toEqual(['read', 'keep', 'read'])
  expect(reported).toMatchObject([{ words: 'the sums of calls could not be stored' }])
})

/** Another process activates the certificate. */
async function activateElsewhere(store: Store, { id, file }: Certified): Promise<void> {
  await store.certificates.save({ id, file, at: 1, runId: null })
  const change = { kind: 'activate', cause: null, certificateId: id, by: 'bob', note: null } as const
  const entry = { runId: POLICY_CHAIN, kind: 'activate', at: 1, body: {}, texts: [] } as const
  await store.policy.append({ event: { id: 'elsewhere', at: 1, ...change }, entry, messages: [] })
}

const DEFERRED = { kind: 'defer', reason: expect.not.stringMatching('suspended') }

/** Whole debates with this decision, as `POST /v1/certify` would receive them. */
async function inputsThat(kind: 'act' | 'defer', by?: Certified) {
  const { certified, debates } = await calibrated()
  const { certificate } = by ?? certified
  return debates
    .map((debate, at) => certifyInput(debate, 4, { id: `new ${at}` }))
    .filter((input) => decide(certificate, certifiedDebate(input)).kind === kind)
    .slice(0, 12)
}

const seconds = { sleep: (ms: number, signal?: AbortSignal) => timerSleep(ms === 5000 ? 10 : ms, signal) }

/** Decisions of every run, one by one. */
async function allDecisions(store: Store): Promise<readonly StoredDecision[]> {
  const found: StoredDecision[] = []
  for (const run of await store.runs.list(100)) {
    const decisions = pages(
      (page) => store.decisions.list(run.id, page),
      null as string | null,
      ({ id }) => id,
    )
    for await (const decision of decisions) found.push(decision)
  }
  return found
}

/** The figures computed by slow and obvious code from single rows. */
async function slowFigures(store: Store): Promise<Pick<MonitorView['automation'], 'deferred'> & { acted: number[] }> {
  const { id } = (await calibrated()).certified
  const decisions = (await allDecisions(store)).filter(
    ({ certificateId, isShadow }) => certificateId === id && !isShadow,
  )
  const deferred: Record<string, number> = {}
  for (const { kind, reason } of decisions)
    if (kind === 'defer') deferred[reason ?? ''] = (deferred[reason ?? ''] ?? 0) + 1
  return { acted: [decisions.filter(({ kind }) => kind === 'act').length, decisions.length], deferred }
}

/** The decisions of a run by kind without hidden ones, and the number of hidden ones, counted question by question. */
async function slowRun(store: Store, runId: string, now: number) {
  const counts = { runId, acted: 0, deferred: 0, hidden: 0 }
  for (const { kind, questionId, runId: of } of await allDecisions(store)) {
    if (of !== runId) continue
    const hidden = await store.reviews.hidden({ questionIds: [questionId], runId, now })
    if (hidden.size > 0) counts.hidden += 1
    else counts[kind === 'act' ? 'acted' : 'deferred'] += 1
  }
  return counts
}

async function step(services: Services, debates: readonly Debate[], at: number, random: () => number): Promise<void> {
  const chance = random()
  if (chance < 0.45) {
    const debate = debates[Math.floor(random() * debates.length)]
    if (debate !== undefined) await services.certify(certifyInput(debate, 1 + (at % 4), { id: `other ${at}` }), ANN)
  } else if (chance < 0.7) {
    const question = FRESH[at % FRESH.length]
    if (question === undefined) return
    const { id } = await services.decisions
      .ask(inputOf(question), { who: ANN, idempotencyKey: `key ${at % 20}` })
      .catch(() => ({ id: null }))
    if (id !== null) await services.decisions.find(id, { waitMs: 60_000, signal: new AbortController().signal })
  } else if (chance < 0.9) {
    const { item } = await nextOf(services.reviews, ANN)
    const option = item?.options[Math.floor(random() * item.options.length)]?.name
    if (item !== null && option !== undefined)
      await services.reviews.submit(item.id, ANN, { outcome: { kind: 'option', option } })
  } else {
    const { state } = (await services.monitor()).policy
    if (state === 'suspended') await services.policy.release('It goes on.', ANN)
    else await services.policy.suspend('It stops.', ANN)
  }
}

const LATER_THAN_ALL = 1_800_000_000_000
/** Deletes everything that was derived from the rows. */
const FORGET = 'delete from drift_states; delete from call_sums'

describe('over random histories with suspensions and releases', () => {
  test.each(sized({ short: [1, 2], full: [1, 2, 3, 4] }))(
    'a cold start shows the figures of single rows, history %i',
    async (seed) => {
      const database = new DatabaseSync(':memory:')
      const store = openSqlite(':memory:', { now: () => 0, connect: () => database })
      const { debates } = await calibrated()
      const random = seededRandom(seed)
      const options = { store, plan: { spotCheckRate: 0.3 }, tools: { undoMs: 0 } }
      const shownBy = async ({ monitor, runs }: Services) => {
        const { at: _, ...view } = await monitor()
        return { view, runs: (await runs.list({ limit: 10 }, { hidesBlind: true })).items }
      }
      let { services } = await serveWorld(options)
      for (let at = 0; at < 120; at++) {
        await step(services, debates, at, random)
        if (at % 30 !== 29) continue
        await services.stop()
        for (const { id } of await store.runs.list(10)) await store.calls.keepSums(id, 1)
        const quick = (await serveWorld(options)).services
        const cold = await shownBy(quick)
        await quick.stop()
        database.exec(FORGET)
        services = (await serveWorld(options)).services
        expect(await shownBy(services)).toEqual(cold)
        const ids = (await store.runs.list(10)).map(({ id }) => id)
        const fast = await store.runs.figures(ids, { now: LATER_THAN_ALL, undoMs: 0, hides: true })
        expect(fast).toMatchObject(await Promise.all(ids.map((id) => slowRun(store, id, LATER_THAN_ALL))))
        const slow = await slowFigures(store)
        expect(cold.view.automation.deferred).toEqual(slow.deferred)
        expect([cold.view.automation.acted?.count, cold.view.automation.acted?.of]).toEqual(slow.acted)
      }
      expect((await services.monitor()).periods.length).toBeGreaterThan(1)
      await services.stop()
      await store.close()
    },
  )
})
