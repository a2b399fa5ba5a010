import { describe, expect, test } from 'vitest'
import { monitorSchema } from '../../../../src/contract/monitor.ts'
import type { Certified } from '../../../../src/run/calibration/certified.ts'
import type { Services } from '../../../../src/server/services.ts'
import { POLICY_CHAIN } from '../../../../src/store/decisions/policy-events.ts'
import { timerSleep } from '../../../../src/traffic/timer-sleep.ts'
import { nextOf } from '../../../review/review-fixture.ts'
import { memoryStore, runWorld, samplePlan, sharedCertified, simulatedQuestions } from '../../../run/run-world.ts'
import { verifyChain } from '../../../store/verify-chain.ts'
import {
  ANN,
  calibrated,
  certifyInput,
  decided,
  FRESH,
  inputOf,
  LABELLED,
  type ServedWorld,
  serveWorld,
  type WorldOptions,
} from '../world.ts'

const ASKED = { who: ANN, idempotencyKey: null }

/** A person who answers every item with this option. */
async function reviewAll(services: Services, optionFor: (options: readonly string[]) => string) {
  for (;;) {
    const { item } = await nextOf(services.reviews, ANN)
    if (item === null) return
    const option = optionFor(item.options.map(({ name }) => name))
    await services.reviews.submit(item.id, ANN, { outcome: { kind: 'option', option } })
  }
}

