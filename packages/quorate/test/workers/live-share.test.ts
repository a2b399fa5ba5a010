import { expect, test } from 'vitest'
import { createLiveShare, type LiveShare } from '../../src/run/workers/live-share.ts'
import type { StoredWorker } from '../../src/store/shared-store.ts'
import { onlyParts } from './only-parts.ts'

/** Workers with one clock and one table, into which each writes its heartbeats. */
function fleet() {
  let time = 0
  const seen = new Map<number, number>()
  const list = async () =>
    [...seen.values()].map((at) => ({
      ...onlyParts<StoredWorker>({ queues: '[]' as never, startedAt: 0, seenAt: at, endedAt: null } as never),
      id: '',
      name: '',
      version: '',
      queues: '[]',
      debates: 0,
      inFlight: 0,
      ended: 0,
      answered: 0,
      takenOver: 0,
      startedAt: 0,
      seenAt: at,
      endedAt: null,
      silentMs: time - at,
    }))
  const shares: LiveShare[] = []
  return {
    join() {
      shares.push(createLiveShare({ list }, () => time))
      return shares.length - 1
    },
    async beat(worker: number) {
      seen.set(worker, time)
      await shares[worker]?.refresh()
    },
    pass(milliseconds: number) {
      time += milliseconds
    },
    share: (worker: number) => shares[worker]?.share() ?? 0,
    total: () => shares.reduce((sum, { share }) => sum + share(), 0),
  }
}

test('a worker that is alone has the whole rate after its first heartbeat, and none before', async () => {
  const { join, beat, share } = fleet()
  const only = join()
  expect(share(only)).toBe(0)
  await beat(only)
  expect(share(only)).toBe(1)
})

test('workers that come and go never exceed the rate together, whenever each of them sends heartbeats', async () => {
  const { join, beat, pass, total, share } = fleet()
  const workers = [join()]
  const due = [0]
  for (let step = 0; step < 400; step++) {
    if (step % 60 === 59 && workers.length < 5) {
      workers.push(join())
      due.push(0)
    }
    for (const worker of workers) {
      // One of them is away for a while and comes back.
      const isAway = worker === 1 && step > 200 && step < 260
      if (isAway || (due[worker] ?? 0) > 0) continue
      await beat(worker)
      due[worker] = 3 + ((step * 7 + worker * 3) % 9)
      expect(total()).toBeLessThanOrEqual(1 + 1e-9)
    }
    pass(500)
    for (const worker of workers) due[worker] = (due[worker] ?? 0) - 1
    expect(total()).toBeLessThanOrEqual(1 + 1e-9)
  }
  expect(workers.map((worker) => share(worker))).toEqual(workers.map(() => 1 / 5))
})

test('a worker whose count is old sends nothing until it has counted again', async () => {
  const { join, beat, pass, share } = fleet()
  const only = join()
  await beat(only)
  pass(6000)
  expect(share(only)).toBe(0)
  await beat(only)
  expect(share(only)).toBe(1)
})
