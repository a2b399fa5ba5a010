import { createHash } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { z } from 'zod'
import { StoreError } from '../../record/store-error.ts'
import type { JobDatabase } from '../../store/shared-store.ts'

/** A question of a run, which any worker with room may take. */
export interface QuestionJob {
  readonly runId: string
  readonly questionId: string
}

/** A job that this process leases. `retryCount` distinguishes this lease from leases of the same job by other processes. */
export interface LeasedJob extends QuestionJob {
  readonly id: string
  readonly retryCount: number
}

/** The jobs of all runs with one config. pg-boss keeps them in the database of the store. */
export interface JobQueue {
  /** Skips questions that are queued or leased already. */
  add(jobs: Iterable<QuestionJob>, database: JobDatabase): Promise<void>
  take(limit: number): Promise<readonly LeasedJob[]>
  /** Sends a heartbeat for jobs in progress. Returns those that this process still leases. */
  renew(jobs: readonly LeasedJob[]): Promise<readonly LeasedJob[]>
  done(jobs: readonly LeasedJob[]): Promise<void>
  /** Makes the jobs available to other workers. */
  release(jobs: readonly LeasedJob[]): Promise<void>
  /** Takes jobs from the dead letter queue: they failed so often that they are no longer retried. */
  takeDeadLetters(limit: number): Promise<readonly LeasedJob[]>
  completeDeadLetters(jobs: readonly LeasedJob[]): Promise<void>
  stop(): Promise<void>
}

export interface QueueOptions {
  readonly database: JobDatabase
  /** Hash of the config. Runs with another config are left to other workers. */
  readonly configHash: string
  /** True for a worker: it supervises the queue and redelivers jobs without a heartbeat. */
  readonly isWorker: boolean
  /** Called with errors of background work. */
  readonly failed: (error: unknown) => void
}

/** A job without a heartbeat for so long is redelivered. pg-boss accepts no shorter time. */
export const HEARTBEAT_SECONDS = 10
const SUPERVISE_SECONDS = 3
const ADD_AT_ONCE = 5000
/** Ten years, so that pg-boss never deletes a waiting job. */
const FOREVER_SECONDS = 10 * 365 * 24 * 3600
const MOST_TRIES = 10
/** Up to this retry, a redelivered job is the next to be taken. After that it gets the lowest priority. */
const FIRST_TRIES = 6
const LOWEST_PRIORITY = -2_000_000_000

export function queueOf(configHash: string): string {
  return `quorate-${configHash.slice(0, 32)}`
}

export async function openQueue({ database, configHash, isWorker, failed }: QueueOptions): Promise<JobQueue> {
  const schema = await schemaOf(database)
  const boss = new PgBoss({
    db: database,
    schema,
    supervise: isWorker,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: 60,
    persistWarnings: false,
  })
  boss.on('error', failed)
  await start(boss)
  const name = queueOf(configHash)
  const dead = `${name}-dead`
  const stop = () => boss.stop({ graceful: false, close: false })
  try {
    await makeQueues(boss, name, dead)
  } catch (error) {
    await stop()
    throw error
  }
  const each = async (jobs: readonly LeasedJob[], action: (leased: JobAttempt[]) => Promise<unknown>) => {
    if (jobs.length > 0) await action(jobs.map(attemptOf))
  }
  return {
    async add(jobs, over) {
      let place = 0
      for (const some of chunks(jobs, ADD_AT_ONCE)) {
        const rows = some.map((data) => {
          const singletonKey = `${data.runId} ${data.questionId}`
          return { data: { ...data }, singletonKey, priority: Math.max(LOWEST_PRIORITY + 1, -place++) }
        })
        await boss.insert(name, rows, { db: over })
      }
    },
    async take(limit) {
      return takeFrom(boss, name, limit, failed)
    },
    async renew(jobs) {
      if (jobs.length === 0) return []
      const { settled } = touchedSchema.parse(await boss.touch(name, jobs.map(attemptOf)))
      const ours = new Set(settled)
      return jobs.filter(({ id }) => ours.has(id))
    },
    done: (jobs) => each(jobs, (leased) => boss.complete(name, leased)),
    release: (jobs) => each(jobs, (leased) => boss.fail(name, leased)),
    takeDeadLetters: (limit) => takeFrom(boss, dead, limit, failed),
    completeDeadLetters: (jobs) => each(jobs, (leased) => boss.complete(dead, leased)),
    stop,
  }
}

