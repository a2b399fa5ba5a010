import { describe, expect, onTestFinished, test } from 'vitest'
import type { Certified } from '../../src/run/calibration/certified.ts'
import { closeEnded } from '../../src/run/close-run.ts'
import { prepareServing } from '../../src/run/deciding.ts'
import type { OpenRunOptions } from '../../src/run/open-run.ts'
import { type JobQueue, openQueue, queueOf } from '../../src/run/workers/job-queue.ts'
import { questionsForWorkers } from '../../src/run/workers/served-questions.ts'
import { samplePlan } from '../run/run-world.ts'
import { calibrated } from '../server/deciding/world.ts'
import { privatePostgres } from '../store/private-postgres.ts'
import { SAMPLE_KEY, sampleId, sampleIntent, sampleOutcome } from '../store/samples.ts'

const postgres = await privatePostgres()
const QUESTION = { questionId: 'q0', question: '{"id":"q0"}', isSpotCheck: false }
const TERMS = { allowSeen: false, targets: [] }

if (postgres.kind === 'absent') {
  test.skip(`questions of a server for workers: ${postgres.reason}`, () => {})
} else {
  let ids = 0
  const opened = async () => {
    const store = await (await postgres.fresh())()
    const { shared } = store
    if (shared === null) throw new Error('PostgreSQL has no shared store')
    const failed = (error: unknown) => expect(error).toBeNull()
    const queue = await openQueue({ database: shared.jobs, configHash: 'hash', isWorker: false, failed })
    // In this order, because the queue polls its tables until it is stopped.
    onTestFinished(async () => {
      await queue.stop()
      await store.close()
    })
    const questions = questionsForWorkers({ store, queue, terms: TERMS, configHash: 'hash' })
    const options = optionsOf((await calibrated()).certified, () => sampleId(++ids))
    const run = await questions.open(options)
    const again = (maxCostUsd: number | null = null) => {
      const limits = { ...options.plan.limits, maxCostUsd }
      return questions.open({ ...options, plan: { ...options.plan, limits }, resume: { kind: 'id', id: run.id } })
    }
    return { store, shared, queue, questions, run, again }
  }
  const jobsOf = async (queue: JobQueue) => (await queue.take(9)).map(({ questionId }) => questionId)

  describe('the questions of a server that workers debate', () => {
    test('exist with their jobs or not at all', async () => {
      const { store, shared, queue, questions, run } = await opened()
      const full = async () => {
        throw new Error('the queue is full')
      }
      await expect(shared.intake.add(run.id, QUESTION, full)).rejects.toThrow('the queue is full')
      expect(await store.runs.findQuestion(run.id, 'q0')).toBeNull()
      expect(await questions.add(run.id, QUESTION)).toMatchObject({ kind: 'added', question: { position: 0 } })
      expect(await questions.add(run.id, { ...QUESTION, question: null })).toMatchObject({
        kind: 'exists',
        question: { question: QUESTION.question },
      })
      expect(await jobsOf(queue)).toEqual(['q0'])
    })

    test('accept no writes until a worker takes them, and are then reported as begun and as ended', async () => {
      const { store, shared, questions, run } = await opened()
      await questions.add(run.id, QUESTION)
      const debate = debateOf(run.id)
      await expect(store.debates.save(debate, 'somebody')).rejects.toMatchObject({ kind: 'fenced' })
      const waited = { runIds: [run.id], pending: ['q0', 'another'], begun: [] }
      expect(await questions.progress(waited)).toEqual([])
      await shared.runs.take(run.id, 'q0', { fence: 'worker', at: 2 })
      const begun = { runId: run.id, questionId: 'q0', status: 'pending' }
      expect(await questions.progress(waited)).toEqual([begun])
      expect(await questions.progress({ ...waited, pending: [], begun: ['q0'] })).toEqual([])
      await store.debates.save(debate, 'worker')
      for (const known of [waited, { ...waited, pending: [], begun: ['q0'] }]) {
        expect(await questions.progress(known)).toEqual([{ ...begun, status: 'done' }])
      }
    })

    test('stay with their worker when their server restarts, and get a job if they have none', async () => {
      const { store, shared, queue, questions, run, again } = await opened()
      await questions.add(run.id, QUESTION)
      await shared.runs.take(run.id, 'q0', { fence: 'worker', at: 2 })
      // As in a queue that was restored from an older backup.
      await queue.done(await queue.take(9))
      expect((await again()).id).toBe(run.id)
      expect(await jobsOf(queue)).toEqual(['q0'])
      await store.debates.save(debateOf(run.id), 'worker')
    })

    test('are taken from a process that owned the run', async () => {
      const { store, queue, questions, run, again } = await opened()
      await questions.add(run.id, QUESTION)
      await queue.done(await queue.take(9))
      await store.calls.takeOver(run.id, 'a server without --detach', 3)
      await again()
      expect(await jobsOf(queue)).toEqual(['q0'])
      const late = store.debates.save(debateOf(run.id), 'a server without --detach')
      await expect(late).rejects.toMatchObject({ kind: 'fenced' })
    })

    test('that a worker gave up are asked again by the next server, unless their text is erased', async () => {
      const { store, shared, queue, questions, run, again } = await opened()
      for (const questionId of ['q0', 'q1']) await questions.add(run.id, { ...QUESTION, questionId })
      await queue.done(await queue.take(9))
      for (const questionId of ['q0', 'q1']) await shared.runs.giveUp(run.id, questionId, null)
      await store.redact('q1')
      await again()
      expect(await jobsOf(queue)).toEqual(['q0'])
      expect(await store.runs.counts(run.id)).toMatchObject({ pending: 1, error: 1 })
    })

    test('have a cap that counts earlier spending, and that can change while workers run', async () => {
      const { shared, questions, run, again } = await opened()
      await questions.add(run.id, QUESTION)
      await shared.runs.take(run.id, 'q0', { fence: 'worker', at: 2 })
      const call = (number: number, fence = 'worker') => sampleIntent(number, { runId: run.id, fence })
      for (const number of [1, 2]) await shared.calls.open(call(number))
      await shared.calls.close(call(1), 'answered', sampleOutcome({ costMicroUsd: 120 }))
      await again(0.01)
      const spent = { capMicroUsd: 10_000, committedMicroUsd: 120, reservedMicroUsd: 900, openCalls: 0 }
      expect(await shared.runs.find(run.id)).toMatchObject(spent)
      await shared.runs.take(run.id, 'q0', { fence: 'next', at: 3 })
      await shared.calls.open(call(3, 'next'))
      await again(0.002)
      const open = { capMicroUsd: 2000, reservedMicroUsd: 1800, openCalls: 1 }
      expect(await shared.runs.find(run.id)).toMatchObject(open)
      expect(await shared.calls.close(call(3, 'next'), 'answered', sampleOutcome({ costMicroUsd: 80 }))).toBe(true)
      expect(await shared.calls.open(call(4, 'next'))).toBe('opened')
      expect(await shared.calls.open(call(5, 'next'))).toBe('over-cap')
    })

    test('are attended while a worker with their config sends heartbeats', async () => {
      const { shared, questions } = await opened()
      const none = { debates: 0, inFlight: 0, ended: 0, answered: 0, takenOver: 0 }
      const worker = { id: 'w', name: 'w', version: '1', startedAt: 0, endedAt: null, ...none }
      expect(await questions.hasWorkers()).toBe(false)
      await shared.workers.seen({ ...worker, queues: JSON.stringify([queueOf('another')]) })
      expect(await questions.hasWorkers()).toBe(false)
      const ours = { ...worker, id: 'v', queues: JSON.stringify([queueOf('hash')]) }
      await shared.workers.seen(ours)
      expect(await questions.hasWorkers()).toBe(true)
      await shared.workers.seen({ ...ours, endedAt: 5 })
      expect(await questions.hasWorkers()).toBe(false)
    })

    test('keep their run open when none is pending', async () => {
      const { store, shared, questions, run } = await opened()
      await closeEnded({ store, shared, now: () => 9 })
      expect((await store.runs.find(run.id))?.status).toBe('open')
      await questions.add(run.id, QUESTION)
      expect((await store.ledger.list(run.id, { after: 0, limit: 9 })).length).toBe(1)
    })
  })
}

function debateOf(runId: string) {
  return { runId, questionId: 'q0', status: 'done', at: 1, debate: '{"rounds":[]}', rounds: 1 } as const
}

function optionsOf(certified: Certified, newId: () => string): OpenRunOptions {
  const plan = samplePlan({ kind: 'decide', spotCheckRate: 0 })
  const deciding = prepareServing(certified, plan.panel, false)
  const intake = { rows: [], hash: 'serve' }
  return {
    plan,
    intake,
    deciding,
    resume: { kind: 'new' },
    retryErrors: false,
    now: () => 5,
    newId,
    newKey: () => SAMPLE_KEY,
  }
}
