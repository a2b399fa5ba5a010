import { describe, expect, test } from 'vitest'
import type { RunPlan } from '../../src/run/run-plan.ts'
import type { JobQueue, LeasedJob } from '../../src/run/workers/job-queue.ts'
import { createOpenRuns } from '../../src/run/workers/open-runs.ts'
import { writeOptions } from '../../src/run/workers/run-options.ts'
import { createSharedQueue } from '../../src/run/workers/shared-queue.ts'
import { NotOurs, type SharedRunContext, type SharedRunTools } from '../../src/run/workers/shared-run.ts'
import type { SharedStore } from '../../src/store/shared-store.ts'
import type { Store } from '../../src/store/store.ts'
import { sampleRun } from '../store/samples.ts'
import { onlyParts } from './only-parts.ts'

const LIMITS = {
  committedMicroUsd: 0,
  reservedMicroUsd: 0,
  openCalls: 0,
  halt: null,
  haltWords: null,
  capMicroUsd: null,
}
const MINUTE = 60_000
const PANEL = onlyParts<RunPlan['panel']>({
  agents: [onlyParts<Agent>({ name: 'a', model: 'house/m', baseURL: undefined })],
  judge: undefined,
  grader: undefined,
})
const PRICES = { 'house/m': { inputMicroUsd: 7, outputMicroUsd: 9 } }
const TERMS = { plan: { panel: PANEL, prices: PRICES, allowUnpriced: false }, served: null }
type Agent = RunPlan['panel']['agents'][number]

interface Stored {
  readonly options?: string
  readonly capMicroUsd?: number | null
  /** Prices in the worker's config. */
  readonly hash?: string
}

