import { afterEach, describe, expect, test } from 'vitest'
import { type JobQueue, jobSchemaOf, openQueue, queueOf } from '../../src/run/workers/job-queue.ts'
import type { JobDatabase } from '../../src/store/shared-store.ts'
import { privatePostgres } from '../store/private-postgres.ts'

const postgres = await privatePostgres()

if (postgres.kind === 'absent') {
  test.skip(`jobs of several workers: ${postgres.reason}`, () => {})
} else {
  const open: JobQueue[] = []
  afterEach(async () => {
    for (const queue of open.splice(0)) await queue.stop()
  })
  const database = async () => {
    const { url, schema } = await postgres.freshUrl()
    const { openPostgres } = await import('../../src/store/postgres/open-postgres.ts')
    const store = await openPostgres(url, { now: () => 0, connections: 4 })
    if (store.shared === null) throw new Error('PostgreSQL has no shared store')
    return { jobs: store.shared.jobs, schema: `${schema}_jobs` }
  }
  const queueFor = async (jobs: JobDatabase, { configHash = 'hash', isWorker = false } = {}) => {
    const queue = await openQueue({ database: jobs, configHash, isWorker, failed: (error) => expect(error).toBe(null) })
    open.push(queue)
    return queue
  }
  const questions = (count: number, runId = 'run') =>
    Array.from({ length: count }, (_, number) => ({ runId, questionId: `q${number}` }))
  const ids = (jobs: readonly { readonly questionId: string }[]) => jobs.map(({ questionId }) => questionId).toSorted()

  describe('the queue of a config', () => {
    test('has a question once, however often it is added while it waits or is leased', async () => {
      const { jobs } = await database()
      const queue = await queueFor(jobs)
      await queue.add(questions(3), jobs)
      await queue.add(questions(3), jobs)
      await queue.add(questions(3, 'another run'), jobs)
      const taken = await queue.take(20)
      expect(taken.length).toBe(6)
      await queue.add(questions(3), jobs)
      expect(await queue.take(20)).toEqual([])
    })

    test('gives a question again when it was done and is added again', async () => {
      const { jobs } = await database()
      const queue = await queueFor(jobs)
      await queue.add(questions(1), jobs)
      await queue.done(await queue.take(1))
      expect(await queue.take(1)).toEqual([])
      await queue.add(questions(1), jobs)
      expect(ids(await queue.take(1))).toEqual(['q0'])
    })

    test('gives each job to one of several concurrent takers', async () => {
      const { jobs } = await database()
      const queues = [await queueFor(jobs), await queueFor(jobs)]
      await queues[0]?.add(questions(60), jobs)
      const taken = await Promise.all(Array.from({ length: 12 }, (_, turn) => queues[turn % 2]?.take(6) ?? []))
      expect(ids(taken.flat())).toEqual(ids(questions(60)))
    })

    test('gives what was released to others, with the number of tries', async () => {
      const { jobs } = await database()
      const [one, two] = [await queueFor(jobs), await queueFor(jobs)]
      await one.add(questions(1), jobs)
      const taken = await one.take(1)
      expect(taken).toMatchObject([{ retryCount: 0 }])
      await one.release(taken)
      await expect.poll(() => two.take(1)).toMatchObject([{ questionId: 'q0', retryCount: 1 }])
    })

    test('gives released and abandoned jobs before new ones', async () => {
      const { jobs, schema } = await database()
      const queue = await queueFor(jobs, { isWorker: true })
      // Enough jobs that the database uses its index, as in any run for several workers.
      await queue.add(questions(3000), jobs)
      await postgres.admin.query(`analyze ${schema}.job`)
      const [released, left] = [await queue.take(2), await queue.take(2)]
      await queue.release(released)
      await expect.poll(async () => ids(await queue.take(2))).toEqual(ids(released))
      const silent = `update ${schema}.job set heartbeat_on = now() - interval '11 s' where id = any($1::uuid[])`
      await postgres.admin.query(silent, [left.map(({ id }) => id)])
      const isBack = `select count(*)::int as count from ${schema}.job where state = 'retry' and id = any($1::uuid[])`
      const back = async () => (await postgres.admin.query(isBack, [left.map(({ id }) => id)])).rows[0].count
      await expect.poll(back, { interval: 200 }).toBe(2)
      expect(ids(await queue.take(2))).toEqual(ids(left))
    })

    test('puts jobs that were tried a few times behind the others', async () => {
      const { jobs, schema } = await database()
      const queue = await queueFor(jobs)
      await queue.add(questions(1), jobs)
      const priority = async () => (await postgres.admin.query(`select priority from ${schema}.job`)).rows[0].priority
      for (let tries = 0; tries < 6; tries++) {
        const taken = await queue.take(1)
        expect(taken).toMatchObject([{ retryCount: tries }])
        expect(await priority()).toBe(0)
        await queue.release(taken)
      }
      expect(await queue.take(1)).toEqual([])
      expect(await priority()).toBeLessThan(-1_000_000_000)
      await queue.add([{ runId: 'run', questionId: 'later' }], jobs)
      expect(await queue.take(1)).toMatchObject([{ questionId: 'later' }])
      expect(await queue.take(1)).toMatchObject([{ questionId: 'q0', retryCount: 7 }])
    })

    test('is not that of another config', async () => {
      const { jobs } = await database()
      const queue = await queueFor(jobs)
      await queue.add(questions(2), jobs)
      const other = await queueFor(jobs, { configHash: 'another' })
      expect(await other.take(9)).toEqual([])
      expect((await queue.take(9)).length).toBe(2)
    })
  })

  test('a job without heartbeats is taken over, and its former worker can no longer end it', async () => {
    const { jobs, schema } = await database()
    const silent = await queueFor(jobs)
    await silent.add(questions(2), jobs)
    const taken = await silent.take(2)
    const [lost, kept] = taken
    if (lost === undefined || kept === undefined) throw new Error('expected two jobs')
    await postgres.admin.query(`update ${schema}.job set heartbeat_on = now() - interval '11 s' where id = $1`, [
      lost.id,
    ])
    const other = await queueFor(jobs, { isWorker: true })
    await expect
      .poll(() => other.take(2), { interval: 200 })
      .toMatchObject([{ questionId: lost.questionId, retryCount: 1 }])
    await silent.done([lost])
    expect(await silent.renew(taken)).toEqual([kept])
    const { rows } = await postgres.admin.query(`select state from ${schema}.job where id = $1`, [lost.id])
    expect(rows).toEqual([{ state: 'active' }])
  })

  test('a job that was tried too often goes to the dead letter queue and is given up there', async () => {
    const { jobs, schema } = await database()
    const queue = await queueFor(jobs)
    await queue.add(questions(1), jobs)
    await postgres.admin.query(`update ${schema}.job set retry_count = retry_limit where name = $1`, [queueOf('hash')])
    await queue.release(await queue.take(1))
    await expect.poll(() => queue.takeDeadLetters(5)).toMatchObject([{ runId: 'run', questionId: 'q0' }])
    expect(await queue.take(5)).toEqual([])
    expect(await queue.takeDeadLetters(5)).toEqual([])
    // As if its worker had died.
    await postgres.admin.query(`update ${schema}.job set heartbeat_on = now() - interval '11 s' where state = 'active'`)
    const other = await queueFor(jobs, { isWorker: true })
    const again = () => other.takeDeadLetters(5)
    await expect.poll(again, { interval: 200 }).toMatchObject([{ questionId: 'q0', retryCount: 1 }])
  })

  test('an unreadable job is logged and removed, and the others are delivered', async () => {
    const { jobs, schema } = await database()
    const logged: string[] = []
    const failed = (error: unknown) => void logged.push(String(error))
    const queue = await openQueue({ database: jobs, configHash: 'hash', isWorker: false, failed })
    open.push(queue)
    await queue.add(questions(3), jobs)
    await postgres.admin.query(`update ${schema}.job set data = '{"runId":7}' where singleton_key = 'run q1'`)
    expect(ids(await queue.take(9))).toEqual(['q0', 'q2'])
    expect(logged).toEqual([expect.stringContaining('removed jobs without a run and a question')])
    const { rows } = await postgres.admin.query(`select state from ${schema}.job where singleton_key = 'run q1'`)
    expect(rows).toEqual([{ state: 'completed' }])
  })

  test('jobs of a failed commit are not added', async () => {
    const { url } = await postgres.freshUrl()
    const { openPostgres } = await import('../../src/store/postgres/open-postgres.ts')
    const store = await openPostgres(url, { now: () => 0, connections: 4 })
    const { shared } = store
    if (shared === null) throw new Error('PostgreSQL has no shared store')
    const queue = await queueFor(shared.jobs)
    const { sampleEntry, sampleQuestions, sampleRun } = await import('../store/samples.ts')
    const creating = shared.runs.create({
      run: sampleRun(),
      questions: sampleQuestions(2),
      entry: { ...sampleEntry(), kind: 'run-opened' },
      shared: { createdAt: 1, options: '{}', capMicroUsd: null },
      enqueue: async (within) => {
        await queue.add(questions(2), within)
        throw new Error('the disk is full')
      },
    })
    await expect(creating).rejects.toThrow('the disk is full')
    expect(await queue.take(5)).toEqual([])
  })
}

test('each schema has its own schema of jobs, under a name that PostgreSQL does not truncate', () => {
  const long = 'a_schema_with_a_name_that_is_longer_than_most_'
  const schemas = ['public', 'quorate', 'quorate_public', 'Quorate', `${long}1`, `${long}2`, 'with-dash', 'with_dash']
  const names = schemas.map(jobSchemaOf)
  expect(new Set(names).size).toBe(schemas.length)
  expect(names.slice(0, 2)).toEqual(['quorate_public_jobs', 'quorate_jobs'])
  for (const name of names) expect(name).toMatch(/^[a-z_][a-z0-9_]{0,47}$/)
})
