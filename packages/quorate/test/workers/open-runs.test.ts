import { expect, test } from 'vitest'
import type { RunPlan } from '../../src/runs/run-plan.ts'
import type { SharedStore } from '../../src/store/shared-store.ts'
import type { Store } from '../../src/store/store.ts'
import { createOpenRuns } from '../../src/workers/open-runs.ts'
import { writeOptions } from '../../src/workers/run-options.ts'
import type { SharedJob, SharedJobTools } from '../../src/workers/shared-job.ts'
import { sampleRun } from '../store/samples.ts'
import { onlyParts } from './only-parts.ts'

const LIMITS = { committedMicroUsd: 0, reservedMicroUsd: 0, openCalls: 0, halt: null, capMicroUsd: null }
const MINUTE = 60_000
const TERMS = { allowUnpriced: false, served: null }

/** Runs that say how often they were read. */
function openRuns() {
  let time = 0
  const read: string[] = []
  const tools = onlyParts<SharedJobTools>({
    ...{ now: () => time, newId: () => 'id', sleep: async () => {}, models: new Map() },
    ...{ stopping: new AbortController().signal, traffic: {} },
    store: onlyParts<Store>({
      runs: {
        async find(id) {
          read.push(id)
          return id === 'unknown' ? null : sampleRun({ id })
        },
      },
    }),
    shared: onlyParts<SharedStore>({
      ...{ calls: {} },
      runs: { find: async (runId) => ({ ...LIMITS, runId, createdAt: 1, options: writeOptions(null, TERMS) }) },
    }),
  })
  const runs = createOpenRuns(onlyParts<RunPlan>({ prices: {} }), tools)
  return {
    runs,
    read,
    pass: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

const answer = async ({ purse }: SharedJob) => {
  purse.countCached()
}

test('a run is read once for all of its questions, also those that come at the same time', async () => {
  const { runs, read } = openRuns()
  await Promise.all(Array.from({ length: 20 }, () => runs.within('one', answer)))
  await runs.within('two', answer)
  expect(read).toEqual(['one', 'two'])
  expect(runs.answered()).toBe(21)
})

test('a run of which nothing came for a while is let go, and what it did stays counted', async () => {
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

test('a run is kept as long as one of its questions is held', async () => {
  const { runs, read, pass } = openRuns()
  let end = () => {}
  const held = runs.within('one', () => new Promise<void>((resolve) => (end = resolve)))
  await new Promise(setImmediate)
  pass(60 * MINUTE)
  runs.forgetIdle()
  await runs.within('one', answer)
  expect(read.length).toBe(1)
  end()
  await held
})

test('a run that could not be opened is tried anew', async () => {
  const { runs, read } = openRuns()
  for (let tries = 0; tries < 2; tries++) {
    await expect(runs.within('unknown', answer)).rejects.toThrow('is not in this store')
  }
  expect(read.length).toBe(2)
})