describe('the monitor', () => {
  test('shows known figures, and null for unknown ones', async () => {
    const { services } = await serveWorld()
    const before = await services.monitor()
    expect(monitorSchema.parse(before)).toEqual(before)
    expect(before).toMatchObject({ policy: { state: 'live' }, automation: { acted: null }, rounds: { mean: null } })
    const views = []
    for (const question of FRESH.slice(0, 10)) {
      const { id } = await services.decisions.ask(inputOf(question), ASKED)
      views.push(await decided(services, id))
    }
    await new Promise((resolve) => setTimeout(resolve, 0))
    let after = await services.monitor()
    while (after.at === before.at || (after.automation.acted?.of ?? 0) < 10) after = await services.monitor()
    const acted = views.filter(({ decision }) => decision?.kind === 'act').length
    expect(after.automation.acted).toMatchObject({ count: acted, of: 10 })
    const deferred = Object.values(after.automation.deferred).reduce((sum, count) => sum + count, 0)
    expect(acted + deferred).toBe(10)
    expect(after.drift?.counted).toBe(10)
    expect(after.queue.waiting).toBe(deferred)
    expect(after.rounds).toMatchObject({ of: 4 })
    expect(monitorSchema.parse(after)).toEqual(after)
  })

  test('suspends the policy when spot checks contradict the budget, in the ledger and for webhooks, until a person releases it', async () => {
    const { services, store, announced } = await serveWorld({ plan: { spotCheckRate: 1 }, tools: { undoMs: 0 } })
    const questions = simulatedQuestions(120, { from: 300 })
    await Promise.all(
      questions.map(async (question) => decided(services, (await services.decisions.ask(inputOf(question), ASKED)).id)),
    )
    await reviewAll(services, (options) => options.at(-1) ?? '')
    const view = await services.monitor()
    expect(view.policy).toMatchObject({ state: 'suspended', cause: 'monitor', by: null })
    expect(view.alarm.isAlarm).toBe(true)
    expect(announced.filter(({ event }) => event === 'policy.suspended')).toHaveLength(1)
    const rows = await store.ledger.list(POLICY_CHAIN, { after: 0, limit: 100 })
    expect(verifyChain(rows)).toMatchObject({ kind: 'whole' })
    expect(rows.map(({ line }) => JSON.parse(line).kind)).toEqual(['activate', 'suspend'])
    await expect(services.policy.suspend('again', ANN)).rejects.toMatchObject({ parts: { status: 409 } })
    expect(await services.policy.release('labels were wrong', ANN)).toMatchObject({ state: 'live', by: 'ann' })
    const released = await services.monitor()
    expect(released.alarm).toMatchObject({ isAlarm: false, counted: 0 })
    expect(released.alarms.map(({ kind }) => kind)).toEqual(['release', 'monitor', 'activate'])
    expect(released.alarms[0]).toMatchObject({ by: 'ann', text: 'labels were wrong', certificate: null })
    expect(released.alarms[2]?.certificate).toBe(released.certificate?.id)
  })

  test('suspends it when questions no longer resemble those of the calibration', async () => {
    const { services } = await serveWorld()
    const { debates } = await calibrated()
    const split = debates.find(({ rounds }) => new Set(rounds[0]?.map(({ answer }) => answer)).size > 1)
    if (split === undefined) throw new Error('no debate')
    for (let count = 0; count < 400; count++) {
      await services.certify(certifyInput(split, 1, { id: `odd ${count}` }), ANN)
      if ((await services.monitor()).policy.state === 'suspended') break
    }
    expect((await services.monitor()).policy).toMatchObject({ state: 'suspended', cause: 'drift' })
  })

  test('continues after a restart with what it had counted', async () => {
    const store = memoryStore()
    const plan = { spotCheckRate: 0.3 }
    const first = await serveWorld({ store, plan })
    for (const question of FRESH.slice(0, 15)) {
      await decided(first.services, (await first.services.decisions.ask(inputOf(question), ASKED)).id)
    }
    const { debates } = await calibrated()
    for (const [index, debate] of debates.slice(0, 15).entries()) {
      await first.services.certify(certifyInput(debate, 4, { id: `other ${index}` }), ANN)
    }
    const { at: _, ...before } = await eventually(first.services, 30)
    first.kill()
    const { at: __, ...after } = await (await serveWorld({ store, plan })).services.monitor()
    expect({ ...after, spend: null }).toEqual({ ...before, spend: null })
  })

  test('continues when the spot-check rate changes: each question counts with the rate that it was sampled with', async () => {
    const store = memoryStore()
    const { certified } = await calibrated()
    const first = await serveWorld({ store, plan: { spotCheckRate: 1 } })
    await askAll(first.services, FRESH.slice(0, 6))
    await first.services.stop()
    const { services } = await serveWorld({ store, plan: { spotCheckRate: 0.5 } })
    await askAll(services, FRESH.slice(6, 12))
    const events = await store.policy.list({ before: null, limit: 10 })
    expect(events.map(({ kind }) => kind)).toEqual(['activate'])
    expect(await store.runs.rates({ certificateId: certified.id, after: 0 })).toEqual([
      { from: 1, spotCheckRate: 1 },
      { from: 7, spotCheckRate: 0.5 },
    ])
    const { spotChecks, alarm } = await services.monitor()
    expect(spotChecks.rate).toBe(0.5)
    expect(alarm.counted).toBe(12)
    expect(spotChecks.sampled).toBeGreaterThanOrEqual(6)
  })

  test('counts what a certificate promises something about, each by itself: no shadow, nothing seen or overridden', async () => {
    const store = memoryStore()
    const plan = { spotCheckRate: 1 }
    const { services } = await serveWorld({ store, plan, tools: { allowSeen: true } })
    const { certified, debates } = await calibrated()
    const other = await sharedCertified(LABELLED, { budget: { beta: 0.25, delta: 0.03, epsilon: 0.02 } })
    await activatedBefore({ services, store }, other)
    const decide = samplePlan({ kind: 'decide', ...plan })
    const panel = {
      ...decide.panel,
      prompts: { ...decide.panel.prompts, firstRound: `${decide.panel.prompts.firstRound}\n` },
    }
    const questions = FRESH.slice(0, 8)
    await runWorld({ store, plan: decide, questions, certified: other })
    await runWorld({ store, plan: { ...decide, isShadow: true }, questions, certified })
    const seen = { certified, allow: { allowSeen: true } }
    await runWorld({ store, plan: decide, questions: LABELLED.slice(0, 8), ...seen })
    await runWorld({ store, plan: { ...decide, panel }, questions, certified, allow: { allowMismatch: true } })
    const [debate] = debates
    if (debate === undefined) throw new Error('no debate')
    await services.certify(certifyInput(debate, 4, { id: 'elsewhere', certificate: other.id }), ANN)
    await services.certify(certifyInput(debate, 4, { id: debate.id }), ANN)
    expect((await services.monitor()).spotChecks).toMatchObject({ sampled: 0, upperWithOpen: null })
    // All of these count: the command line's, the server's and a poster's, under the active certificate.
    await runWorld({ store, plan: { ...decide, spotCheckRate: 0.5 }, questions, certified })
    await askAll(services, FRESH.slice(8, 12))
    await services.certify(certifyInput(debate, 4, { id: 'new here' }), ANN)
    const { alarm, others } = await looked(services, ({ alarm }) => alarm.counted === 13)
    expect(alarm.counted).toBe(13)
    expect(others).toMatchObject([{ certificate: other.id, alarm: { counted: 9, isAlarm: false } }])
  })

  test('ends its figures at a suspension, so that deferrals during it do not make them look better', async () => {
    const { services, store } = await serveWorld({ plan: { spotCheckRate: 1 }, tools: { undoMs: 0 } })
    const { certified } = await calibrated()
    await askAll(services, FRESH.slice(0, 10))
    await reviewAll(services, (options) => options[0] ?? '')
    const before = await services.monitor()
    expect(before.spotChecks).toMatchObject({ sampled: 10, frozenAt: null })
    const { since } = await services.policy.suspend('a look at it', ANN)
    await askAll(services, FRESH.slice(10, 30))
    const stopped = await services.monitor()
    expect(stopped.spotChecks).toEqual({ ...before.spotChecks, frozenAt: since })
    expect(stopped.alarm.counted).toBe(10)
    expect(stopped.automation.deferred).toMatchObject({ suspended: 20 })
    expect(stopped.rounds, 'what nobody may act on saves nothing').toEqual(before.rounds)
    await services.policy.release('it is well', ANN)
    await askAll(services, FRESH.slice(30, 34))
    const { spotChecks } = await looked(services, ({ alarm }) => alarm.counted === 4)
    expect(spotChecks).toMatchObject({ sampled: 4, frozenAt: null })
    expect(await store.runs.arrivals(certified.id)).toBe(14)
  })

  test('waits a day for a sampled debate that nobody continues, and shows the worst case until then', async () => {
    let ahead = 0
    let time = 1_795_000_000_000
    const { services } = await serveWorld({ plan: { spotCheckRate: 1 }, tools: { now: () => ++time + ahead } })
    const { debates } = await calibrated()
    const answers = []
    for (const debate of debates.slice(0, 30)) {
      answers.push(await services.certify(certifyInput(debate, 1, { id: `left ${debate.id}` }), ANN))
    }
    const left = answers.filter(({ kind }) => kind === 'continue').length
    const acted = answers.filter(({ kind }) => kind === 'act').length
    expect(left).toBeGreaterThan(0)
    const { spotChecks } = await services.monitor()
    expect(spotChecks).toMatchObject({
      openSpotChecks: { count: left + acted },
      upperWithOpen: { count: left + acted, of: 30 },
    })
    expect(spotChecks.openSpotChecks.oldestAt).toBeGreaterThan(1_795_000_000_000)
    ahead = 86_400_000
    const later = (await services.monitor()).spotChecks
    expect(later).toMatchObject({ openSpotChecks: { count: acted }, upperWithOpen: { count: left + acted, of: 30 } })
  })
})

