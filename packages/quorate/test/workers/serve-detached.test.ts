import { seededRandom } from '@quorate/certificate'
import { expect, onTestFinished, test } from 'vitest'
import type { DecisionView } from '../../src/contract/decisions.ts'
import type { MonitorView } from '../../src/contract/monitor.ts'
import { decisionsOf } from '../../src/run/pages.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import type { Store } from '../../src/store/store.ts'
import { checkAccount } from '../chaos/account.ts'
import { CHAOS_KEYS, chaosFolder } from '../chaos/chaos-panel.ts'
import type { ChaosEngine } from '../chaos/engines.ts'
import { runHere } from '../chaos/killed-command.ts'
import { all } from '../run/run-world.ts'
import { ask } from '../server/ask.ts'
import { verified } from '../server/deciding/verified.ts'
import { askQuestions, OPTIONS } from '../server/faults/clients.ts'
import { type FaultWorld, faultWorld, SECRET } from '../server/faults/fault-world.ts'
import { findLosses } from '../server/faults/find-losses.ts'
import { emptyJournal } from '../server/faults/journal.ts'
import type { Life } from '../server/faults/lives.ts'
import { createMoments } from '../server/faults/moments.ts'
import { privatePostgres } from '../store/private-postgres.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { type Fleet, startFleet } from './fleet.ts'

const postgres = await privatePostgres()
const QUESTIONS = 24
const CLIENTS = 8

if (postgres.kind === 'absent') {
  test.skip(`a server that leaves its debates to workers: ${postgres.reason}`, () => {})
} else {
  const engineOfTest = async (): Promise<ChaosEngine> => {
    const { url } = await postgres.freshUrl()
    const open = () => openPostgres(url, { now: () => 0, connections: 3 })
    return { name: 'postgres', env: () => ({ QUORATE_STORE: url }), open }
  }

  test('what a server accepted is decided by workers under the promised ids, once, although both are killed', async () => {
    const engine = await engineOfTest()
    const moments = createMoments()
    const world = await faultWorld(engine, moments, ['--detach'])
    const { lives, provider } = world
    world.calm()
    const fleet = workersOf(world, engine, 2)
    const journal = emptyJournal()
    let asked = 0
    const clients = { lives, journal, moments, isOver: () => asked >= QUESTIONS, nextNumber: () => ++asked + 10_000 }
    const random = seededRandom(7)
    const token = world.tokens.program
    const working = Promise.all(Array.from({ length: CLIENTS }, () => askQuestions(clients, { token, random })))
    const first = await lives.begin(0)
    await provider.reached(20)
    await fleet.kill(random)
    await provider.reached(40)
    first.kill()
    await first.ended
    const second = await lives.begin(0)
    await working
    expect(journal.decisions.size).toBe(QUESTIONS)
    await world.receiver.count(QUESTIONS)
    const monitor = (await ask(second.port, '/v1/monitor')).json() as MonitorView // as the contract's tests say
    expect(await second.stop()).toBe(0)
    expect(await fleet.stop(), fleet.output()).toEqual([0, 0])
    const store = await engine.open(world.folder)
    onTestFinished(() => store.close())
    const { received } = world.receiver
    expect(await findLosses({ store, journal, received, secret: SECRET, monitor })).toEqual([])
    const [runId = ''] = new Set([...journal.decisions.values()].map(({ accepted }) => accepted.runId))
    expect(await verified(store, runId)).toMatchObject({ kind: 'whole', decisions: QUESTIONS })
    expect(await withoutReview(store, runId)).toEqual([])
    await checkAccount(store, runId, provider)
  })

  test('a suspended policy, a spend cap and a move between workers and server behave as with one server alone', async () => {
    const engine = await engineOfTest()
    const world = await faultWorld(engine, createMoments())
    world.calm()
    const { lives } = world
    const fleet = workersOf(world, engine, 1)
    const first = await lives.begin(0, ['--detach'])
    const streamed = await askFor(first, 1)
    const { text } = await ask(first.port, `/v1/decisions/${streamed.id}/events`)
    const decided = await decisionOf(first, streamed.id)
    const events = [...text.matchAll(/^event: (\w+)$/gm)].map(([, event]) => event)
    const rounds = Array.from({ length: decided.decision?.path.length ?? 0 }, () => 'round')
    expect(events).toEqual([...rounds, 'decided'])
    expect(rounds.length).toBeGreaterThan(0)

    await post(first, '/v1/policy/suspend', { note: 'let us look' })
    const deferred = await decisionOf(first, (await askFor(first, 2)).id)
    expect(deferred).toMatchObject({ status: 'decided', decision: { kind: 'defer', reason: 'suspended' } })
    await post(first, '/v1/policy/release', { note: 'all is well' })

    expect(await fleet.stop(), fleet.output()).toEqual([0])
    const waiting = await askFor(first, 3)
    expect((await ask(first.port, `/v1/decisions/${waiting.id}`)).json()).toMatchObject({ status: 'pending' })
    expect(await first.stop()).toBe(0)

    const second = await lives.begin(0, ['--detach', '--max-cost', '0.000001'])
    workersOf(world, engine, 1)
    const capped = await decisionOf(second, waiting.id)
    expect(capped).toMatchObject({ status: 'decided', decision: { kind: 'defer', reason: 'spend-cap' } })
    expect(await second.stop()).toBe(0)

    // First this process owns the run, then the workers share it again.
    for (const [number, flags] of [[], ['--detach']].entries()) {
      const life = await lives.begin(0, flags)
      const own = await decisionOf(life, (await askFor(life, 4 + number)).id)
      expect(own).toMatchObject({ status: 'decided', runId: waiting.runId })
      expect(own.decision?.reason).not.toBe('spend-cap')
      expect(await life.stop()).toBe(0)
    }
    const store = await engine.open(world.folder)
    onTestFinished(() => store.close())
    expect(await verified(store, waiting.runId)).toMatchObject({ kind: 'whole', decisions: 5 })
    expect(await withoutReview(store, waiting.runId)).toEqual([])
  })
}

