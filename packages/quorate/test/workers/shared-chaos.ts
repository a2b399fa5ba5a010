import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { PrivatePostgres } from '../../../../tools/postgres.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import type { Store } from '../../src/store/store.ts'
import { checkAccount } from '../chaos/account.ts'
import { CHAOS_AGENTS, chaosFolder, ROUNDS, startChaos } from '../chaos/chaos-panel.ts'
import { checkRecords } from '../chaos/records.ts'
import type { FakeProvider } from '../fake-provider/fake-provider.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { type Fleet, runQuorate, startFleet } from './fleet.ts'
import { checkTotals, type SharedTotals } from './shared-totals.ts'
import type { Trouble } from './troubles.ts'
import { warmUpCalls } from './warm-up.ts'

export interface SharedChaos {
  readonly postgres: PrivatePostgres
  readonly questions: number
  readonly workers: number
  readonly concurrency: number
  readonly latencyMs?: number
  /** Seed of the faults. */
  readonly seed?: number
  /** An empty folder. Absent: a temporary one that is removed after the test. */
  readonly folder?: string
  /** See `Place`. */
  readonly bin?: string
  readonly trouble: Trouble
  readonly log?: (progress: SharedProgress) => void
  /** After this time the run counts as hanging. */
  readonly mostSeconds?: number
}

export interface SharedProgress {
  readonly seconds: number
  readonly done: number
  readonly kills: number
}

export interface SharedChaosEnd extends SharedTotals {
  /** From the start of the workers until the run was done. */
  readonly seconds: number
  /** Longest time without progress, from the first finished debate on. */
  readonly longestPauseSeconds: number
  readonly kills: number
  readonly freezes: number
  readonly restarts: number
  readonly output: string
}

const POLL_MS = 500

/**
 * Several workers debate questions under faults and other trouble. Throws unless every debate exists once and every call is
 * accounted for. The short form is a test, the long one `npm run soak`.
 */
export async function runSharedChaos(chaos: SharedChaos): Promise<SharedChaosEnd> {
  const { postgres, questions, workers, concurrency, latencyMs, seed, folder = temporaryFolder(), bin, log } = chaos
  const fake = await startChaos({ ...(latencyMs !== undefined && { latencyMs }), ...(seed !== undefined && { seed }) })
  chaosFolder(fake.url, { questions, concurrency, folder })
  const place = { folder, store: postgres.url, ...(bin !== undefined && { bin }) }
  // Only if times are measured. Elsewhere all tests share the compile cache.
  if (log !== undefined) await warmUpCalls(place)
  const queued = await runQuorate(place, ['debate', 'questions.jsonl', '--detach', '--json'])
  expect(queued.code, queued.output).toBe(0)
  const { runId } = JSON.parse(queued.output) as { runId: string }
  const fleet = startFleet({ ...place, workers })
  const store = await openPostgres(postgres.url, { now: () => 0, connections: 2 })
  try {
    const timed = await disturbed(chaos, { fleet, store, runId })
    expect(await fleet.stop(), fleet.output()).toEqual(Array(workers).fill(0))
    const harm = fleet.harm()
    const mostOpen = openAtOnce(concurrency) * (harm.kills + harm.freezes)
    const mostUnsent = openAtOnce(concurrency) * (harm.freezes + workers * timed.restarts)
    const totals = await checkRun(store, { runId, fake, questions, mostOpen, mostUnsent, mostLate: harm.freezes })
    return { ...timed, ...totals, ...harm, output: fleet.output() }
  } finally {
    fleet.end()
    await store.close()
    await fake.close()
  }
}

/** One call of each agent in every debate of a worker: calls in flight, and calls that are about to be sent. */
function openAtOnce(concurrency: number): number {
  return CHAOS_AGENTS.length * Math.ceil((2 * concurrency) / CHAOS_AGENTS.length)
}

interface Disturbance {
  readonly fleet: Fleet
  readonly store: Store
  readonly runId: string
}

async function disturbed(chaos: SharedChaos, { fleet, store, runId }: Disturbance) {
  const { trouble, log, mostSeconds = 900 } = chaos
  let restarts = 0
  const restart = async () => {
    restarts += 1
    await chaos.postgres.restart()
  }
  const postgres = { ...chaos.postgres, restart }
  const began = performance.now()
  const elapsed = () => (performance.now() - began) / 1000
  let [isDone, done, changedAt, longestPauseSeconds] = [false, 0, Number.NaN, 0]
  const failed: unknown[] = []
  const troubled = fleet
    .ready(chaos.workers)
    .then(() => trouble({ fleet, postgres, isDone: () => isDone, share: () => done / chaos.questions }))
    .catch((error: unknown) => failed.push(error))
  while (!isDone && failed.length === 0) {
    await sleep(POLL_MS)
    const found = await progressOf(store, runId)
    isDone = found?.isDone === true
    if ((found?.done ?? 0) > done) {
      if (done > 0) longestPauseSeconds = Math.max(longestPauseSeconds, elapsed() - changedAt)
      ;[done, changedAt] = [found?.done ?? 0, elapsed()]
    }
    log?.({ seconds: elapsed(), done, kills: fleet.harm().kills })
    if (elapsed() > mostSeconds) throw new Error(`not done after ${mostSeconds} s: ${done} debates\n${fleet.output()}`)
  }
  const seconds = elapsed()
  await troubled
  if (failed.length > 0) throw failed[0]
  return { seconds, longestPauseSeconds, restarts }
}

/** Null while the database is unavailable. */
async function progressOf(store: Store, runId: string): Promise<{ done: number; isDone: boolean } | null> {
  try {
    const [run, { done }] = [await store.runs.find(runId), await store.runs.counts(runId)]
    return { done, isDone: run?.status === 'done' }
  } catch {
    return null
  }
}

interface Checked {
  readonly runId: string
  readonly fake: FakeProvider
  readonly questions: number
  readonly mostOpen: number
  readonly mostUnsent: number
  readonly mostLate: number
}

async function checkRun(store: Store, checked: Checked): Promise<SharedTotals> {
  const { runId, fake, questions } = checked
  const answered = await checkAccount(store, runId, fake, checked)
  expect(answered.length).toBe(questions * CHAOS_AGENTS.length * ROUNDS)
  await checkRecords(store, runId, { questions, answered })
  return checkTotals(store, runId, checked)
}