async function askAll(services: Services, questions: typeof FRESH): Promise<void> {
  for (const question of questions) {
    await decided(services, (await services.decisions.ask(inputOf(question), ASKED)).id)
  }
}

type View = Awaited<ReturnType<Services['monitor']>>

/** Views are cached for half a second of a clock that each request advances. */
async function looked(services: Services, isThere: (view: View) => boolean): Promise<View> {
  for (let look = 0; look < 5000; look++) {
    const view = await services.monitor()
    if (isThere(view)) return view
  }
  return services.monitor()
}

/** Resolves when all decisions are counted. Views are cached for half a second of a clock that each request advances. */
async function eventually(services: Services, decisions: number) {
  for (;;) {
    const view = await services.monitor()
    if ((view.automation.acted?.of ?? 0) >= decisions) return view
  }
}

/** Posts 60 debates of the calibration under new ids and labels those that are acted on as wrong. */
async function actWrongly({ services, store }: ServedWorld, certificate: string): Promise<number> {
  const { debates } = await calibrated()
  let acted = 0
  for (const debate of debates.slice(0, 60)) {
    const { kind, id, answer } = await services.certify(
      certifyInput(debate, 4, { id: `wrong ${debate.id}`, certificate }),
      ANN,
    )
    if (kind !== 'act') continue
    acted += 1
    const wrong = Object.keys(debate.options).find((option) => option !== answer) ?? ''
    const label = {
      id: `label ${id}`,
      runId: null,
      questionId: id,
      gold: wrong,
      source: 'import',
      by: null,
      at: 1,
    } as const
    await store.labels.addAll([label])
  }
  return acted
}

/** A certificate that a person activated and then replaced by the one that was active before. */
async function activatedBefore({ store, services }: Pick<ServedWorld, 'store' | 'services'>, { id, file }: Certified) {
  const { certificate } = await services.monitor()
  await store.certificates.save({ id, file, at: 1, runId: null })
  await services.certificates.activate(id, { who: ANN, note: 'let us see' })
  await services.certificates.activate(certificate?.id ?? '', { who: ANN, note: 'back again' })
}

