import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calibrate, type Debate, replay } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import type { Model } from '../../../src/model/model.ts'
import type { DecisionRecord } from '../../../src/record/decision.ts'
import { calibrationDebates } from '../../../src/run/calibration/calibration-debates.ts'
import { type Certified, openCertified } from '../../../src/run/calibration/certified.ts'
import { makeCertificate } from '../../../src/run/calibration/make-certificate.ts'
import { debatesOfFile } from '../../../src/run/calibration/recorded-debates.ts'
import { unexpectedModels } from '../../../src/run/calibration/served-models.ts'
import { exportLines } from '../../../src/run/exchange/export-lines.ts'
import { decisionsOf } from '../../../src/run/pages.ts'
import { verifyBundle } from '../../../src/run/verify/verify-bundle.ts'
import { decisionFault } from '../../../src/run/verify/verify-decision.ts'
import type { Store } from '../../../src/store/store.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'
import {
  all,
  certifiedFrom,
  countedModels,
  each,
  memoryStore,
  runWorld,
  samplePlan,
  sharedCertified,
  simulatedQuestions,
} from '../run-world.ts'

const LABELLED = simulatedQuestions(150)
const FRESH = simulatedQuestions(15, { from: 150 })
const DECIDE = samplePlan({ kind: 'decide' })
const BUDGET = { beta: 0.2, delta: 0.03, epsilon: 0.02 }

function shared(): Promise<Certified> {
  return sharedCertified(LABELLED)
}

/** Another model answers for bob, from this round on. */
function modelsWith(served: string | null, from = 1) {
  const { models, asked } = countedModels()
  const bob = models.get('bob')
  if (bob === undefined) throw new Error('there is no bob')
  const inner = bob.model
  const model: Model = {
    ...inner,
    async call(request) {
      const round = Number(/<reasoning>Round (\d)/.exec(request.messages.at(-1)?.content ?? '')?.[1] ?? 0) + 1
      const reply = await inner.call(request)
      return round >= from ? { ...reply, servedModel: served } : reply
    },
  }
  models.set('bob', { model, insist: false })
  return { models, asked }
}

async function recordsOf(store: Store, runId: string): Promise<readonly DecisionRecord[]> {
  return (await all(decisionsOf(store, runId))).map(({ decision }) => JSON.parse(decision))
}

async function lines(store: Store, runId: string, what: 'debates' | 'bundle'): Promise<readonly string[]> {
  const run = await store.runs.find(runId)
  if (run === null) throw new Error('the run is gone')
  return all(exportLines(store, run, what))
}

async function verified(store: Store, runId: string) {
  const path = join(temporaryFolder(), 'run.bundle')
  writeFileSync(path, (await lines(store, runId, 'bundle')).map((line) => `${line}\n`).join(''))
  return verifyBundle(path)
}

describe('a certificate', () => {
  test('names the models that answered, in its fingerprint and after it was read back', async () => {
    const certified = await shared()
    const served = { ada: ['ada'], bob: ['bob'], cleo: ['cleo'] }
    expect(JSON.parse(certified.file).fingerprint).toMatchObject({ served, models: { ada: 'simulated/ada' } })
    expect(openCertified(certified.file)).toMatchObject({ id: certified.id, served: certified.served })
  })

  test('from the exported debates has the same bounds and models', async () => {
    const store = memoryStore()
    const certified = await certifiedFrom(store, LABELLED)
    const [run] = await store.runs.list(1)
    const exported = await lines(store, run?.id ?? '', 'debates')
    const path = join(temporaryFolder(), 'debates.jsonl')
    writeFileSync(path, exported.map((line) => `${line}\n`).join(''))
    const debates = await calibrationDebates(debatesOfFile(path), { where: 'test', beliefs: 'stated' })
    const { certified: again } = makeCertificate(debates, { profile: 'cells', budget: BUDGET })
    expect(again.served).toEqual(certified.served)
    const fresh: readonly Debate[] = exported.map((line) => JSON.parse(line))
    const bare = fresh.map(({ rounds, ...debate }) => ({
      ...debate,
      rounds: rounds.map((turns) => turns.map((turn) => ({ ...turn, served: undefined }))),
    }))
    const bounds = (certificate: Certified['certificate'], rows: readonly Debate[]) =>
      replay(certificate, rows).at(BUDGET).bounds
    expect(bounds(again.certificate, fresh)).toEqual(bounds(certified.certificate, fresh))
    const without = calibrate(bare as readonly Debate[], { profile: 'cells', budget: BUDGET, beliefs: 'stated' }) // only without who answered
    expect(bounds(without, fresh)).toEqual(bounds(certified.certificate, fresh))
  })

  test('from debates that do not name their models is not compared, nor is an agent whose provider does not name its model', async () => {
    const silent = { rounds: [[{ agent: 'bob', answer: 'A' }]] }
    expect(unexpectedModels({ rounds: [[{ agent: 'bob', served: ['x'] }]] }, new Map())).toEqual([])
    expect(unexpectedModels(silent, new Map([['bob', new Set(['y'])]]))).toEqual([])
    expect(unexpectedModels({ rounds: [null, [7, null]] }, new Map([['bob', new Set(['y'])]]))).toEqual([])
    const store = memoryStore()
    const certified = await shared()
    const { models } = modelsWith(null)
    const { tally } = await runWorld({ store, plan: DECIDE, questions: FRESH, certified, models })
    expect(tally.deferred['uncalibrated']).toBeUndefined()
  })
})