test('a store in one file has no workers, and without a config there is nothing for them to debate', async () => {
  const args = ['serve', '--port', '0', '--detach']
  const folder = chaosFolder('http://127.0.0.1:9', { questions: 1 })
  const onFile = await runHere({ folder, args, env: { ...CHAOS_KEYS, QUORATE_STORE: '' } })
  expect(onFile.output).toMatch(/this store is one file: set QUORATE_STORE to postgres:/)
  expect(onFile.code).toBe(2)
  const bare = await runHere({ folder: temporaryFolder(), args, env: { QUORATE_STORE: '' } })
  expect(bare.output).toMatch(/--detach needs the config of the workers' panel/)
  expect(bare.code).toBe(2)
})

function workersOf({ folder }: FaultWorld, engine: ChaosEngine, workers: number): Fleet {
  const fleet = startFleet({ folder, store: engine.env()['QUORATE_STORE'] ?? '', workers })
  onTestFinished(() => fleet.end())
  return fleet
}

function post({ port }: Life, path: string, body: object) {
  return ask(port, path, { method: 'POST', body: JSON.stringify(body) })
}

async function askFor(life: Life, number: number): Promise<DecisionView> {
  const question = { question: `Which letter has number ${number + 20_000}?`, options: OPTIONS }
  const answered = await post(life, '/v1/decisions', question)
  expect(answered.status, answered.text).toBe(202)
  return answered.json() as DecisionView // as the contract's tests say
}

async function decisionOf({ port }: Life, id: string): Promise<DecisionView> {
  for (;;) {
    const view = (await ask(port, `/v1/decisions/${id}?wait=30`)).json() as DecisionView // as above
    expect(view.id).toBe(id)
    if (view.status === 'decided' || view.status === 'failed') return view
  }
}

/** Decisions that need a review but have no item, or the reverse. */
async function withoutReview(store: Store, runId: string): Promise<readonly string[]> {
  const missing: string[] = []
  for (const { id, questionId, kind, decision } of await all(decisionsOf(store, runId))) {
    const isDue = kind === 'defer' || JSON.parse(decision).isSpotCheck === true
    if (isDue !== ((await store.reviews.latestOf(runId, questionId)) !== null)) missing.push(id)
  }
  return missing
}
