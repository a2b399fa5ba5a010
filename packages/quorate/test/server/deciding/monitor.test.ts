import { describe, expect, test } from 'vitest'
import { monitorSchema } from '../../../src/contract/monitor.ts'
import type { Services } from '../../../src/server/services.ts'
import { verifyChain } from '../../../src/store/ledger-chain.ts'
import { POLICY_CHAIN } from '../../../src/store/policy-events.ts'
import { certifiedFrom, memoryStore, samplePlan, simulatedQuestions } from '../../runs/run-world.ts'
import { ANN, calibrated, certifyInput, decided, FRESH, inputOf, LABELLED, serveWorld } from './world.ts'

const ASKED = { who: ANN, idempotencyKey: null }

/** A person who says of every item that this is right. */
async function reviewAll(services: Services, optionFor: (options: readonly string[]) => string) {
  for (;;) {
    const { item } = await services.reviews.next(ANN)
    if (item === null) return
    const option = optionFor(item.options.map(({ name }) => name))
    await services.reviews.submit(item.id, ANN, { outcome: { kind: 'option', option } })
  }
}

describe('the monitor', () => {
  test('shows what is known, and nothing where nothing is', async () => {
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
    expect(after.drift.counted).toBe(10)
    expect(after.queue.waiting).toBe(deferred)
    expect(after.rounds).toMatchObject({ of: 4 })
    expect(monitorSchema.parse(after)).toEqual(after)
  })

  test('holds the policy when spot checks contradict the budget, in the ledger and for webhooks, until a person releases it', async () => {
    const { services, store, told } = await serveWorld({ plan: { spotCheckRate: 1 } })
    const questions = simulatedQuestions(120, { from: 300 })
    await Promise.all(
      questions.map(async (question) => decided(services, (await services.decisions.ask(inputOf(question), ASKED)).id)),
    )
    await reviewAll(services, (options) => options.at(-1) ?? '')
    const view = await services.monitor()
    expect(view.policy).toMatchObject({ state: 'held', cause: 'monitor', by: null })
    expect(view.alarm.isAlarm).toBe(true)
    expect(told.filter(({ event }) => event === 'monitor.held')).toHaveLength(1)
    const rows = await store.ledger.list(POLICY_CHAIN, { after: 0, limit: 100 })
    expect(verifyChain(rows)).toMatchObject({ kind: 'whole' })
    expect(rows.map(({ line }) => JSON.parse(line).kind)).toEqual(['activate', 'hold'])
    await expect(services.policy.hold('again', ANN)).rejects.toMatchObject({ parts: { status: 409 } })
    expect(await services.policy.release('labels were wrong', ANN)).toMatchObject({ state: 'live', by: 'ann' })
    const released = await services.monitor()
    expect(released.alarm).toMatchObject({ isAlarm: false, counted: 0 })
    expect(released.alarms.map(({ kind }) => kind)).toEqual(['release', 'monitor'])
  })

  test('holds when questions no longer look like those of the calibration', async () => {
    const { services } = await serveWorld()
    const { debates } = await calibrated()
    const split = debates.find(({ rounds }) => new Set(rounds[0]?.map(({ answer }) => answer)).size > 1)
    if (split === undefined) throw new Error('no debate')
    for (let count = 0; count < 400; count++) {
      await services.certify(certifyInput(split, 1, { id: `odd ${count}` }), ANN)
      if ((await services.monitor()).policy.state === 'held') break
    }
    expect((await services.monitor()).policy).toMatchObject({ state: 'held', cause: 'drift' })
  })

  test('goes on after a restart with what it had seen', async () => {
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
    expect({ ...after, rounds: null, spend: null }).toEqual({ ...before, rounds: null, spend: null })
  })

  test('begins anew when the share of spot checks changes, and the ledger says so', async () => {
    const store = memoryStore()
    await (await serveWorld({ store, plan: { spotCheckRate: 0.3 } })).services.stop()
    const { services } = await serveWorld({ store, plan: { spotCheckRate: 0.1 } })
    const events = await store.policy.list({ before: null, limit: 10 })
    expect(events.map(({ kind }) => kind)).toEqual(['activate', 'activate'])
    expect(events[0]?.note).toContain('0.3 to 0.1')
    expect((await services.monitor()).spotChecks.rate).toBe(0.1)
  })
})

/** Once all decisions are counted: views are kept for half a second of a clock that each look moves on. */
async function eventually(services: Services, decisions: number) {
  for (;;) {
    const view = await services.monitor()
    if ((view.automation.acted?.of ?? 0) >= decisions) return view
  }
}

describe('a panel that is not the calibrated one', () => {
  const panel = samplePlan().panel
  const other = { ...panel, prompts: { ...panel.prompts, firstRound: `${panel.prompts.firstRound}\n` } }

  test('holds the policy at the start; released, exactly this difference is overridden', async () => {
    const store = memoryStore()
    const first = await serveWorld({ store, plan: { panel: other } })
    expect((await first.services.monitor()).policy).toMatchObject({ state: 'held', cause: 'fingerprint' })
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
  })
})

describe('activation', () => {
  test('decides with the new certificate from then on, and what was asked before keeps its decision', async () => {
    const store = memoryStore()
    const { services } = await serveWorld({ store })
    const [question, another] = FRESH
    if (question === undefined || another === undefined) throw new Error('no question')
    const before = await decided(services, (await services.decisions.ask(inputOf(question), ASKED)).id)
    const next = await certifiedFrom(memoryStore(), LABELLED, { budget: { beta: 0.25, delta: 0.03, epsilon: 0.02 } })
    await store.certificates.save({ id: next.id, file: next.file, at: 1, runId: null })
    expect(await services.certificates.activate(next.id, ANN)).toMatchObject({ id: next.id, isActive: true })
    expect(await services.certificates.activate('none', ANN)).toBeNull()
    expect(await services.decisions.ask(inputOf(question), ASKED)).toEqual(before)
    const after = await decided(services, (await services.decisions.ask(inputOf(another), ASKED)).id)
    expect([before.certificate === after.certificate, after.certificate]).toEqual([false, next.id])
    expect((await services.monitor()).certificate?.id).toBe(next.id)
  })
})