async function withAnother(options: WorldOptions = {}) {
  const another = await sharedCertified(LABELLED, { budget: { beta: 0.25, delta: 0.03, epsilon: 0.02 } })
  const world = await serveWorld({ plan: { spotCheckRate: 1 }, ...options })
  await activatedBefore(world, another)
  return { ...world, another }
}

const often = { sleep: (ms: number, signal?: AbortSignal) => timerSleep(ms === 5000 ? 5 : ms, signal) }

describe('a certificate that is not the active one', () => {
  test('is watched once it acts: its alarm suspends the policy and names it, also after a restart', async () => {
    const world = await withAnother()
    const { services, store, another } = world
    const acted = await actWrongly(world, another.id)
    expect(acted).toBeGreaterThan(15)
    world.kill()
    await services.stop()
    const next = await serveWorld({ store, plan: { spotCheckRate: 1 }, tools: often })
    const view = await next.services.monitor()
    expect(view.policy).toMatchObject({ state: 'suspended', cause: 'monitor', by: null })
    expect(view.policy.reason).toContain(another.id)
    expect(view.alarm).toMatchObject({ counted: 0, isAlarm: false })
    expect(view.others).toMatchObject([{ certificate: another.id, alarm: { counted: 60, isAlarm: true } }])
    await next.services.policy.release('labels were wrong', ANN)
    expect(await next.services.monitor(), 'a release begins all of them anew').toMatchObject({
      policy: { state: 'live' },
      others: [],
    })
    const { debates } = await calibrated()
    for (const debate of debates.slice(60, 63)) {
      await next.services.certify(certifyInput(debate, 4, { id: `later ${debate.id}`, certificate: another.id }), ANN)
    }
    const later = await looked(next.services, ({ others }) => others[0]?.alarm.counted === 3)
    expect(later).toMatchObject({ policy: { state: 'live' }, others: [{ alarm: { counted: 3, isAlarm: false } }] })
  })

  test('is found by the running server within seconds, with the drift of its debates', async () => {
    const world = await withAnother({ tools: often })
    const { services, another } = world
    await actWrongly(world, another.id)
    await expect.poll(async () => (await services.monitor()).policy.state).toBe('suspended')
    const [other] = (await services.monitor()).others
    expect(other?.alarm.isAlarm).toBe(true)
    await expect.poll(async () => (await services.monitor()).others[0]?.drift?.counted).toBe(other?.alarm.counted)
  })

  test('keeps its counts when it is activated', async () => {
    const { services, store, another } = await withAnother()
    const { debates, certified } = await calibrated()
    for (const debate of debates.slice(0, 12)) {
      await services.certify(certifyInput(debate, 4, { id: `before ${debate.id}`, certificate: another.id }), ANN)
    }
    await askAll(services, FRESH.slice(0, 3))
    await services.certificates.activate(another.id, { who: ANN, note: 'a better one' })
    const view = await looked(services, ({ drift }) => drift?.counted === 12)
    expect(view).toMatchObject({ alarm: { counted: 12 }, drift: { counted: 12 }, spotChecks: { sampled: 12 } })
    expect(view.others).toMatchObject([{ certificate: certified.id, alarm: { counted: 3 } }])
    await services.stop()
    const { at: _, ...again } = await (
      await serveWorld({ store, plan: { spotCheckRate: 1 }, certified: another })
    ).services.monitor()
    // The drift of other certificates is assessed every few seconds.
    const others = view.others.map((other) => ({ ...other, drift: null }))
    expect({ ...again, spend: null, others: again.others.map((other) => ({ ...other, drift: null })) }).toEqual({
      ...view,
      at: undefined,
      spend: null,
      others,
    })
  })
})

test('a label counts once its review can no longer be undone, and the same after a restart', async () => {
  let ahead = 0
  let time = 1_795_000_000_000
  const tools = { now: () => ++time + ahead }
  const { services, store } = await serveWorld({ plan: { spotCheckRate: 1 }, tools })
  await askAll(services, FRESH.slice(0, 10))
  const before = await looked(services, ({ spotChecks }) => spotChecks.sampled === 10)
  await reviewAll(services, (options) => options.at(-1) ?? '')
  const early = await looked(services, ({ at }) => at > before.at + 1000)
  expect(early.spotChecks, 'nobody can see yet whether the panel agreed').toEqual(before.spotChecks)
  ahead = 10_000
  const { spotChecks, alarm } = await services.monitor()
  expect(spotChecks.labelled).toBe(10)
  expect(spotChecks.wrong?.count).toBeGreaterThan(0)
  await services.stop()
  const again = await (await serveWorld({ store, plan: { spotCheckRate: 1 }, tools })).services.monitor()
  expect(again).toMatchObject({ spotChecks, alarm })
})