/** Runs that count how often they were read. */
function openRuns({
  options = writeOptions(null, TERMS),
  capMicroUsd = null,
  hash = sampleRun().configHash,
}: Stored = {}) {
  let time = 0
  const read: string[] = []
  const tools = onlyParts<SharedRunTools>({
    now: () => time,
    newId: () => 'id',
    sleep: async () => {},
    models: new Map(),
    stopping: new AbortController().signal,
    traffic: {},
    warning: undefined,
    store: onlyParts<Store>({
      runs: {
        async find(id) {
          read.push(id)
          return id === 'unknown' ? null : sampleRun({ id })
        },
      },
    }),
    shared: onlyParts<SharedStore>({
      calls: {},
      runs: { find: async (runId) => ({ ...LIMITS, runId, createdAt: 1, options, capMicroUsd }) },
    }),
  })
  const runs = createOpenRuns(
    onlyParts<RunPlan>({ prices: {}, panel: PANEL, limits: {}, hash, telemetry: undefined }),
    tools,
  )
  return {
    runs,
    read,
    pass: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

const answer = async ({ calls }: SharedRunContext) => {
  calls.meter.countCached()
}

test('a run is read once for all of its questions, even concurrent ones', async () => {
  const { runs, read } = openRuns()
  await Promise.all(Array.from({ length: 20 }, () => runs.within('one', answer)))
  await runs.within('two', answer)
  expect(read).toEqual(['one', 'two'])
  expect(runs.answered()).toBe(21)
})

test('a run that was idle for a while is forgotten, and its calls stay counted', async () => {
  const { runs, read, pass } = openRuns()
  await runs.within('one', answer)
  pass(MINUTE - 1)
  runs.forgetIdle()
  await runs.within('one', answer)
  expect(read.length).toBe(1)
  pass(MINUTE)
  runs.forgetIdle()
  expect(runs.answered()).toBe(2)
  await runs.within('one', answer)
  expect(read.length).toBe(2)
  expect(runs.answered()).toBe(3)
})

test('a run that is forgotten during a debate counts its later answers too', async () => {
  const { runs } = openRuns()
  let end = () => {}
  const debate = runs.within('one', async (run) => {
    await new Promise<void>((resolve) => (end = resolve))
    await answer(run)
  })
  await new Promise(setImmediate)
  runs.forget('one')
  await runs.within('one', answer)
  expect(runs.answered()).toBe(1)
  end()
  await debate
  expect(runs.answered()).toBe(2)
})

test('a run is kept as long as one of its questions is leased', async () => {
  const { runs, read, pass } = openRuns()
  let end = () => {}
  const inUse = runs.within('one', () => new Promise<void>((resolve) => (end = resolve)))
  await new Promise(setImmediate)
  pass(60 * MINUTE)
  runs.forgetIdle()
  await runs.within('one', answer)
  expect(read.length).toBe(1)
  end()
  await inUse
})

test('a run that could not be opened is tried again', async () => {
  const { runs, read } = openRuns()
  for (let tries = 0; tries < 2; tries++) {
    await expect(runs.within('unknown', answer)).rejects.toThrow('is not in this store')
  }
  expect(read.length).toBe(2)
})

test('a run is paid for at its own prices, whatever the config of the worker says', async () => {
  const { runs } = openRuns({ capMicroUsd: 1_000_000 })
  expect(await runs.within('one', async ({ calls }) => calls.prices)).toEqual(PRICES)
})

test('a run with a cap and no prices is not for a worker that has none; without a cap it is', async () => {
  const { prices: _, ...old } = JSON.parse(writeOptions(null, TERMS))
  const options = JSON.stringify(old)
  const capped = openRuns({ options, capMicroUsd: 5_000_000 }).runs.within('one', answer)
  await expect(capped).rejects.toThrow('run one is left to other workers: house/m must have a price')
  await expect(capped).rejects.toBeInstanceOf(NotOurs)
  await openRuns({ options }).runs.within('one', answer)
})

test('a run of another config is not for this worker', async () => {
  const foreign = openRuns({ hash: 'another' }).runs.within('one', answer)
  await expect(foreign).rejects.toBeInstanceOf(NotOurs)
})

describe('a run whose provider refuses the key', () => {
  const JOB = { id: 'job', runId: 'one', questionId: 'q1', retryCount: 0 } as LeasedJob

  function queueOver(halted: boolean) {
    const { runs, read } = openRuns()
    const [halts, logged]: [unknown[], string[]] = [[], []]
    const shared = onlyParts<SharedStore>({
      runs: {
        async halt(...given: unknown[]) {
          halts.push(given)
          return halted
        },
      },
    })
    const queue = createSharedQueue({
      jobs: onlyParts<JobQueue>({}),
      runs,
      tools: { shared, newId: () => 'id', now: () => 0, sleep: async () => {} },
      log: (words) => void logged.push(words),
      logThrottled: () => {},
      onTaken: () => {},
      keepJobs: async () => {},
    })
    return { runs, read, queue, halts, logged }
  }

  test('is halted with the reason and the next step, and starts again when it is resumed', async () => {
    const { runs, read, queue, halts, logged } = queueOver(true)
    await runs.within('one', async ({ tools }) => tools.warning?.refused('401 invalid key'))
    expect(await queue.pause({ job: JOB, fence: 'f', isTaken: true }, 'refused')).toBe('complete')
    const words = '401 invalid key. No further call is sent. Correct the key or the model, then resume the run.'
    expect(halts).toEqual([['one', 'refused', { questionId: 'q1', fence: 'f', words }]])
    expect(logged).toEqual([`run one stops: ${words}`])
    await runs.within('one', async ({ tools }) => expect(tools.warning?.found()).toBeNull())
    expect(read).toEqual(['one', 'one'])
  })

  test('is not halted again, without its reason, by a question that was debated beside it', async () => {
    const { runs, queue, halts } = queueOver(true)
    await runs.within('one', async ({ tools }) => tools.warning?.refused('401 invalid key'))
    await queue.pause({ job: JOB, fence: 'f', isTaken: true }, 'refused')
    // It may be resumed by now. If it is not, nobody can take the question.
    expect(await queue.pause({ job: { ...JOB, questionId: 'q2' }, fence: 'g', isTaken: true }, 'refused')).toBe(
      'release',
    )
    expect(halts).toHaveLength(1)
  })

  test('is not logged as halted if another worker has the question by now', async () => {
    const { runs, queue, logged } = queueOver(false)
    await runs.within('one', async ({ tools }) => tools.warning?.refused('401 invalid key'))
    await queue.pause({ job: JOB, fence: 'f', isTaken: true }, 'refused')
    expect(logged).toEqual([])
  })

  test('takes the share that may be unreadable from the command that started it', async () => {
    const strict = writeOptions(null, { ...TERMS, plan: { ...TERMS.plan, maxUnreadable: 0 } })
    const { runs } = openRuns({ options: strict })
    const turns = Array.from({ length: 20 }, (_, at) => ({
      agent: 'a',
      answer: at === 0 ? null : 'A',
      beliefs: null,
      text: 'x',
    }))
    await runs.within('one', async ({ tools }) => tools.warning?.count(turns))
    expect(runs.warningOf('one')?.kind).toBe('unreadable')
  })
})
