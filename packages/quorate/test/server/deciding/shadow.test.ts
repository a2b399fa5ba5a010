import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { POLICY_CHAIN } from '../../../src/store/decisions/policy-events.ts'
import type { Store } from '../../../src/store/store.ts'
import { memoryStore } from '../../run/run-world.ts'
import { ANN, calibrated, certifyInput, serveWorld } from './world.ts'

async function shadowWorld(store: Store = memoryStore()) {
  const { certified, debates } = await calibrated()
  await store.certificates.save({ id: certified.id, file: certified.file, at: 1, runId: null })
  const { services } = await serveWorld({ store, certified: null })
  await services.certificates.activate(certified.id, { who: ANN, note: 'look first', mode: 'shadow' })
  return { services, store, certified, debates }
}

test('a certificate that is activated in shadow mode decides and records, but acts on nothing until it is released', async () => {
  const { services, store, debates } = await shadowWorld()
  const rounds = 4
  const seen = []
  for (const debate of debates.slice(0, 30)) seen.push(await services.certify(certifyInput(debate, rounds), ANN))
  expect(seen.map(({ kind }) => kind)).not.toContain('act')
  const barred = seen.filter(({ reason }) => reason === 'shadow')
  expect(barred.length).toBeGreaterThan(0)
  // The record shows what it would have done: the round that reached its threshold.
  expect(barred.every(({ path }) => (path.at(-1)?.lower ?? 0) >= (path.at(-1)?.threshold ?? 1))).toBe(true)
  const monitor = await services.monitor()
  expect(monitor.state).toMatchObject({ kind: 'shadow', name: 'Shadow' })
  expect(monitor.shadow).toMatchObject({ questions: 30, labelled: 0, wrong: 0 })
  expect(monitor.automation.acted?.count).toBe(0)
  expect(monitor.automation.deferred['shadow']).toBe(barred.length)
  // None of it counts for the certificate.
  expect(monitor.spotChecks.wrong).toBeNull()
  const rows = await store.ledger.list(POLICY_CHAIN, { after: 0, limit: 9 })
  const events = rows
    .map(({ line }) => JSON.parse(line ?? ''))
    .map(({ kind, body }) => [kind, body.cause, body.by, body.isShadow])
  expect(events).toEqual([
    ['suspend', 'shadow', ANN.name, undefined],
    ['activate', null, ANN.name, true],
  ])
  await services.policy.release('looked at it', ANN)
  const acted = []
  for (const debate of debates.slice(30, 60)) acted.push(await services.certify(certifyInput(debate, rounds), ANN))
  expect(acted.map(({ kind }) => kind)).toContain('act')
  expect((await services.monitor()).shadow).toBeNull()
})

test('a release of an earlier suspension does not end a later one', async () => {
  const { services } = await shadowWorld()
  const { since } = (await services.monitor()).policy
  if (since === null) throw new Error('not suspended')
  await services.policy.release('the shadow looks well', ANN, since)
  await services.policy.suspend('something is wrong', ANN)
  const late = services.policy.release('the shadow looks well', ANN, since)
  await expect(late).rejects.toMatchObject({
    parts: { status: 409, detail: expect.stringContaining('something is wrong') },
  })
  expect((await services.monitor()).policy).toMatchObject({ state: 'suspended', cause: 'admin' })
})

test('shadow mode does not hide a suspension', async () => {
  const { services, certified } = await shadowWorld()
  await services.policy.release('act', ANN)
  await services.policy.suspend('something is wrong', ANN)
  await expect(
    services.certificates.activate(certified.id, { who: ANN, note: 'again', mode: 'shadow' }),
  ).rejects.toMatchObject({ parts: { status: 409 } })
  expect((await services.monitor()).state.kind).toBe('suspended')
})

test('its figures keep no debate in memory, whose text may be erased', async () => {
  const store = memoryStore()
  const read: WeakRef<object>[] = []
  const latest: Store['debates']['latest'] = async (page) => {
    const rows = await store.debates.latest(page)
    read.push(...rows.map((row) => new WeakRef(row)))
    return rows
  }
  const { services, debates } = await shadowWorld({ ...store, debates: { ...store.debates, latest } })
  for (const debate of debates.slice(0, 5)) await services.certify(certifyInput(debate, 4), ANN)
  expect((await services.monitor()).shadow).toMatchObject({ questions: 5 })
  expect(read).toHaveLength(5)
  await nextTurn()
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(read.filter((row) => row.deref() !== undefined)).toEqual([])
})
