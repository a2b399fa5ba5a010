import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@quorate/certificate'
import { expect } from 'vitest'
import type { PrivatePostgres } from '../../../../tools/postgres.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { checkAccount } from '../chaos/account.ts'
import { CHAOS_AGENTS, chaosFolder, ROUNDS, startChaos } from '../chaos/chaos-panel.ts'
import { checkRecords } from '../chaos/records.ts'
import { type Fleet, runQuorate, startFleet } from './fleet.ts'

export interface SharedChaos {
  readonly postgres: PrivatePostgres
  readonly questions: number
  readonly workers: number
  readonly concurrency: number
  readonly latencyMs?: number
  /** What is done to the workers meanwhile; ends when the run does. */
  readonly trouble: (fleet: Fleet, isDone: () => boolean) => Promise<void>
}

export interface SharedChaosEnd {
  readonly seconds: number
  readonly lost: number
  readonly said: string
}

/** Debates that several workers hold among faults and whatever else happens; throws unless all is there, once, accounted for. */
export async function holdSharedChaos(chaos: SharedChaos): Promise<SharedChaosEnd> {
  const { postgres, questions, workers, concurrency, latencyMs } = chaos
  const fake = await startChaos(latencyMs === undefined ? {} : { latencyMs })
  const folder = chaosFolder(fake.url, { questions, concurrency })
  const place = { folder, store: postgres.url }
  const queued = await runQuorate(place, ['debate', 'questions.jsonl', '--detach', '--json'])
  expect(queued.code, queued.said).toBe(0)
  const { runId } = JSON.parse(queued.said) as { runId: string }
  const fleet = startFleet({ ...place, workers })
  const began = performance.now()
  let isDone = false
  const trouble = chaos.trouble(fleet, () => isDone)
  while (!(await isRunDone(postgres.url, runId))) await sleep(500)
  const seconds = (performance.now() - began) / 1000
  isDone = true
  await trouble
  expect(await fleet.stop(), fleet.said()).toEqual(Array(workers).fill(0))
  const store = await openPostgres(postgres.url, { now: () => 0, connections: 2 })
  const answered = await checkAccount(store, runId, fake)
  expect(answered.length).toBe(questions * CHAOS_AGENTS.length * ROUNDS)
  await checkRecords(store, runId, { questions, answered })
  const { calls } = await store.calls.spend(runId)
  await store.close()
  await fake.close()
  return { seconds, lost: calls.lost, said: fleet.said() }
}

async function isRunDone(url: string, runId: string): Promise<boolean> {
  try {
    const store = await openPostgres(url, { now: () => 0, connections: 1 })
    const run = await store.runs.find(runId)
    await store.close()
    return run?.status === 'done'
  } catch {
    // It may be starting again.
    return false
  }
}

/** A random worker dies every so often. */
export function killing(everyMs: number, kills: number, seed = 3): SharedChaos['trouble'] {
  const random = seededRandom(seed)
  return async (fleet, isDone) => {
    for (let killed = 0; killed < kills && !isDone(); killed++) {
      await sleep(everyMs)
      if (!isDone()) await fleet.kill(random)
    }
  }
}
