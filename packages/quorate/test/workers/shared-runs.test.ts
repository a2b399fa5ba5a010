import { describe, expect, test } from 'vitest'
import type { SharedStore } from '../../src/store/shared-store.ts'
import { privatePostgres } from '../store/private-postgres.ts'
import {
  sampleDebate,
  sampleEntry,
  sampleId,
  sampleIntent,
  sampleOutcome,
  sampleQuestions,
  sampleRun,
} from '../store/samples.ts'

const postgres = await privatePostgres()
const RUN = sampleId(1)

if (postgres.kind === 'absent') {
  test.skip(`runs of several workers: ${postgres.reason}`, () => {})
} else {
  const open = async () => {
    const store = await (await postgres.fresh())()
    if (store.shared === null) throw new Error('PostgreSQL has no shared store')
    return { store, shared: store.shared }
  }
  const created = async (capMicroUsd: number | null = null) => {
    const opened = await open()
    await create(opened.shared, capMicroUsd)
    return opened
  }

  describe('a run that workers share', () => {
    test('exists with its jobs, or not at all', async () => {
      const { store, shared } = await open()
      const failing = create(shared, null, async (database) => {
        await database.executeSql('create table jobs_of_test (id text)')
        throw new Error('the queue is full')
      })
      await expect(failing).rejects.toThrow('the queue is full')
      expect(await store.runs.find(RUN)).toBeNull()
      await create(shared, null, async ({ executeSql }) => {
        await executeSql('create table jobs_of_test (id text)')
      })
      expect(await store.runs.find(RUN)).not.toBeNull()
      expect(await shared.runs.open(9)).toMatchObject([{ runId: RUN, halt: null, openCalls: 0 }])
    })

    test('gives a question to the last worker that takes it, and the open calls of the worker before are lost', async () => {
      const { store, shared } = await created()
      expect(await take(shared, 'one')).toMatchObject({ question: { questionId: 'q0', position: 0 }, lostCalls: 0 })
      await shared.calls.open(sampleIntent(1, { fence: 'one' }))
      expect(await take(shared, 'two')).toMatchObject({ lostCalls: 1 })
      await expect(shared.calls.open(sampleIntent(2, { fence: 'one' }))).rejects.toMatchObject({ kind: 'fenced' })
      expect(await shared.calls.close(sampleIntent(1, { fence: 'one' }), 'answered', sampleOutcome())).toBe(false)
      await expect(store.debates.save(sampleDebate(), 'one')).rejects.toMatchObject({ kind: 'fenced' })
      await store.debates.save(sampleDebate(), 'two')
      expect(await take(shared, 'three')).toBeNull()
      await expect(store.debates.save(sampleDebate(), 'one')).rejects.toMatchObject({ kind: 'fenced' })
    })

    test('has a question given up only by its owner, and only while it is pending', async () => {
      const { store, shared } = await created()
      const status = async () => (await store.runs.findQuestion(RUN, 'q0'))?.status
      await take(shared, 'one')
      await take(shared, 'two')
      await shared.runs.giveUp(RUN, 'q0', 'one')
      expect(await status()).toBe('pending')
      await store.debates.save(sampleDebate(), 'two')
      await shared.runs.giveUp(RUN, 'q0', null)
      expect(await status()).toBe('done')
      await shared.runs.giveUp(RUN, 'q1', null)
      expect((await store.runs.counts(RUN)).error).toBe(1)
    })

    test('that one process takes over rejects all writes of workers until it is shared again', async () => {
      const { store, shared } = await created()
      await take(shared, 'one')
      await shared.calls.open(sampleIntent(1, { fence: 'one' }))
      expect(await store.calls.takeOver(RUN, 'command', 5)).toBe(1)
      await expect(shared.calls.open(sampleIntent(2, { fence: 'one' }))).rejects.toMatchObject({ kind: 'fenced' })
      expect(await take(shared, 'two')).toBeNull()
      await store.calls.open(sampleIntent(3, { fence: 'command' }))
      const options = { createdAt: 1, options: '{}', capMicroUsd: 5000 }
      const again = await shared.runs.share({ runId: RUN, shared: options, at: 6, enqueue: async () => {} })
      expect(again).toEqual({ lostCalls: 1 })
      expect(await shared.runs.find(RUN)).toMatchObject({ reservedMicroUsd: 1800, committedMicroUsd: 0, openCalls: 0 })
      const late = sampleIntent(4, { fence: 'command', questionId: 'q1' })
      await expect(store.calls.open(late)).rejects.toMatchObject({ kind: 'fenced' })
      expect(await take(shared, 'two')).not.toBeNull()
    })

    test('at its cap opens no call, and a released reservation makes room', async () => {
      const { shared } = await created(2000)
      await take(shared, 'one')
      const intent = (number: number) => sampleIntent(number, { fence: 'one' })
      expect(await shared.calls.open(intent(1))).toBe('opened')
      expect(await shared.calls.open(intent(2))).toBe('opened')
      expect(await shared.calls.open(intent(3))).toBe('over-cap')
      expect(await shared.calls.find(RUN, intent(3).id)).toBeNull()
      await shared.calls.close(intent(1), 'answered', sampleOutcome({ costMicroUsd: 120 }))
      expect(await shared.runs.find(RUN)).toMatchObject({ reservedMicroUsd: 900, committedMicroUsd: 120, openCalls: 1 })
      expect(await shared.calls.open(intent(3))).toBe('opened')
      await shared.calls.close(intent(2), 'refused', sampleOutcome())
      await shared.calls.close(intent(3), 'lost', sampleOutcome())
      expect(await shared.runs.find(RUN)).toMatchObject({ reservedMicroUsd: 900, committedMicroUsd: 120, openCalls: 0 })
    })

    test('takes no write about a question that nobody leased, whatever fence the write names', async () => {
      const { store, shared } = await created()
      await take(shared, 'one')
      for (const fence of ['', 'one']) {
        await expect(store.debates.save(sampleDebate('q1'), fence)).rejects.toMatchObject({ kind: 'fenced' })
      }
    })

    test('that is shared again has spent what its archived calls cost', async () => {
      const { store, shared } = await created(2000)
      await take(shared, 'one')
      const intent = sampleIntent(1, { fence: 'one' })
      await shared.calls.open(intent)
      await shared.calls.close(intent, 'answered', sampleOutcome({ costMicroUsd: 900 }))
      await store.calls.moveOut(RUN, intent.id)
      const options = { createdAt: 1, options: '{}', capMicroUsd: 1000 }
      await shared.runs.share({ runId: RUN, shared: options, at: 6, enqueue: async () => {} })
      expect(await shared.runs.find(RUN)).toMatchObject({ committedMicroUsd: 900, reservedMicroUsd: 0 })
      await take(shared, 'two')
      expect(await shared.calls.open(sampleIntent(2, { fence: 'two' }))).toBe('over-cap')
    })

    test('counts only priced calls as in flight, and none of a question that was taken over or given up', async () => {
      const { store, shared } = await created(5000)
      await take(shared, 'one')
      await shared.calls.open(sampleIntent(1, { fence: 'one' }))
      await shared.calls.open(sampleIntent(2, { fence: 'one', reservedMicroUsd: null }))
      expect(await take(shared, 'two')).toMatchObject({ lostCalls: 2 })
      expect(await shared.runs.find(RUN)).toMatchObject({ openCalls: 0, reservedMicroUsd: 900 })
      await shared.calls.open(sampleIntent(3, { fence: 'two' }))
      await shared.runs.giveUp(RUN, 'q0', 'two')
      expect(await shared.runs.find(RUN)).toMatchObject({ openCalls: 0, reservedMicroUsd: 1800 })
      expect((await store.calls.spend(RUN)).calls).toMatchObject({ open: 0, lost: 3 })
    })

    test('is halted only by the owner of the question that did not fit', async () => {
      const { shared } = await created(5000)
      await take(shared, 'one')
      await take(shared, 'two')
      expect(await shared.runs.halt(RUN, 'spend-cap', { questionId: 'q0', fence: 'one' })).toBe(false)
      expect((await shared.runs.find(RUN))?.halt).toBeNull()
      expect(await shared.runs.halt(RUN, 'spend-cap', { questionId: 'q0', fence: 'two' })).toBe(true)
      expect((await shared.runs.find(RUN))?.halt).toBe('spend-cap')
    })

    test('is halted for every worker until it is shared again', async () => {
      const { shared } = await created()
      expect(await shared.runs.stop(RUN)).toBe(true)
      expect(await take(shared, 'one')).toBeNull()
      const options = { createdAt: 1, options: '{}', capMicroUsd: null }
      await shared.runs.share({ runId: RUN, shared: options, at: 6, enqueue: async () => {} })
      expect(await take(shared, 'one')).not.toBeNull()
      expect(await shared.runs.stop('none')).toBe(false)
    })

    test('asks failed questions again, which accept no writes until a worker takes them', async () => {
      const { store, shared } = await created()
      await take(shared, 'one')
      await shared.runs.giveUp(RUN, 'q0', 'one')
      await store.runs.setQuestion(RUN, 'q0', 'pending')
      await expect(store.debates.save(sampleDebate('q0'), 'one')).rejects.toMatchObject({ kind: 'fenced' })
      expect(await take(shared, 'two')).not.toBeNull()
    })

    test('can be shared again while its workers save, without a deadlock', async () => {
      const { store, shared } = await created()
      const saving = (async () => {
        for (let time = 0; time < 40; time++) {
          const fence = `worker ${time}`
          if ((await take(shared, fence)) === null) continue
          await store.debates.save(sampleDebate('q0', { status: 'time-out' }), fence).catch(() => {})
          await store.runs.setQuestion(RUN, 'q0', 'pending')
        }
      })()
      const options = { createdAt: 1, options: '{}', capMicroUsd: null }
      for (let time = 0; time < 20; time++) {
        await shared.runs.share({ runId: RUN, shared: options, at: 6, enqueue: async () => {} })
      }
      await saving
    })

    test('is closed once, by one of the workers that see that nothing is pending', async () => {
      const { store, shared } = await created()
      const entry = sampleEntry({ kind: 'run-closed' })
      await expect(shared.runs.close(RUN, entry)).rejects.toMatchObject({ kind: 'busy' })
      expect((await store.runs.find(RUN))?.status).toBe('open')
      for (const questionId of ['q0', 'q1', 'q2']) await store.runs.setQuestion(RUN, questionId, 'done')
      expect(await shared.runs.hasPending(RUN)).toBe(false)
      const closings = await Promise.all(Array.from({ length: 5 }, () => shared.runs.close(RUN, entry)))
      expect(closings.filter((isOurs) => isOurs).length).toBe(1)
      expect((await store.ledger.list(RUN, { after: 1, limit: 9 })).length).toBe(1)
    })
  })

  test('a call with a price that is opened twice at once is counted once', async () => {
    const { shared } = await created(5000)
    await take(shared, 'one')
    const intent = sampleIntent(1, { fence: 'one' })
    const opened = await Promise.allSettled([1, 2, 3, 4].map(() => shared.calls.open(intent)))
    expect(opened.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    for (const each of opened) if (each.status === 'rejected') expect(each.reason).toMatchObject({ kind: 'exists' })
    expect(await shared.runs.find(RUN)).toMatchObject({ reservedMicroUsd: 900, openCalls: 1 })
  })

  test('twenty workers never exceed one spend cap, and the sums equal those of the calls', async () => {
    const { store, shared } = await created(900 * 7 + 10)
    for (const questionId of ['q0', 'q1', 'q2']) await take(shared, 'one', questionId)
    const opened = await Promise.all(
      Array.from({ length: 20 }, (_, number) => {
        const intent = sampleIntent(number, { fence: 'one', questionId: `q${number % 3}`, attempt: number })
        return shared.calls.open(intent)
      }),
    )
    expect(opened.filter((how) => how === 'opened').length).toBe(7)
    const spend = await store.calls.spend(RUN)
    const budget = await shared.runs.find(RUN)
    expect(budget).toMatchObject({ reservedMicroUsd: spend.reservedMicroUsd, openCalls: spend.calls.open })
    expect(spend.calls.open).toBe(7)
  })
}

type Enqueue = Parameters<SharedStore['runs']['create']>[0]['enqueue']

async function create(shared: SharedStore, capMicroUsd: number | null, enqueue: Enqueue = async () => {}) {
  await shared.runs.create({
    run: sampleRun(),
    shared: { createdAt: 1, options: '{}', capMicroUsd },
    questions: sampleQuestions(3),
    entry: { ...sampleEntry(), kind: 'run-opened' },
    enqueue,
  })
}

function take(shared: SharedStore, fence: string, questionId = 'q0') {
  return shared.runs.take(RUN, questionId, { fence, at: 4 })
}
