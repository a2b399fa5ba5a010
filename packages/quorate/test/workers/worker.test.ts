import { describe, expect, test } from 'vitest'
import { StoreError } from '../../src/record/store-error.ts'
import type { RunPlan } from '../../src/run/run-plan.ts'
import type { JobQueue, LeasedJob } from '../../src/run/workers/job-queue.ts'
import { createLease } from '../../src/run/workers/lease.ts'
import type { SharedRunTools } from '../../src/run/workers/shared-run.ts'
import { runWorker } from '../../src/run/workers/worker.ts'
import type { SharedRun, SharedRunStore, SharedStore } from '../../src/store/shared-store.ts'
import type { RunQuestion, Store } from '../../src/store/store.ts'
import type { Traffic } from '../../src/traffic/traffic.ts'
import { sampleRun } from '../store/samples.ts'
import { createFakeClock } from '../traffic/fake-clock.ts'
import { onlyParts } from './only-parts.ts'

const DENIED = new StoreError('damaged', 'store: a table is gone')
const AWAY = new StoreError('unreachable', 'store: nobody answers')
const JOB: LeasedJob = { id: 'job', runId: 'run', questionId: 'q0', retryCount: 0 }

interface Parts {
  readonly store?: Partial<Store['runs']>
  readonly queue?: Partial<JobQueue>
  readonly runs?: Partial<SharedRunStore>
}

/** A worker with a scripted queue and database. */
function worker({ queue = {}, runs = {}, store = {} }: Parts) {
  const clock = createFakeClock()
  const stopping = new AbortController()
  const logged: string[] = []
  const handed: string[] = []
  const shared = onlyParts<SharedStore>({
    runs: { open: async () => [], find: async () => null, ...runs },
    workers: { seen: async () => {}, keepSession: async () => false, keepJobs: async () => {}, gone: async () => [] },
    jobs: {},
  })
  const tools = onlyParts<SharedRunTools>({
    shared,
    sleep: clock.sleep,
    now: clock.now,
    newId: () => 'fence',
    store: onlyParts<Store>({ runs: { find: async () => null, ...store } }),
    traffic: onlyParts<Traffic>({ load: () => ({ inFlight: 0, waiting: 0 }) }),
    stopping: stopping.signal,
    aborting: new AbortController().signal,
  })
  const working = runWorker({
    tools,
    plan: onlyParts<RunPlan>({
      hash: 'ours',
      panel: { agents: [], sizes: null, samples: 1 },
      limits: { traffic: { concurrency: 1, attempts: 1, timeoutMs: 1, providers: {}, ...REST } },
    }),
    queue: {
      add: async () => {},
      take: async () => [],
      renew: async (jobs) => jobs,
      takeDeadLetters: async () => [],
      done: async (jobs) => void handed.push(...jobs.map(({ id }) => `${id} done`)),
      release: async (jobs) => void handed.push(...jobs.map(({ id }) => `${id} released`)),
      completeDeadLetters: async () => {},
      stop: async () => {},
      ...queue,
    },
    me: { id: 'w', name: 'm 1', version: '1', queues: '[]' },
    lease: createLease(clock.now),
    elapsed: clock.now,
    refreshLimits: async () => {},
    log: (words) => logged.push(words),
  })
  // The test awaits it later; until then an unhandled rejection is no defect.
  working.catch(() => {})
  return { clock, stopping, logged, handed, working }
}

const REST = {
  backOff: { firstMs: 1, mostMs: 1 },
  breaker: { failures: 1, restMs: 1, mostRestMs: 1, probes: 1 },
}

describe('a worker', () => {
  test('ends with a clear error after a permanent error kept it from working for a minute', async () => {
    const { clock, working, logged } = worker({ queue: { take: () => Promise.reject(DENIED) } })
    const start = clock.now()
    await expect(clock.run(working)).rejects.toThrow(
      'this worker exits and leaves its questions to other workers. An error stopped its work for a minute: store: a table is gone',
    )
    expect(clock.now() - start).toBeGreaterThanOrEqual(60_000)
    expect(logged).toEqual(['will try again: store: a table is gone'])
  })

  test('waits for an unavailable database as long as it takes, and logs two lines', async () => {
    let isAway = true
    const take = async () => {
      if (isAway) throw AWAY
      return []
    }
    const { clock, working, logged, stopping } = worker({ queue: { take, renew: take } })
    await clock.advance(20 * 60_000)
    isAway = false
    await clock.advance(20_000)
    expect(logged).toEqual(['will try again: store: nobody answers', 'recovered'])
    stopping.abort()
    expect(await clock.run(working)).toEqual({ ended: 0, takenOver: 0, answered: 0 })
  })

  test('continues and sends heartbeats although one run cannot be closed', async () => {
    let beats = 0
    const { clock, working, logged, stopping } = worker({
      runs: { open: () => Promise.reject(new StoreError('damaged', 'store: a row cannot be read')) },
      queue: {
        async renew(jobs) {
          beats += 1
          return jobs
        },
      },
    })
    await clock.advance(10 * 60_000)
    expect(beats).toBeGreaterThan(200)
    expect(logged).toEqual(['will try again: store: a row cannot be read'])
    stopping.abort()
    await clock.run(working)
  })
})

