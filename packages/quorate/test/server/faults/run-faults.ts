import { type Random, seededRandom } from '@quorate/certificate'
import { expect } from 'vitest'
import type { MonitorView } from '../../../src/contract/monitor.ts'
import type { ChaosEngine } from '../../chaos/engines.ts'
import { ask } from '../ask.ts'
import { askQuestions, type ClientWorld, certifyDebates, reviewItems } from './clients.ts'
import { type FaultWorld, faultWorld, postedDebates, REVIEWERS, SECRET } from './fault-world.ts'
import type { Evidence } from './find-losses.ts'
import { emptyJournal, type Submission, submissionsOf } from './journal.ts'
import type { Life } from './lives.ts'
import { createMoments, type Moment, type Moments } from './moments.ts'

const HOUR_MS = 3_600_000
/** The moments at which the server is killed in turn, including right after its start and while the panel is asked. */
const MOMENTS = ['accepted', 'delivered', 'panel', 'reviewed', 'sent', 'up'] as const

export interface Faults {
  readonly engine: ChaosEngine
  readonly kills: number
  readonly seed: number
  /** The clients continue until their reviews have ended in each of these ways, however fast the machine is. */
  readonly ends?: readonly Submission['end'][]
}

/** Clients ask, certify and review while the server is killed repeatedly. Then everything that is due is delivered. */
export async function runFaults(faults: Faults): Promise<FaultWorld & Omit<Evidence, 'store'>> {
  const { engine, kills, seed, ends = [] } = faults
  const random = seededRandom(seed)
  const moments = createMoments()
  const world = await faultWorld(engine, moments)
  const { lives } = world
  const journal = emptyJournal()
  let isOver = false
  let numbers = 100_000
  const working = work(world, { lives, journal, moments, isOver: () => isOver, nextNumber: () => ++numbers }, random)
  // The code that starts a server reports it if the start fails.
  working.catch(() => undefined)
  let aheadMs = 0
  for (let kill = 0; kill < kills; kill++) {
    const life = await lives.begin(aheadMs)
    aheadMs += 5000 + Math.floor(random() * 20_000)
    await killAt(life, MOMENTS[kill % MOMENTS.length] ?? 'up', { world, moments, random })
  }
  const last = await lives.begin(aheadMs)
  const seen = () => submissionsOf(journal).map(({ end }) => end)
  await expect.poll(seen, { interval: 50 }).toEqual(expect.arrayContaining([...ends]))
  isOver = true
  await working
  expect(await last.stop()).toBe(0)
  world.calm()
  const monitor = await letBeDelivered(world, aheadMs + HOUR_MS)
  return { ...world, journal, received: world.receiver.received, secret: SECRET, monitor }
}

async function work(world: FaultWorld, clients: ClientWorld, random: Random): Promise<void> {
  const { tokens } = world
  const own = () => seededRandom(Math.floor(random() * 2 ** 32))
  const debates = postedDebates()
  await Promise.all([
    ...[1, 2, 3, 4, 5].map(() => askQuestions(clients, { token: tokens.program, random: own() })),
    ...[1, 2].map(() => certifyDebates(clients, { token: tokens.program, random: own(), debates })),
    ...REVIEWERS.map((name) => reviewItems(clients, { name, token: tokens[name], random: own() })),
  ])
}

interface Killing {
  readonly world: FaultWorld
  readonly moments: Moments
  readonly random: Random
}

async function killAt(life: Life, moment: Moment | 'panel' | 'up', { world, moments, random }: Killing): Promise<void> {
  const count = 1 + Math.floor(random() * 30)
  if (moment === 'up') life.kill()
  else if (moment === 'panel') {
    await world.provider.reached(world.provider.counts().requests + count)
    life.kill()
  } else moments.at(moment, count, () => life.kill())
  expect(await life.ended).toEqual([null, 'SIGKILL'])
}

/** A life without requests, late enough that every retry of the outbox is due. */
async function letBeDelivered({ lives, tokens, receiver }: FaultWorld, aheadMs: number): Promise<MonitorView> {
  const life = await lives.begin(aheadMs)
  const headers = { authorization: `Bearer ${tokens.program}` }
  const waiting = async () => {
    const { text } = await ask(life.port, '/metrics', { headers })
    return Number(/^quorate_webhooks\{state="pending"\} (\d+)$/m.exec(text)?.[1])
  }
  await expect.poll(waiting, { interval: 100 }).toBe(0)
  expect(receiver.received.length).toBeGreaterThan(0)
  const monitor = (await ask(life.port, '/v1/monitor', { headers })).json()
  expect(await life.stop()).toBe(0)
  return monitor as MonitorView // the contract's own tests say that it is
}
