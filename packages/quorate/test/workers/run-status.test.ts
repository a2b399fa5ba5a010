import { describe, expect, test } from 'vitest'
import { statusText } from '../../src/cli/status-text.ts'
import type { SharedRun, SharedStore, StoredWorker } from '../../src/store/shared-store.ts'
import type { Run, Spend, Store } from '../../src/store/store.ts'
import { queueOf } from '../../src/workers/job-queue.ts'
import { createStatusReader } from '../../src/workers/run-status.ts'
import { sampleRun } from '../store/samples.ts'
import { onlyParts } from './only-parts.ts'

const RUN = sampleRun({ configHash: 'a'.repeat(64) })

interface World {
  run: Run
  shared: SharedRun
  pending: number
  answered: number
  workers: readonly (StoredWorker & { readonly silentMs: number })[]
  /** Milliseconds that reading all calls takes. */
  scanMs: number
}

/** A store that says how often all of its calls were read. */
function world(change: Partial<World> = {}) {
  let time = 0
  let scans = 0
  const state: World = {
    ...{ run: RUN, shared: sharedRun(), pending: 10, answered: 0, workers: [], scanMs: 0 },
    ...change,
  }
  const store = onlyParts<Store>({
    runs: {
      find: async () => state.run,
      counts: async () => ({ pending: state.pending, done: 20 - state.pending, ...FAILED }),
    },
    decisions: { counts: async () => [] },
    calls: {
      async spend() {
        scans += 1
        time += state.scanMs
        return spendOf(state.answered)
      },
    },
  })
  const shared = onlyParts<SharedStore>({
    runs: { find: async () => state.shared, open: async () => (state.run.status === 'open' ? [state.shared] : []) },
    workers: { list: async () => state.workers },
  })
  const reader = createStatusReader(store, shared, () => time)
  return {
    state,
    reader,
    scans: () => scans,
    pass: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

describe('how far a run has come', () => {
  test('is told with its speed from the second look on', async () => {
    const { reader, state, pass } = world({ workers: [workerOf({})] })
    const first = await reader.read(null)
    expect(first.runs[0]).toMatchObject({ id: RUN.id, speed: null, countedMsAgo: 0, servedBy: 1 })
    pass(2000)
    Object.assign(state, { pending: 6, answered: 100 })
    const second = await reader.read(null)
    expect(second.runs[0]?.speed).toEqual({ debatesPerSecond: 2, callsPerSecond: 50 })
    expect(statusText(second)).toContain('14 of 20 questions, 2.0 debates/s, 50 calls/s, 3 s left')
  })

  test('is not counted anew at every look where counting takes long, and says how old the counts are', async () => {
    const { reader, scans, pass, state } = world({ scanMs: 1000, workers: [workerOf({})] })
    for (let look = 0; look < 30; look++) {
      await reader.read(null)
      pass(2000)
    }
    // A minute in which at most a twentieth of the time is spent on it.
    expect(scans()).toBe(3)
    state.scanMs = 0
    pass(18_000)
    await reader.read(null)
    pass(2000)
    expect((await reader.read(null)).runs[0]?.countedMsAgo).toBe(0)
  })

  test('says how old its counts are', async () => {
    const { reader, pass } = world({ scanMs: 1000, workers: [workerOf({})] })
    expect(statusText(await reader.read(null))).not.toContain('counted')
    pass(12_000)
    expect(statusText(await reader.read(null))).toContain('10 of 20 questions (counted 12 s ago)')
  })

  test('has the money of a run with a cap to the last commit, also between counts', async () => {
    const { reader, pass, state } = world({ scanMs: 1000, shared: sharedRun({ capMicroUsd: 9_000_000 }) })
    await reader.read(null)
    pass(3000)
    state.shared = sharedRun({ capMicroUsd: 9_000_000, committedMicroUsd: 7_000_000, reservedMicroUsd: 500_000 })
    const [run] = (await reader.read(null)).runs
    expect(run?.spend).toMatchObject({ committedMicroUsd: 7_000_000, reservedMicroUsd: 500_000 })
    expect(run?.countedMsAgo).toBe(3000)
  })
})

describe('a run that nobody works on', () => {
  test('says so, and what to start', async () => {
    const status = await world().reader.read(null)
    expect(status.runs[0]?.servedBy).toBe(0)
    expect(statusText(status)).toContain('Nobody works on it: start quorate worker')
    expect(statusText(status)).toContain('aaaaaaaaaaaaaaaa')
  })

  test('says that workers are there whose config is another', async () => {
    const workers = [workerOf({ queues: JSON.stringify([queueOf('b'.repeat(64))]) })]
    const status = await world({ workers }).reader.read(null)
    expect(status.runs[0]?.servedBy).toBe(0)
    expect(statusText(status)).toContain('1 worker alive, none with its config')
    expect(statusText(status)).toMatch(/m 1 +bbbbbbbb +idle/)
  })

  test('counts those as nobody that are silent or ended', async () => {
    const workers = [workerOf({ silentMs: 11_000 }), workerOf({ endedAt: 5 })]
    const status = await world({ workers }).reader.read(null)
    expect(status.workers.map(({ state }) => state)).toEqual(['silent', 'ended'])
    expect(status.runs[0]?.servedBy).toBe(0)
  })

  test('steers no terminal by its id', async () => {
    const { runs, workers } = await world({ shared: sharedRun({ halt: 'spend-cap' }) }).reader.read(null)
    const hostile = runs.map((run) => ({ ...run, id: `\u001b]0;owned\u0007${run.id}\r` }))
    expect(statusText({ runs: hostile, workers })).toBe(statusText({ runs, workers }))
  })

  test('needs none when it is done, or waits at its cap, which says how to go on', async () => {
    const done = await world({ run: { ...RUN, status: 'done' }, pending: 0 }).reader.read(RUN.id)
    expect(statusText(done)).not.toContain('Nobody works on it:')
    const halted = await world({ shared: sharedRun({ halt: 'spend-cap', capMicroUsd: 5_000_000 }) }).reader.read(null)
    expect(statusText(halted)).toContain(`quorate debate QUESTIONS --resume ${RUN.id} --detach --max-cost USD`)
    expect(statusText(halted)).not.toContain('Nobody works on it:')
  })
})

test('names of workers reach the terminal without what would move its cursor', async () => {
  const workers = [workerOf({ name: 'm\u001b[2J 1' })]
  expect(statusText(await world({ workers }).reader.read(null))).not.toContain('\u001b')
})

const FAILED = { 'agent-failure': 0, 'time-out': 0, error: 0 }

function sharedRun(change: Partial<SharedRun> = {}): SharedRun {
  return {
    ...{ runId: RUN.id, createdAt: 1, options: '{}', halt: null, capMicroUsd: null },
    ...{ committedMicroUsd: 0, reservedMicroUsd: 0, openCalls: 0 },
    ...change,
  }
}

function workerOf(change: Partial<StoredWorker & { silentMs: number }>): StoredWorker & { readonly silentMs: number } {
  return {
    ...{ id: 'w', name: 'm 1', version: '1.0.0', queues: JSON.stringify([queueOf(RUN.configHash)]), startedAt: 0 },
    ...{ seenAt: 9000, endedAt: null, debates: 0, inFlight: 0, ended: 0, answered: 0, takenOver: 0, silentMs: 500 },
    ...change,
  }
}

function spendOf(answered: number): Spend {
  return {
    calls: { open: 0, answered, refused: 0, lost: 0 },
    ...{ inputTokens: 0, outputTokens: 0, committedMicroUsd: answered, reservedMicroUsd: 0, unpricedCalls: 0 },
  }
}
