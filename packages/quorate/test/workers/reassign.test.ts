import { describe, expect, test } from 'vitest'
import { type LeasedJob, openQueue } from '../../src/run/workers/job-queue.ts'
import { createReassign } from '../../src/run/workers/worker.ts'
import type { StoredWorker } from '../../src/store/shared-store.ts'
import { privatePostgres } from '../store/private-postgres.ts'

const JOB: LeasedJob = { id: 'job', runId: 'run', questionId: 'q0', retryCount: 2 }
const WORKER = { id: 'a', name: 'machine 1', queues: '["ours"]', jobs: JSON.stringify([JOB]) }

/** A worker that checks for gone workers, with results from the test. */
function reassigning() {
  let gone: readonly Pick<StoredWorker, 'id' | 'name' | 'queues' | 'jobs'>[] = []
  const released: LeasedJob[] = []
  const kept: string[] = []
  const logged: string[] = []
  let now = 0
  let isNew = true
  const reassign = createReassign({
    queue: { release: async (jobs) => void released.push(...jobs) },
    tools: {
      shared: {
        workers: {
          gone: async () => gone,
          keepJobs: async (id, jobs) => void kept.push(`${id} ${jobs}`),
          keepSession: async () => isNew,
        },
      },
    },
    me: { id: 'me', queues: '["ours"]' },
    elapsed: () => now,
    log: (words) => logged.push(words),
  })
  /** Half a second after the last check. */
  const check = async (found: typeof gone) => {
    gone = found
    now += 500
    await reassign()
    isNew = false
  }
  const pass = async (times: number) => {
    for (let at = 0; at < times; at++) await check([])
  }
  const reconnect = () => {
    isNew = true
  }
  return { check, pass, reconnect, released, kept, logged }
}

describe('the jobs of a worker that is gone', () => {
  test('are released once, after it is found gone twice in a row', async () => {
    const { check, pass, released, kept, logged } = reassigning()
    await pass(11)
    await check([WORKER])
    expect(released).toEqual([])
    await check([WORKER])
    expect(released).toEqual([JOB])
    expect(kept).toEqual(['a []'])
    expect(logged).toEqual(['worker machine 1 is gone: its questions go to other workers'])
    await check([])
    expect(released.length).toBe(1)
  })

  test('stay while the session of the checking worker is younger than five seconds', async () => {
    const { check, pass, reconnect, released } = reassigning()
    await pass(11)
    reconnect()
    for (let at = 0; at < 11; at++) await check([WORKER])
    expect(released).toEqual([])
    await check([WORKER])
    expect(released).toEqual([JOB])
  })

  test('stay if the worker is back in between: after an outage of the database all workers seem gone at first', async () => {
    const { check, pass, released } = reassigning()
    await pass(11)
    for (const found of [[WORKER], [], [WORKER], []]) await check(found)
    expect(released).toEqual([])
  })

  test('of another config are left to its own workers', async () => {
    const { check, pass, released } = reassigning()
    await pass(11)
    const other = { ...WORKER, queues: '["others"]' }
    await check([other])
    await check([other])
    expect(released).toEqual([])
  })

  test('that cannot be read are an error, and nothing is released', async () => {
    const { check, pass, released } = reassigning()
    await pass(11)
    const damaged = { ...WORKER, jobs: '[{"id":1}]' }
    await check([damaged])
    await expect(check([damaged])).rejects.toMatchObject({ kind: 'damaged' })
    expect(released).toEqual([])
  })
})

const postgres = await privatePostgres()

if (postgres.kind === 'absent') {
  test.skip(`workers that are gone: ${postgres.reason}`, () => {})
} else {
  const NONE = { debates: 0, inFlight: 0, ended: 0, answered: 0, takenOver: 0 }
  const ABOUT = { name: 'm', version: '1', queues: '["ours"]', startedAt: 0, endedAt: null, ...NONE }
  const twoStores = async () => {
    const { url } = await postgres.freshUrl()
    const { openPostgres } = await import('../../src/store/postgres/open-postgres.ts')
    const stores = [await openPostgres(url, { now: () => 0 }), await openPostgres(url, { now: () => 0 })] as const
    const [one, two] = [stores[0].shared, stores[1].shared]
    if (one === null || two === null) throw new Error('PostgreSQL has no shared store')
    return { stores, one, two }
  }
  /** Workers without a session, however recent their last heartbeat is. */
  const goneAtAll = async ({ workers }: Awaited<ReturnType<typeof twoStores>>['two']) =>
    (await workers.gone(0)).map(({ id }) => id)

  describe('a worker with a database', () => {
    test('is not gone while its process has a session, however long it sends no heartbeat', async () => {
      const { stores, one, two } = await twoStores()
      await one.workers.seen({ id: 'a', ...ABOUT })
      await one.workers.keepSession('a')
      await one.workers.keepSession('a')
      await one.workers.keepJobs('a', JSON.stringify([JOB]))
      expect(await goneAtAll(two)).toEqual([])
      await stores[0].close()
      await expect.poll(() => goneAtAll(two)).toEqual(['a'])
      expect((await two.workers.gone(3_600_000)).length, 'it was seen within the hour').toBe(0)
      await two.workers.seen({ id: 'a', ...ABOUT, endedAt: 5 })
      expect(await goneAtAll(two), 'it said that it ends').toEqual([])
      await stores[1].close()
    })

    test('opens its session again after the database has ended it', async () => {
      const { stores, one, two } = await twoStores()
      await one.workers.seen({ id: 'a', ...ABOUT })
      await one.workers.keepJobs('a', JSON.stringify([JOB]))
      await one.workers.keepSession('a')
      await two.jobs.executeSql(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid != pg_backend_pid()`,
      )
      await expect.poll(() => goneAtAll(two)).toEqual(['a'])
      await expect
        .poll(async () => {
          await one.workers.keepSession('a')
          return goneAtAll(two)
        })
        .toEqual([])
      for (const store of stores) await store.close()
    })

    test('that is killed loses its job to the next worker that takes it, and its own heartbeat reports that', async () => {
      const { stores, one, two } = await twoStores()
      const failed = (error: unknown) => expect(error).toBeNull()
      const options = { configHash: 'hash', isWorker: false, failed }
      const [first, second] = [
        await openQueue({ ...options, database: one.jobs }),
        await openQueue({ ...options, database: two.jobs }),
      ]
      await first.add([{ runId: 'run', questionId: 'q0' }], one.jobs)
      const leased = await first.take(1)
      await one.workers.seen({ id: 'a', ...ABOUT })
      await one.workers.keepJobs('a', JSON.stringify(leased))
      // Without a session, as after a kill; the jobs stay known.
      let time = 0
      const elapsed = () => time
      const workers = { ...two.workers, gone: () => two.workers.gone(0) }
      const reassign = createReassign({
        queue: second,
        tools: { shared: { workers } },
        me: { ...ABOUT, id: 'b' },
        elapsed,
        log: () => {},
      })
      await reassign()
      time = 5000
      await reassign()
      expect(await first.renew(leased)).toEqual(leased)
      await reassign()
      const taken = await second.take(1)
      expect(taken).toMatchObject([{ questionId: 'q0', retryCount: 1 }])
      expect(await first.renew(leased)).toEqual([])
      await first.done(leased)
      expect(await second.renew(taken), 'heartbeats of the first worker no longer count').toEqual(taken)
      await reassign()
      await reassign()
      expect(await second.renew(taken), 'it is released once').toEqual(taken)
      for (const queue of [first, second]) await queue.stop()
      for (const store of stores) await store.close()
    })
  })
}