async function makeQueues(boss: PgBoss, name: string, dead: string): Promise<void> {
  const kept = { retentionSeconds: FOREVER_SECONDS, deleteAfterSeconds: 3600, expireInSeconds: 23 * 3600 }
  const tried = { heartbeatSeconds: HEARTBEAT_SECONDS, retryLimit: MOST_TRIES, retryDelay: 0 }
  await boss.createQueue(dead, { ...kept, ...tried })
  await boss.createQueue(name, { ...kept, ...tried, policy: 'exclusive', deadLetter: dead })
}

const MOST_STARTS = 5

/** If several processes create the tables of an empty database at once, all but one fail. They retry and find the tables. */
async function start(boss: PgBoss, tries = 1): Promise<void> {
  try {
    await boss.start()
  } catch (error) {
    const hasTables = error instanceof StoreError && error.kind === 'exists'
    if (!hasTables || tries >= MOST_STARTS) throw error
    await start(boss, tries + 1)
  }
}

const dataSchema = z.object({ runId: z.string(), questionId: z.string() })

/** Ids of the jobs whose lease was renewed. pg-boss returns this field, but its types do not have it. */
const touchedSchema = z.object({ settled: z.array(z.string()) })

type JobAttempt = Pick<LeasedJob, 'id' | 'retryCount'>

function attemptOf({ id, retryCount }: JobAttempt): JobAttempt {
  return { id, retryCount }
}

/** Takes jobs. An unreadable job is removed from the queue at once, so it does not block the others. */
async function takeFrom(
  boss: PgBoss,
  queue: string,
  limit: number,
  failed: QueueOptions['failed'],
): Promise<readonly LeasedJob[]> {
  const fetched = await boss.fetch<unknown>(queue, { batchSize: limit, includeMetadata: true })
  const leased: LeasedJob[] = []
  const unreadable: JobAttempt[] = []
  for (const job of fetched) {
    const { success, data } = dataSchema.safeParse(job.data)
    if (!success) unreadable.push(attemptOf(job))
    else if (job.retryCount >= FIRST_TRIES && job.priority > LOWEST_PRIORITY)
      await putLast(boss, queue, job).catch(failed)
    else leased.push({ ...data, ...attemptOf(job) })
  }
  if (unreadable.length === 0) return leased
  const ids = unreadable.map(({ id }) => id).join(', ')
  failed(new StoreError('damaged', `queue ${queue}: removed jobs without a run and a question: ${ids}`))
  await boss.complete(queue, unreadable).catch(failed)
  return leased
}

/**
 * Jobs are taken in the order in which they were added, so a redelivered job is the next to be taken. A worker that crashes
 * again and again must not use up the tries of the few questions that it takes first. So after some tries they go behind all
 * others.
 */
async function putLast(boss: PgBoss, queue: string, job: JobAttempt): Promise<void> {
  await boss.fail(queue, [attemptOf(job)])
  await boss.update(queue, undefined, { id: job.id, priority: LOWEST_PRIORITY })
}

/** The schema of pg-boss, next to the schema of the store and named after it. */
async function schemaOf(database: JobDatabase): Promise<string> {
  const { rows } = await database.executeSql('select current_schema() as name')
  const { name } = z.object({ name: z.string().nullable() }).parse(rows[0])
  return jobSchemaOf(name ?? 'public')
}

const PUBLIC_JOBS = 'quorate_public_jobs'
/** Names that pg-boss can write without quotes, within its limit on the length. */
const PLAIN_NAME = /^[a-z_][a-z0-9_]{0,47}$/

/** Each schema of a store has its own schema of jobs, so jobs of two stores never mix. */
export function jobSchemaOf(name: string): string {
  if (name === 'public') return PUBLIC_JOBS
  const own = `${name}_jobs`
  if (PLAIN_NAME.test(own) && own !== PUBLIC_JOBS) return own
  const short = name.replace(/[^a-z0-9_]/g, '_').slice(0, 24)
  return `q_${short}_${createHash('sha256').update(name).digest('hex').slice(0, 12)}_jobs`
}

function* chunks<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let chunk: Item[] = []
  for (const item of items) {
    chunk.push(item)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
