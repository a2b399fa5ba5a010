import { expect, test } from 'vitest'
import { StoreError } from '../../src/record/store-error.ts'
import type { LeasedJob } from '../../src/run/workers/job-queue.ts'
import { createLease } from '../../src/run/workers/lease.ts'
import type { SharedRunTools } from '../../src/run/workers/shared-run.ts'
import { runWorker } from '../../src/run/workers/worker.ts'
import type { SharedRun, SharedStore } from '../../src/store/shared-store.ts'
import type { RunQuestion, Store } from '../../src/store/store.ts'
import type { Traffic, TrafficCall } from '../../src/traffic/traffic.ts'
import { countedModels, samplePlan, simulatedQuestions } from '../run/run-world.ts'
import { sampleRun } from '../store/samples.ts'
import { createFakeClock } from '../traffic/fake-clock.ts'
import { onlyParts } from './only-parts.ts'

const AWAY = new StoreError('unreachable', 'store: nobody answers')
const [ASKED] = simulatedQuestions(1)
const RUN: SharedRun = {
  runId: 'run',
  createdAt: 1,
  options: '{"allowMismatch":false,"allowUnpriced":false,"seen":[]}',
  halt: null,
  haltWords: null,
  capMicroUsd: null,
  committedMicroUsd: 0,
  reservedMicroUsd: 0,
  openCalls: 0,
}

/** A worker with a call in flight that never ends, for each of these jobs. */
function busyWorker(jobs: LeasedJob[], renew: (jobs: readonly LeasedJob[]) => Promise<readonly LeasedJob[]>) {
  const clock = createFakeClock()
  const stopping = new AbortController()
  const signals = new Set<AbortSignal>()
  const handed: string[] = []
  const question = (questionId: string) =>
    onlyParts<RunQuestion>({
      runId: 'run',
      questionId,
      question: JSON.stringify({ ...ASKED, id: questionId }),
      isSpotCheck: false,
    })
  const tools = onlyParts<SharedRunTools>({
    sleep: clock.sleep,
    now: clock.now,
    newId: () => 'fence',
    models: countedModels().models,
    stopping: stopping.signal,
    aborting: new AbortController().signal,
    store: onlyParts<Store>({
      runs: { find: async (id) => sampleRun({ id, configHash: 'sample' }) },
      policy: { currentSuspension: async () => null },
    }),
    shared: onlyParts<SharedStore>({
      calls: { before: async () => ({ answered: null, attempts: 0, cached: null }) },
      workers: { seen: async () => {}, keepSession: async () => false, keepJobs: async () => {}, gone: async () => [] },
      runs: {
        open: async () => [],
        find: async () => RUN,
        take: async (_, questionId) => ({ question: question(questionId), lostCalls: 0 }),
      },
    }),
    traffic: onlyParts<Traffic>({
      load: () => ({ inFlight: 0, waiting: 0 }),
      send: (_: unknown, { signal }: TrafficCall) =>
        new Promise((resolve) => {
          signals.add(signal)
          signal.addEventListener('abort', () => resolve({ kind: 'halted', reason: 'interrupted' }))
        }),
    }),
  })
  const working = runWorker({
    tools,
    plan: samplePlan({ limits: { ...samplePlan().limits, debateTimeoutMs: 3_600_000 } }),
    queue: {
      add: async () => {},
      take: async (limit) => jobs.splice(0, limit),
      renew,
      takeDeadLetters: async () => [],
      done: async (ended) => void handed.push(...ended.map(({ id }) => `${id} done`)),
      release: async (ended) => void handed.push(...ended.map(({ id }) => `${id} released`)),
      completeDeadLetters: async () => {},
      stop: async () => {},
    },
    me: { id: 'w', name: 'm 1', version: '1', queues: '[]' },
    lease: createLease(clock.now),
    elapsed: clock.now,
    refreshLimits: async () => {},
    log: () => {},
  })
  const aborted = () => [...signals].filter((signal) => signal.aborted).length
  return { clock, working, handed, signals, aborted }
}

test('calls in flight survive an outage of the database, except for jobs that other workers have by then', async () => {
  const jobs = ['mine', 'taken'].map((id) => ({ id, runId: 'run', questionId: id, retryCount: 0 }))
  let isAway = false
  let others: string[] = []
  const { clock, handed, signals, aborted } = busyWorker(jobs, async (leased) => {
    if (isAway) throw AWAY
    return leased.filter(({ id }) => !others.includes(id))
  })
  await clock.advance(3000)
  expect(signals.size).toBe(2)
  isAway = true
  await clock.advance(60_000)
  expect(aborted()).toBe(0)
  others = ['taken']
  isAway = false
  await clock.advance(5000)
  expect(aborted()).toBe(1)
  expect(handed).toEqual(['taken released'])
})