describe('a provider that answers with another model than the calibrated one', () => {
  test('has its questions deferred after the round that reveals it, with one notice, and the bundle verifies', async () => {
    const store = memoryStore()
    const certified = await shared()
    const { models, asked } = modelsWith('bob-2')
    const { runId, tally, notices } = await runWorld({ store, plan: DECIDE, questions: FRESH, certified, models })
    expect(tally).toMatchObject({ acted: 0, deferred: { uncalibrated: FRESH.length } })
    expect(asked.filter(({ agent }) => agent === 'ada')).toHaveLength(FRESH.length)
    expect(notices).toEqual([{ text: expect.stringContaining('agent bob was answered by bob-2'), count: FRESH.length }])
    for (const { mismatch, reason, path, debate } of await recordsOf(store, runId)) {
      expect({ mismatch, reason, path }).toEqual({ mismatch: ['served'], reason: 'uncalibrated', path: [] })
      expect(debate.rounds).toHaveLength(1)
    }
    expect(await verified(store, runId)).toMatchObject({ kind: 'whole', decisions: FRESH.length })
  })

  test('in a later round affects only questions that were not decided before', async () => {
    const store = memoryStore()
    const certified = await shared()
    const plain = await runWorld({ store: memoryStore(), plan: DECIDE, questions: FRESH, certified })
    const { models } = modelsWith('bob-2', 2)
    const { runId, tally } = await runWorld({ store, plan: DECIDE, questions: FRESH, certified, models })
    const records = await recordsOf(store, runId)
    const early = records.filter(({ kind, round }) => kind === 'act' && round === 1)
    expect(early.length).toBe(tally.acted)
    expect(tally.acted).toBeGreaterThan(0)
    expect(tally.acted).toBeLessThanOrEqual(plain.tally.acted)
    const late = records.filter(({ reason }) => reason === 'uncalibrated')
    expect(late.length).toBeGreaterThan(0)
    for (const { path, debate } of late) expect([path.length, debate.rounds.length]).toEqual([1, 2])
    expect(await verified(store, runId)).toMatchObject({ kind: 'whole' })
  })

  test('is decided anyway if that is allowed, and every decision and the ledger record it', async () => {
    const store = memoryStore()
    const certified = await shared()
    const { models } = modelsWith('bob-2')
    const world = { store, plan: DECIDE, questions: FRESH, certified, models, allow: { allowMismatch: true } }
    const { runId, tally, notices } = await runWorld(world)
    expect(tally.acted).toBeGreaterThan(0)
    expect(notices[0]?.text).toContain('--allow-mismatch')
    expect((await recordsOf(store, runId)).every(({ mismatch }) => mismatch.join() === 'served')).toBe(true)
    const [opened] = await store.ledger.list(runId, { after: 0, limit: 1 })
    expect(JSON.parse(opened?.line ?? '')).toMatchObject({ body: { mismatch: [], allowMismatch: true } })
    expect(await verified(store, runId)).toMatchObject({ kind: 'whole' })
  })

  test('spot checks are debated to the end, and stay deferred', async () => {
    const store = memoryStore()
    const certified = await shared()
    const plan = samplePlan({ kind: 'decide', spotCheckRate: 1 })
    const { models } = modelsWith('bob-2')
    const questions = FRESH.slice(0, 4)
    const { runId, tally } = await runWorld({ store, plan, questions, certified, models })
    expect(tally.deferred).toEqual({ uncalibrated: 4 })
    const debates = await store.debates.list(runId, { after: null, limit: 9 })
    expect(debates.map(({ rounds }) => rounds)).toEqual([4, 4, 4, 4])
    expect(await verified(store, runId)).toMatchObject({ kind: 'whole' })
  })
})

