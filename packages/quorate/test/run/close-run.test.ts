import { expect, test } from 'vitest'
import { StoreError } from '../../src/record/store-error.ts'
import { closeEnded } from '../../src/run/close-run.ts'
import { createRefill } from '../../src/run/workers/worker.ts'
import type { SharedRun, SharedStore } from '../../src/store/shared-store.ts'
import type { RunQuestion, Store } from '../../src/store/store.ts'
import { sampleRun } from '../store/samples.ts'
import { onlyParts } from '../workers/only-parts.ts'
import { memoryStore, runWorld, samplePlan, simulatedQuestions } from './run-world.ts'

const number = (position: number) => String(position).padStart(4, '0')

function sharedRun(runId: string, served: object | null = null): SharedRun {
  const options = JSON.stringify({ allowMismatch: false, allowUnpriced: false, seen: [], served })
  return {
    runId,
    createdAt: 1,
    options,
    halt: null,
    haltWords: null,
    capMicroUsd: null,
    committedMicroUsd: 0,
    reservedMicroUsd: 0,
    openCalls: 0,
  }
}

/** A store with these open runs, which are read page by page. */
function storeOf(all: readonly SharedRun[], hasPending: (runId: string) => boolean) {
  const looked: string[] = []
  const shared = onlyParts<SharedStore>({
    jobs: {},
    runs: {
      async open(limit, { after = '' } = {}) {
        return all.filter(({ runId }) => runId > after).slice(0, limit)
      },
      async hasPending(runId) {
        looked.push(runId)
        return hasPending(runId)
      },
    },
  })
  return { shared, looked }
}

test('all open runs are checked, however many runs of servers are older', async () => {
  const served = { allowSeen: false, targets: [] }
  const runs = Array.from({ length: 251 }, (_, at) => sharedRun(number(at), at < 250 ? served : null))
  const { shared, looked } = storeOf(runs, () => true)
  await closeEnded({ shared, store: onlyParts<Store>({}), now: () => 1 })
  expect(looked).toEqual([number(250)])
})

test('a run ends even if its sums of calls cannot be stored', async () => {
  const store = memoryStore()
  const keepSums = async () => {
    throw new StoreError('busy', 'store: another process writes')
  }
  const busy: Store = { ...store, calls: { ...store.calls, keepSums } }
  const { runId, spend } = await runWorld({ store: busy, plan: samplePlan({}), questions: simulatedQuestions(3) })
  expect(spend).toEqual(await store.calls.spend(runId))
  expect(await store.runs.find(runId)).toMatchObject({ status: 'done' })
})

test('a run that cannot be read keeps no other from being closed, and is logged', async () => {
  const runs = [{ ...sharedRun('0'), options: '{}' }, sharedRun('1'), sharedRun('2')]
  const { shared, looked } = storeOf(runs, (runId) => {
    if (runId === '1') throw new StoreError('damaged', 'store: a row cannot be read')
    return true
  })
  await expect(closeEnded({ shared, store: onlyParts<Store>({}), now: () => 1 })).rejects.toThrow()
  expect(looked).toEqual(['1', '2'])
})

/** Runs with this many pending questions each. Returns which run was offered how many jobs, in order. */
function refilling(runs: readonly string[], pending: number) {
  const { shared } = storeOf(
    runs.map((runId) => sharedRun(runId)),
    () => true,
  )
  const offered: string[] = []
  const refill = createRefill({
    plan: { hash: 'ours' },
    queue: {
      async add(jobs) {
        const all = [...jobs]
        offered.push(`${all[0]?.runId} ${all.length}`)
      },
    },
    tools: {
      shared,
      store: onlyParts<Store>({
        runs: {
          find: async (id) => sampleRun({ id, configHash: 'ours' }),
          questions: async (runId, { after, limit }) =>
            Array.from({ length: Math.min(limit, pending - after - 1) }, (_, at) =>
              onlyParts<RunQuestion>({ runId, questionId: `q${after + 1 + at}`, position: after + 1 + at }),
            ),
        },
      }),
    },
  })
  return { refill, offered }
}

test('a queue is refilled with one page of a run at a time, until all questions were offered', async () => {
  const { refill, offered } = refilling(['one'], 2500)
  for (let turn = 0; turn < 4; turn++) await refill()
  expect(offered).toEqual(['one 1000', 'one 1000', 'one 500', 'one 1000'])
})

test('a turn of refilling is bounded, and the next turn continues with the remaining runs', async () => {
  const { refill, offered } = refilling(['1', '2', '3', '4', '5', '6', '7'], 9000)
  await refill()
  expect(offered).toEqual(['1 1000', '2 1000', '3 1000', '4 1000', '5 1000'])
  await refill()
  expect(offered.slice(5)).toEqual(['6 1000', '7 1000'])
})
