import { describe, expect, test } from 'vitest'
import { redrawn, statusText } from '../../src/cli/text/status-text.ts'
import { queueOf } from '../../src/run/workers/job-queue.ts'
import type { ServedTerms } from '../../src/run/workers/run-options.ts'
import { createStatusReader, isOver } from '../../src/run/workers/run-status.ts'
import type { SharedRun, SharedStore, StoredWorker } from '../../src/store/shared-store.ts'
import type { DecisionStore, Run, Spend, Store } from '../../src/store/store.ts'
import { textColumns } from '../../src/text/text-columns.ts'
import { sampleRun } from '../store/samples.ts'
import { onlyParts } from './only-parts.ts'

const RUN = sampleRun({ configHash: 'a'.repeat(64) })
const SHORT = RUN.id.slice(0, 13)
const NOW = 1_800_000_000_000

interface World {
  run: Run
  shared: SharedRun
  pending: number
  answered: number
  workers: readonly (StoredWorker & { readonly silentMs: number })[]
  failed: number
  isOwned: boolean
  /** Time of the last row of its ledger. */
  closedAt: number
  decisions: Awaited<ReturnType<DecisionStore['counts']>>
  /** How many milliseconds it takes to read all calls. */
  scanMs: number
}

/** A store that counts how often all of its calls were read. */
function world(change: Partial<World> = {}) {
  let time = 0
  let scans = 0
  const state: World = {
    run: RUN,
    shared: sharedRun(),
    pending: 10,
    answered: 0,
    workers: [],
    scanMs: 0,
    failed: 0,
    isOwned: false,
    closedAt: NOW - 60_000,
    decisions: [],
    ...change,
  }
  const store = onlyParts<Store>({
    runs: {
      find: async () => state.run,
      list: async () => [state.run],
      counts: async () => {
        const { pending, failed } = state
        return { pending, done: 20 - pending - failed, ...FAILED, 'agent-failure': failed }
      },
    },
    decisions: { counts: async () => state.decisions },
    ledger: {
      head: async () => ({ runId: RUN.id, sequence: 9, line: JSON.stringify({ at: state.closedAt }), hash: '' }),
    },
    calls: {
      async spend() {
        scans += 1
        time += state.scanMs
        return spendOf(state.answered)
      },
    },
  })
  const shared = onlyParts<SharedStore>({
    runs: {
      find: async () => state.shared,
      isOwned: async () => state.isOwned,
      open: async () => (state.run.status === 'open' ? [state.shared] : []),
    },
    workers: { list: async () => state.workers },
  })
  const reader = createStatusReader(store, shared, { elapsed: () => time, now: () => NOW })
  return {
    state,
    reader,
    scans: () => scans,
    pass: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

describe('the progress of a run', () => {
  test('is shown with its speed from the second poll on, and the time that the speed covers', async () => {
    const { reader, state, pass } = world({ workers: [workerOf({})] })
    const first = await reader.read(null)
    expect(first.runs[0]).toMatchObject({ id: RUN.id, speed: null, countedMsAgo: 0, servedBy: 1 })
    pass(2000)
    Object.assign(state, { pending: 6, answered: 100 })
    const second = await reader.read(null)
    expect(second.runs[0]?.speed).toEqual({ debatesPerSecond: 2, callsPerSecond: 50, overMs: 2000 })
    expect(statusText(second)).toContain('  14 of 20 questions\n  2.0 debates/s, 50 calls/s over the last 2 s\n')
  })

  test('is averaged over the last minute; the remaining time is shown once enough is known', async () => {
    const { reader, state, pass } = world({ workers: [workerOf({})], pending: 20 })
    const texts: string[] = []
    for (let look = 0; look <= 50; look++) {
      // Nothing for a minute, then one call a second and a debate every eight.
      const seconds = Math.max(0, 2 * look - 60)
      Object.assign(state, { pending: 20 - Math.floor(seconds / 8), answered: seconds })
      texts.push(statusText(await reader.read(null)))
      pass(2000)
    }
    expect(texts[9]).toContain('0.0 debates/s, 0.0 calls/s over the last 18 s\n')
    expect(texts[45]).toContain('0.1 debates/s, 0.5 calls/s over the last 1 min, about 6 min left\n')
    expect(texts[50]).toContain('0.1 debates/s, 0.7 calls/s over the last 1 min, about 3 min left\n')
  })

  test('is not counted again at every poll if counting takes long, and shows the age of the counts', async () => {
    const { reader, scans, pass, state } = world({ scanMs: 1000, workers: [workerOf({})] })
    for (let look = 0; look < 30; look++) {
      await reader.read(null)
      pass(2000)
    }
    // A minute, of which at most a twentieth is spent on counting.
    expect(scans()).toBe(3)
    state.scanMs = 0
    pass(18_000)
    await reader.read(null)
    pass(2000)
    expect((await reader.read(null)).runs[0]?.countedMsAgo).toBe(0)
  })

  test('shows the age of its counts', async () => {
    const { reader, pass } = world({ scanMs: 1000, workers: [workerOf({})] })
    expect(statusText(await reader.read(null))).not.toContain('counted')
    pass(12_000)
    expect(statusText(await reader.read(null))).toContain('0 calls answered, 0 open (counted 12 s ago)')
  })

  test('has the spend of a run with a cap up to the last commit, also between counts', async () => {
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
    expect(statusText(status)).toContain('In the queue, and no worker works on it: no worker is alive.')
    expect(statusText(status)).toContain('aaaaaaaaaaaaaaaa')
  })

  test('names workers with another config', async () => {
    const workers = [workerOf({ queues: JSON.stringify([queueOf('b'.repeat(64))]) })]
    const status = await world({ workers }).reader.read(null)
    expect(status.runs[0]?.servedBy).toBe(0)
    expect(statusText(status)).toContain('1 worker alive, none with its config')
    expect(statusText(status)).toMatch(/m 1 +bbbbbbbb +idle/)
  })

  test('does not count workers that are silent or ended', async () => {
    const workers = [workerOf({ silentMs: 11_000 }), workerOf({ endedAt: 5 })]
    const status = await world({ workers }).reader.read(null)
    expect(status.workers.map(({ state }) => state)).toEqual(['silent', 'ended'])
    expect(status.runs[0]?.servedBy).toBe(0)
  })

  test('cannot control the terminal through its id', async () => {
    const { runs, workers } = await world({ shared: sharedRun({ halt: 'spend-cap' }) }).reader.read(null)
    const hostile = runs.map((run) => ({ ...run, id: `\u001b]0;owned\u0007${run.id}\r` }))
    expect(statusText({ runs: hostile, workers })).toBe(statusText({ runs, workers }))
  })

  test('needs no worker when it is done or at its cap, and shows how to continue', async () => {
    const done = await world({ run: { ...RUN, status: 'done' }, pending: 0 }).reader.read(RUN.id)
    expect(statusText(done)).not.toContain('no worker works on it:')
    const halted = await world({ shared: sharedRun({ halt: 'spend-cap', capMicroUsd: 5_000_000 }) }).reader.read(null)
    expect(statusText(halted)).toContain(`quorate debate QUESTIONS --resume ${SHORT} --detach --max-cost USD`)
    expect(statusText(halted)).not.toContain('In the queue')
    const stopped = statusText(await world({ shared: sharedRun({ halt: 'stopped' }) }).reader.read(null))
    expect(stopped).toContain(`Continue:\n  quorate debate QUESTIONS --resume ${SHORT} --detach\n`)
    expect(stopped).not.toContain('spend cap')
  })
})

describe('a run that one process took back', () => {
  const GIVE = `  quorate debate QUESTIONS --resume ${SHORT} --detach\n`

  test('is shown as owned while calls are open, and otherwise with how to give it to workers', async () => {
    const owned = await world({ isOwned: true, workers: [workerOf({})] }).reader.read(null)
    const taken = '  Not in the queue: it was taken back by --resume. Give it to workers:\n'
    expect(statusText(owned)).toContain(`${taken}${GIVE}`)
    const asking = { ...owned, runs: owned.runs.map((run) => ({ ...run, spend: spendOf(3, 2) })) }
    const own = '  One process works on it (--resume without --detach). If that process has ended:\n'
    expect(statusText(asking)).toContain(`${own}${GIVE}`)
  })

  test('is not shown as halted, though it was before', async () => {
    const { runs, workers } = await world({ isOwned: true, shared: sharedRun({ halt: 'spend-cap' }) }).reader.read(null)
    expect(runs.map(isOver)).toEqual([false])
    expect(statusText({ runs, workers })).not.toContain('Halted')
  })
})

describe('a run that ended', () => {
  const DONE = { ...RUN, status: 'done' as const }

  test('is listed for an hour, with what failed and what to do next', async () => {
    const { reader } = world({ run: DONE, pending: 0, failed: 2, answered: 54 })
    expect(statusText(await reader.read(null))).toBe(
      `Run ${SHORT}, debate, done: 18 of 20 debated, 2 failed\n` +
        '  54 calls answered, 0 open\n  0.000054 USD spent\n' +
        `  again: quorate debate QUESTIONS --resume ${SHORT} --retry-errors --detach\n` +
        `  result: quorate export --run ${SHORT} --what debates --out FILE\n`,
    )
    const late = await world({ run: DONE, pending: 0, closedAt: NOW - 3_600_001 }).reader.read(null)
    expect(late.runs).toEqual([])
    expect(statusText(late)).toContain('No run is open, and none ended in the last hour.')
  })

  test('of decisions says how many acted and how many were deferred', async () => {
    const decisions = [
      { kind: 'act', reason: null, count: 12 },
      { kind: 'defer', reason: 'bound-low', count: 6 },
      { kind: 'defer', reason: 'agent-failure', count: 2 },
    ] as const
    const run = { ...DONE, kind: 'decide' as const }
    const text = statusText(await world({ run, pending: 0, failed: 2, decisions }).reader.read(null))
    expect(text).toContain(`Run ${SHORT}, decide, done: 12 acted, 8 deferred (2 failed)\n`)
    expect(text).toContain(
      `  again: quorate decide QUESTIONS --certificate FILE --resume ${SHORT} \\\n           --retry-errors --detach\n`,
    )
    expect(text).toContain('--what decisions --out FILE\n')
    expect(widest(text)).toBeLessThanOrEqual(80)
  })

  test('while it was watched stays listed, however old it is, and is no longer counted', async () => {
    const { reader, state, scans, pass } = world({ closedAt: 0 })
    expect((await reader.read(null)).runs).toMatchObject([{ status: 'open' }])
    Object.assign(state, { run: DONE, pending: 0 })
    for (let look = 0; look < 5; look++) {
      pass(2000)
      expect((await reader.read(null)).runs).toMatchObject([{ status: 'done', countedMsAgo: 0 }])
    }
    expect(scans()).toBe(2)
  })
})

test('a run that was never given to workers shows how to do that', async () => {
  expect(statusText({ runs: [], workers: [] }, RUN)).toContain(
    `Run ${SHORT}, debate, was never given to workers. Give it to them:\n  quorate debate QUESTIONS --resume ${SHORT} --detach\n`,
  )
})

test('costs are shown as spent, reserved and cap, and a run of a server as one that stays open', async () => {
  const options = optionsOf({ allowSeen: false, targets: [] })
  const { runs, workers } = await world({ shared: sharedRun({ capMicroUsd: 3e6, options }) }).reader.read(null)
  const spend = { ...spendOf(9, 4), committedMicroUsd: 450_000, reservedMicroUsd: 2_480_000 }
  const text = statusText({ runs: runs.map((run) => ({ ...run, spend })), workers })
  expect(text).toContain('  0.45 USD spent, 2.48 USD reserved for open calls, cap 3.00 USD\n')
  expect(text).toContain(`Run ${SHORT}, debate, server, stays open\n`)
})

describe('the workers', () => {
  const MANY = { debates: 8, inFlight: 128, ended: 123_456, answered: 12_345_678, takenOver: 12 }

  test('are a table of live workers, 80 columns wide, and one line for the others', async () => {
    const name = 'a-rather-long-name-of-a-machine-in-a-cluster.example 4711'
    const gone = [...Array.from({ length: 12 }, () => workerOf({ endedAt: 5 })), workerOf({ name, silentMs: 200_000 })]
    const workers = [...gone, workerOf({ ...MANY, name })]
    const text = statusText(await world({ workers }).reader.read(null))
    expect(text).toContain('\n1 worker alive\n')
    expect(text).toMatch(/^a-rath…e 4711 {2}aaaaaaaa {2}working +8 +128 {2}123,456 {2}12,345,678 +12$/m)
    expect(text).toContain('ended, calls, taken (over from other workers): since it began\n')
    expect(text).toContain('12 ended, 1 silent (a-rather…le 4711, 4 min ago: its questions go to others)\n')
    expect(widest(text)).toBeLessThanOrEqual(80)
  })

  test('of other configs are not shown with one run', async () => {
    const workers = [workerOf({ name: 'ours' }), workerOf({ name: 'theirs', queues: '["quorate-b"]' })]
    const status = await world({ workers }).reader.read(RUN.id)
    expect(statusText(status, RUN)).not.toContain('theirs')
    expect(statusText(status, RUN)).toContain('1 worker of other configs not shown\n')
    expect(statusText(status)).toContain('theirs')
  })
})

test('a status replaces the previous one on a terminal with room for it', () => {
  expect(redrawn('b\n', null, { rows: 24, columns: 80 })).toBe('b\n')
  expect(redrawn('b\n', 'a\na\n', { rows: 24, columns: 80 })).toBe('\u001b[2A\u001b[Jb\n')
  for (const screen of [null, { rows: 2, columns: 80 }, { rows: 24, columns: 79 }]) {
    expect(redrawn('b\n', 'a\na\n', screen)).toBe('\nb\n')
  }
})

test('names of workers reach the terminal without control characters', async () => {
  const workers = [workerOf({ name: 'm\u001b[2J 1' })]
  expect(statusText(await world({ workers }).reader.read(null))).not.toContain('\u001b')
})

const FAILED = { 'agent-failure': 0, 'time-out': 0, error: 0 }

function sharedRun(change: Partial<SharedRun> = {}): SharedRun {
  return {
    runId: RUN.id,
    createdAt: 1,
    options: optionsOf(null),
    halt: null,
    haltWords: null,
    capMicroUsd: null,
    committedMicroUsd: 0,
    reservedMicroUsd: 0,
    openCalls: 0,
    ...change,
  }
}

function workerOf(change: Partial<StoredWorker & { silentMs: number }>): StoredWorker & { readonly silentMs: number } {
  return {
    id: 'w',
    name: 'm 1',
    version: '1.0.0',
    queues: JSON.stringify([queueOf(RUN.configHash)]),
    startedAt: 0,
    seenAt: 9000,
    endedAt: null,
    debates: 0,
    inFlight: 0,
    ended: 0,
    answered: 0,
    takenOver: 0,
    silentMs: 500,
    jobs: '[]',
    ...change,
  }
}

function optionsOf(served: ServedTerms | null): string {
  return JSON.stringify({ allowMismatch: false, allowUnpriced: false, seen: [], prices: null, served })
}

function widest(text: string): number {
  return Math.max(...text.split('\n').map(textColumns))
}

function spendOf(answered: number, open = 0): Spend {
  return {
    calls: { open, answered, refused: 0, lost: 0 },
    inputTokens: 0,
    outputTokens: 0,
    committedMicroUsd: answered,
    reservedMicroUsd: 0,
    unpricedCalls: 0,
  }
}