test('a certificate that keeps its budget in each group says that only the total is watched', async () => {
  const { services } = await serveWorld({
    certified: await sharedCertified(LABELLED, { groupConditional: true }),
  })
  expect((await services.monitor()).warnings).toEqual([expect.stringContaining('the monitor watches only the total')])
})

describe('a panel that is not the calibrated one', () => {
  const panel = samplePlan().panel
  const other = { ...panel, prompts: { ...panel.prompts, firstRound: `${panel.prompts.firstRound}\n` } }

  test('suspends the policy at the start; released, exactly this difference is overridden', async () => {
    const store = memoryStore()
    const first = await serveWorld({ store, plan: { panel: other } })
    expect((await first.services.monitor()).policy).toMatchObject({ state: 'suspended', cause: 'fingerprint' })
    expect((await first.services.monitor()).mismatch).toEqual(['prompts'])
    await first.services.policy.release('only a line break', ANN)
    await first.services.stop()
    const { services } = await serveWorld({ store, plan: { panel: other } })
    expect((await services.monitor()).policy.state).toBe('live')
    const views = await Promise.all(
      FRESH.slice(0, 10).map(async (question) =>
        decided(services, (await services.decisions.ask(inputOf(question), ASKED)).id),
      ),
    )
    expect(views.some(({ decision }) => decision?.kind === 'act')).toBe(true)
    const { certified } = await calibrated()
    expect(await store.runs.arrivals(certified.id), 'the certificate promises nothing about them').toBe(0)
  })
})

describe('a panel that is allowed not to be the calibrated one', () => {
  test('is live, and the monitor says what that means', async () => {
    const { panel } = samplePlan()
    const otherAgents = panel.agents.map((agent, at) => ({ ...agent, name: `stranger ${at}` }))
    const tools = { allowMismatch: true }
    const { services } = await serveWorld({ plan: { panel: { ...panel, agents: otherAgents } }, tools })
    const question = FRESH[0]
    if (question === undefined) throw new Error('no question')
    const { id } = await services.decisions.ask(inputOf(question), ASKED)
    expect((await decided(services, id)).decision).toMatchObject({ kind: 'defer' })
    const { policy, mismatch, warnings } = await services.monitor()
    expect(policy.state).toBe('live')
    expect(mismatch).toContain('agents')
    expect(warnings).toEqual([expect.stringMatching(/agents.*--allow-mismatch.*every question is deferred/)])
    expect((await (await serveWorld({ tools })).services.monitor()).warnings).toEqual([])
  })
})

describe('activation', () => {
  test('decides with the new certificate from then on, and earlier questions keep their decisions', async () => {
    const store = memoryStore()
    const { services } = await serveWorld({ store })
    const [question, another] = FRESH
    if (question === undefined || another === undefined) throw new Error('no question')
    const before = await decided(services, (await services.decisions.ask(inputOf(question), ASKED)).id)
    const next = await sharedCertified(LABELLED, { budget: { beta: 0.25, delta: 0.03, epsilon: 0.02 } })
    await store.certificates.save({ id: next.id, file: next.file, at: 1, runId: null })
    const by = { who: ANN, note: 'a larger budget' }
    expect(await services.certificates.activate(next.id, by)).toMatchObject({ id: next.id, isActive: true })
    expect(await services.certificates.activate('none', by)).toBeNull()
    expect((await store.policy.list({ before: null, limit: 1 }))[0]).toMatchObject({
      kind: 'activate',
      by: ANN.name,
      note: by.note,
    })
    expect(await services.decisions.ask(inputOf(question), ASKED)).toEqual(before)
    const after = await decided(services, (await services.decisions.ask(inputOf(another), ASKED)).id)
    expect([before.certificate === after.certificate, after.certificate]).toEqual([false, next.id])
    expect((await services.monitor()).certificate?.id).toBe(next.id)
  })

  test('does nothing for the active certificate: the monitors keep their state', async () => {
    const store = memoryStore()
    const { services } = await serveWorld({ store })
    for (const question of FRESH.slice(0, 3)) {
      await decided(services, (await services.decisions.ask(inputOf(question), ASKED)).id)
    }
    const before = await services.monitor()
    const id = before.certificate?.id ?? ''
    expect(before.drift?.counted).toBeGreaterThan(0)
    const by = { who: ANN, note: 'once more' }
    expect(await services.certificates.activate(id, by)).toMatchObject({ id, isActive: true })
    expect(await services.monitor()).toEqual(before)
    expect((await store.policy.list({ before: null, limit: 10 })).map(({ kind }) => kind)).toEqual(['activate'])
  })
})
