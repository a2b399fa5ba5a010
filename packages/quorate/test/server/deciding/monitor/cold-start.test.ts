import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Debate, seededRandom } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import type { MonitorView } from '../../../../src/contract/monitor.ts'
import { pages } from '../../../../src/run/pages.ts'
import type { Services } from '../../../../src/server/services.ts'
import { openSqlite } from '../../../../src/store/sqlite/open-sqlite.ts'
import type { Store, StoredDecision } from '../../../../src/store/store.ts'
import { timerSleep } from '../../../../src/traffic/timer-sleep.ts'
import { nextOf } from '../../../review/review-fixture.ts'
import { memoryStore } from '../../../run/run-world.ts'
import { createRun, sampleDebate } from '../../../store/samples.ts'
import { ANN, calibrated, certifyInput, FRESH, inputOf, serveWorld } from '../world.ts'

/** Arrivals that a start waits for. */
const AT_START = 2000
const LATER = 300

/** A run of the command line whose last debates look like none of the calibration; no server has seen them. */
async function driftedStore(): Promise<Store> {
  const store = memoryStore()
  const { certified, debates } = await calibrated()
  const split = debates.find(({ rounds }) => new Set(rounds[0]?.map(({ answer }) => answer)).size > 1)
  await createRun(store, AT_START + LATER, { kind: 'decide', certificateId: certified.id })
  const rows = pages(
    (page) => store.monitor.arrived({ certificateId: certified.id, ...page }),
    0,
    ({ arrival }) => arrival,
  )
  for await (const { runId, questionId, arrival } of rows) {
    // Of a question that failed there is nothing to look at.
    if (arrival <= AT_START) await store.runs.setQuestion(runId, questionId, 'error')
    else await store.debates.save(sampleDebate(questionId, { debate: JSON.stringify({ ...split, id: questionId }) }))
  }
  return store
}

/** The store, whose later arrivals can be read only once `open` was called. */
function slowStore(store: Store) {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const arrived: Store['monitor']['arrived'] = async (page) => {
    if (page.after >= AT_START) await opened
    return store.monitor.arrived(page)
  }
  return { slow: { ...store, monitor: { ...store.monitor, arrived } }, open }
}

describe('a server that starts behind what has arrived', () => {
  test('acts on nothing before it has looked at all of it, and shows its figures meanwhile', async () => {
    const { slow, open } = slowStore(await driftedStore())
    const { debates } = await calibrated()
    const { services } = await serveWorld({ store: slow })
    const asked = debates
      .slice(0, 12)
      .map((debate, at) => services.certify(certifyInput(debate, 4, { id: `new ${at}` }), ANN))
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
    const store = await driftedStore()
    const { debates } = await calibrated()
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
    const asked = debates
      .slice(0, 12)
      .map((debate, at) => services.certify(certifyInput(debate, 4, { id: `new ${at}` }), ANN))
    for (let turn = 0; turn < 500; turn++) await nextTurn()
    isDown = false
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['defer']))
  })
})

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

/** The figures as slow and obvious code has them, from single rows. */
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

/** Decisions of a run by their kind, without those that are hidden, and how many those are: one question after the other. */
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
/** As if nothing had ever been kept of what was counted. */
const FORGET = 'delete from drift_states; delete from call_sums'

describe('over random histories with suspensions and releases', () => {
  test.each([1, 2, 3, 4])('a cold start shows what single rows come to, history %i', async (seed) => {
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
  })
})