describe('a recorded decision', () => {
  test('that hides the models that answered, or claims others, is found', async () => {
    const store = memoryStore()
    const certified = await shared()
    const certificate = { kind: 'usable', id: certified.id, certified } as const
    const world = { store, plan: DECIDE, questions: FRESH, certified }
    const strange = await runWorld({ ...world, models: modelsWith('bob-2').models, allow: { allowMismatch: true } })
    const [first] = await recordsOf(store, strange.runId)
    expect(decisionFault(first, certificate)).toBeNull()
    expect(decisionFault({ ...first, mismatch: [] }, certificate)?.reason).toMatch(/does not name them/)
    const own = memoryStore()
    const { runId, notices } = await runWorld({ ...world, store: own })
    expect(notices).toEqual([])
    const [second] = await recordsOf(own, runId)
    expect(decisionFault({ ...second, mismatch: ['served'] }, certificate)?.reason).toMatch(/but none of them answered/)
  })
})

describe('debates that several models answered for one agent', () => {
  const TURN = { agent: 'bob', answer: 'A', conf: { verbal: 0.9 } }
  const rows = (servedAt: (row: number) => readonly string[]) =>
    Array.from({ length: 50 }, (_, row) => {
      const rounds = [[{ ...TURN, served: servedAt(row) }]]
      return { value: { id: `${row}`, options: ['A', 'B'], gold: row % 3 === 0 ? 'B' : 'A', rounds }, place: `${row}` }
    })
  const reading = { where: 'debates.jsonl', beliefs: 'stated' } as const
  const moved = rows((row) => (row < 49 ? ['m-1'] : ['m-2']))

  test('are refused with the counts and places of each, however rare one of them is', async () => {
    await expect(calibrationDebates(each(moved), reading)).rejects.toThrow(
      'agent "bob" was answered by 2 models, by "m-1" in 49 (debates 1 to 49 of those used), by "m-2" in 1 (debate 50 of',
    )
  })

  test('in one turn too, as with a reminder, and names from a provider cannot control a terminal', async () => {
    const hostile = rows((row) => (row === 7 ? ['m-1', '\u001b[2Jm-2'] : ['m-1']))
    const reported = await calibrationDebates(each(hostile), reading).catch(String)
    expect(reported).toContain('in 1 (debate 8 of those used)')
    expect(reported).not.toContain('\u001b')
  })

  test('are accepted on demand: each of them is then known, and the file and the ledger record it', async () => {
    const debates = await calibrationDebates(each(moved), { ...reading, mixedModels: true })
    const { certified } = makeCertificate(debates, { profile: 'cells', budget: BUDGET })
    const mixed = { bob: { 'm-1': 49, 'm-2': 1 } }
    expect(openCertified(certified.file)).toMatchObject({ id: certified.id, mixed })
    expect(unexpectedModels({ rounds: [[{ agent: 'bob', served: ['m-2'] }]] }, certified.served)).toEqual([])
    expect(unexpectedModels({ rounds: [[{ agent: 'bob', served: ['m-3'] }]] }, certified.served)).toHaveLength(1)
    const store = memoryStore()
    const known = await shared()
    const { runId } = await runWorld({
      store,
      plan: DECIDE,
      questions: FRESH.slice(0, 1),
      certified: { ...known, mixed },
    })
    const [opened] = await store.ledger.list(runId, { after: 0, limit: 1 })
    expect(JSON.parse(opened?.line ?? '')).toMatchObject({ body: { mixed } })
  })

  test('are no mixture if each agent has one model of its own', async () => {
    const debates = await calibrationDebates(each(rows(() => ['m-1'])), reading)
    expect(makeCertificate(debates, { profile: 'cells', budget: BUDGET }).certified.mixed).toEqual({})
  })
})

test('a replay has the name of the model that it repeats', async () => {
  const { modelsOf } = await import('../../../src/run/calibration/panel-fingerprint.ts')
  expect(modelsOf({ agents: [{ name: 'a', model: 'replay/openai/gpt-5' }] })).toEqual({ a: 'openai/gpt-5' })
})