test('a redelivered job has heartbeats after its first attempt has ended', async () => {
  const [ending, jobs] = [[] as (() => void)[], [[JOB], [{ ...JOB, retryCount: 1 }]]]
  const renewed: number[] = []
  const { clock, working, handed, stopping } = worker({
    queue: {
      take: async () => jobs.shift() ?? [],
      async renew(leased) {
        renewed.splice(0, Infinity, ...leased.map(({ retryCount }) => retryCount))
        return leased
      },
    },
    // The run cannot be opened, so each attempt is given up when this resolves.
    runs: { take: () => new Promise((resolve) => ending.push(() => resolve(null))) },
  })
  await clock.advance(10_000)
  expect(renewed).toEqual([0, 1])
  ending[0]?.()
  await clock.advance(10_000)
  expect(renewed).toEqual([1])
  ending[1]?.()
  await clock.advance(10_000)
  expect(renewed).toEqual([])
  expect(handed).toEqual(['job done', 'job done'])
  stopping.abort()
  await clock.run(working)
})

describe('a question of a run that cannot be opened here', () => {
  const taking = () => {
    const jobs = [JOB]
    return { take: async () => jobs.splice(0) }
  }
  const fences = new Set<string | null>()
  const taken: SharedRunStore['take'] = async (runId, questionId, { fence }) => {
    fences.add(fence)
    return { question: onlyParts<RunQuestion>({ runId, questionId }), lostCalls: 0 }
  }

  test('is recorded as an error, and does not stay pending without a job', async () => {
    const givenUp: string[] = []
    const { clock, working, logged, handed, stopping } = worker({
      queue: taking(),
      runs: {
        take: taken,
        async giveUp(_, questionId, fence) {
          if (fences.has(fence)) givenUp.push(questionId)
        },
      },
    })
    await clock.advance(2000)
    expect(givenUp).toEqual(['q0'])
    expect(handed).toEqual(['job done'])
    expect(logged[0]).toContain('question "q0" of run run failed: run run is not in this store')
    stopping.abort()
    await clock.run(working)
  })

  test('goes back to the queue if even the error cannot be written', async () => {
    const { clock, working, handed, stopping } = worker({
      queue: taking(),
      runs: { take: taken, giveUp: () => Promise.reject(AWAY) },
    })
    await clock.advance(2000)
    expect(handed).toEqual(['job released'])
    stopping.abort()
    await clock.run(working)
  })
})

describe('a question that is pending without a job', () => {
  test('gets a job from an idle worker, in runs with its config only', async () => {
    const added: string[] = []
    const { clock, working, stopping } = worker({
      runs: { open: async () => [sharedRun('one'), sharedRun('foreign')], hasPending: async () => true },
      store: {
        find: async (id) => sampleRun({ id, configHash: id === 'one' ? 'ours' : 'theirs' }),
        questions: async (runId) => [onlyParts<RunQuestion>({ runId, questionId: 'q7', position: 7 })],
      },
      queue: {
        async add(jobs) {
          for (const { runId, questionId } of jobs) added.push(`${runId} ${questionId}`)
        },
      },
    })
    await clock.advance(5000)
    expect(added).toEqual([])
    await clock.advance(60_000)
    expect(new Set(added)).toEqual(new Set(['one q7']))
    expect(added.length).toBeGreaterThanOrEqual(4)
    expect(added.length).toBeLessThanOrEqual(7)
    stopping.abort()
    await clock.run(working)
  })
})

describe('a job of a run that is not for this worker', () => {
  test('is completed, its question neither taken nor given up, and that is logged once', async () => {
    const touched: string[] = []
    const jobs = [JOB, { ...JOB, id: 'job 2' }]
    const { clock, working, logged, handed, stopping } = worker({
      queue: { take: async (limit) => jobs.splice(0, limit) },
      store: { find: async (id) => sampleRun({ id, configHash: 'theirs' }) },
      runs: {
        find: async (runId) => sharedRun(runId),
        async take() {
          touched.push('taken')
          return null
        },
        async giveUp() {
          touched.push('given up')
        },
      },
    })
    await clock.advance(5000)
    expect(handed).toEqual(['job done', 'job 2 done'])
    expect(touched).toEqual([])
    expect(logged).toEqual(['run run has another config: it is left to workers with that config'])
    stopping.abort()
    await clock.run(working)
  })
})

const sharedRun = (runId: string): SharedRun => ({
  runId,
  createdAt: 1,
  options: '{"allowMismatch":false,"allowUnpriced":false,"seen":[]}',
  halt: null,
  haltWords: null,
  capMicroUsd: null,
  committedMicroUsd: 0,
  reservedMicroUsd: 0,
  openCalls: 0,
})
