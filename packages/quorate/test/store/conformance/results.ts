import { describe, expect, test } from 'vitest'
import { addReview, saveDecision } from '../rows.ts'
import {
  createRun,
  sampleDebate,
  sampleDecision,
  sampleEntry,
  sampleId,
  sampleLabel,
  sampleReview,
  sampleRun,
} from '../samples.ts'
import { allPages, type Fresh, freshStore } from './harness.ts'

export function resultsConformance(fresh: Fresh): void {
  describe('debates', () => {
    test('are saved with their question, replaced by a later save, and listed by question', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store, 12)
      await store.debates.save(sampleDebate('q1', { status: 'agent-failure' }))
      expect(await store.runs.counts(runId)).toMatchObject({ pending: 11, 'agent-failure': 1 })
      await store.debates.save(sampleDebate('q1', { rounds: 2 }))
      await store.debates.save(sampleDebate('q10'))
      await store.debates.save(sampleDebate('q2'))
      expect(await store.runs.counts(runId)).toMatchObject({ pending: 9, done: 3, 'agent-failure': 0 })
      expect(await store.debates.find(runId, 'q1')).toEqual(sampleDebate('q1', { rounds: 2 }))
      expect(await store.debates.find(runId, 'q3')).toBeNull()
      const rows = await allPages(
        (after, limit) => store.debates.list(runId, { after, limit }),
        ({ questionId }) => questionId,
      )
      expect(rows.map(({ questionId }) => questionId)).toEqual(['q1', 'q10', 'q2'])
      await expect(store.debates.save(sampleDebate('none'))).rejects.toMatchObject({ kind: 'missing' })
    })

    test('are paged by bytes too, with at least one on a page, and none is lost', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store, 12)
      const lengths = [10, 500, 2000, 40, 40, 40, 5000, 10]
      for (const [at, length] of lengths.entries()) {
        // Each letter has two bytes in UTF-8.
        const debate = JSON.stringify({ text: 'é'.repeat(length / 2) })
        await store.debates.save(sampleDebate(`q${at}`, { debate }))
      }
      const read: string[][] = []
      for (let after: string | null = null; ; ) {
        const page = await store.debates.list(runId, { after, limit: 3, mostBytes: 600 })
        after = page.at(-1)?.questionId ?? null
        if (after === null) break
        read.push(page.map(({ questionId }) => questionId))
      }
      expect(read).toEqual([['q0', 'q1'], ['q2'], ['q3', 'q4', 'q5'], ['q6'], ['q7']])
      expect(await store.debates.list(runId, { after: 'q7', limit: 3, mostBytes: 1 })).toEqual([])
    })

    test('are ordered by code point, whatever the locale of the database', async () => {
      const { runs, debates } = await freshStore(fresh)
      const ids = ['-', 'A', 'Z', '_', 'a', 'b', 'é', '\uffff', '\u{1F600}']
      const questions = ids.map((questionId, position) => ({
        position,
        questionId,
        question: '{}',
        isSpotCheck: false,
      }))
      await runs.create(sampleRun(), questions)
      for (const id of ids.toReversed()) await debates.save(sampleDebate(id))
      const rows = await allPages(
        (after, limit) => debates.list(sampleRun().id, { after, limit }),
        ({ questionId }) => questionId,
      )
      expect(rows.map(({ questionId }) => questionId)).toEqual(ids)
    })
  })

  describe('decisions', () => {
    test('are saved with debate, status and ledger entry, all or nothing', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store)
      const decision = sampleDecision(1, 'q0')
      await saveDecision(store, decision, sampleDebate('q0'), sampleEntry())
      expect(await store.decisions.find(runId, 'q0')).toEqual(decision)
      expect(await store.debates.find(runId, 'q0')).toEqual(sampleDebate('q0'))
      expect(await store.runs.counts(runId)).toMatchObject({ done: 1, pending: 2 })
      expect(await store.ledger.head(runId)).toMatchObject({ sequence: 1 })
      const taken = sampleDecision(1, 'q1')
      await expect(saveDecision(store, taken, sampleDebate('q1'), sampleEntry())).rejects.toThrow()
      expect(await store.debates.find(runId, 'q1')).toBeNull()
      expect(await store.runs.counts(runId)).toMatchObject({ done: 1, pending: 2 })
      expect(await store.ledger.head(runId)).toMatchObject({ sequence: 1 })
    })

    test('on a question that is done are final, and on a failed one they are replaced while the ledger keeps both', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store)
      const failed = sampleDecision(1, 'q0', { kind: 'defer', reason: 'agent-failure', answer: null, isShadow: false })
      await saveDecision(store, failed, sampleDebate('q0', { status: 'agent-failure' }), sampleEntry())
      const second = sampleDecision(2, 'q0')
      await saveDecision(store, second, sampleDebate('q0'), sampleEntry())
      const third = saveDecision(store, sampleDecision(3, 'q0'), sampleDebate('q0'), sampleEntry())
      await expect(third).rejects.toMatchObject({ kind: 'exists' })
      expect(await store.decisions.find(runId, 'q0')).toEqual(second)
      expect(await store.ledger.head(runId)).toMatchObject({ sequence: 2 })
      const lost = saveDecision(store, sampleDecision(3, 'no'), sampleDebate('no'), sampleEntry())
      await expect(lost).rejects.toMatchObject({ kind: 'missing' })
      const mixed = saveDecision(store, sampleDecision(3, 'q1'), sampleDebate('q2'), sampleEntry())
      await expect(mixed).rejects.toMatchObject({ kind: 'invalid' })
    })

    test('are counted by kind and reason', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store, 5)
      expect(await store.decisions.counts(runId)).toEqual([])
      for (const number of [0, 1, 2]) {
        const deferral = number === 0 ? {} : { kind: 'defer' as const, reason: 'bound-low' as const, answer: null }
        const question = `q${number}`
        await saveDecision(store, sampleDecision(number, question, deferral), sampleDebate(question), sampleEntry())
      }
      const counts = await store.decisions.counts(runId)
      expect(counts.toSorted((left, right) => left.count - right.count)).toEqual([
        { kind: 'act', reason: null, count: 1 },
        { kind: 'defer', reason: 'bound-low', count: 2 },
      ])
    })

    test('are listed by id, in pages', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store, 5)
      for (const number of [3, 1, 4, 0, 2]) {
        const question = `q${number}`
        await saveDecision(store, sampleDecision(number, question), sampleDebate(question), sampleEntry())
      }
      const rows = await allPages(
        (after, limit) => store.decisions.list(runId, { after, limit }),
        ({ id }) => id,
      )
      expect(rows.map(({ questionId }) => questionId)).toEqual(['q0', 'q1', 'q2', 'q3', 'q4'])
    })
  })

  test('batches are stored before they are sent, and listed until they are forgotten', async () => {
    const { batches } = await freshStore(fresh)
    await batches.open({ id: 'b1', url: 'https://a.example/v1/messages', keys: '["k1","k2"]', at: 5 })
    await batches.open({ id: 'b2', url: 'https://a.example/v1/messages', keys: '["k3"]', at: 4 })
    await batches.sent('b1', 'msgbatch_1')
    expect((await batches.list()).map(({ id, remoteId, keys }) => [id, remoteId, keys])).toEqual([
      ['b1', 'msgbatch_1', '["k1","k2"]'],
      ['b2', null, '["k3"]'],
    ])
    await batches.forget('b2')
    await batches.forget('b2')
    expect((await batches.list()).map(({ id }) => id)).toEqual(['b1'])
  })

  test('certificates are saved once, found, and listed latest first', async () => {
    const { certificates } = await freshStore(fresh)
    const certificate = (number: number) => ({ id: `c${number}`, file: `{"n":${number}}`, at: number, runId: null })
    for (const number of [1, 3, 2]) await certificates.save(certificate(number))
    await certificates.save({ ...certificate(1), at: 99 })
    await expect(certificates.save({ ...certificate(1), file: '{}' })).rejects.toMatchObject({ kind: 'exists' })
    expect(await certificates.find('c1')).toEqual({ id: 'c1', file: '{"n":1}', at: 1 })
    expect(await certificates.find('c9')).toBeNull()
    expect(await certificates.list(2)).toEqual([
      { id: 'c3', at: 3 },
      { id: 'c2', at: 2 },
    ])
  })

  test('labels that are added together are all stored, or none of them', async () => {
    const { labels } = await freshStore(fresh)
    const many = Array.from({ length: 450 }, (_, number) => sampleLabel(number))
    await labels.addAll(many)
    expect(await labels.of('q0')).toEqual(many)
    const again = [sampleLabel(900), sampleLabel(3), sampleLabel(901)]
    await expect(labels.addAll(again)).rejects.toMatchObject({ kind: 'exists' })
    expect(await labels.of('q0')).toEqual(many)
  })

  test('labels keep their source', async () => {
    const { labels } = await freshStore(fresh)
    for (const number of [4, 0, 3, 1, 2]) await labels.addAll([sampleLabel(number, { questionId: `q${number % 2}` })])
    await expect(labels.addAll([sampleLabel(1)])).rejects.toMatchObject({ kind: 'exists' })
    expect(await labels.of('q1')).toEqual([3, 1].map((number) => sampleLabel(number, { questionId: 'q1' })))
    const numbers = async (...asked: string[]) =>
      (await labels.ofAll(asked)).map(({ id }) => Number(id.slice(-4)) - 3000)
    expect(await numbers('q1', 'none', 'q0')).toEqual([4, 0, 3, 1, 2])
    expect(await numbers('q0', 'q0')).toEqual([4, 0, 2])
    expect(await numbers('none')).toEqual([])
    expect(await numbers()).toEqual([])
    const ids = async (source?: 'import' | 'deferral') => {
      const rows = await allPages(
        (after, limit) => labels.list({ after, limit, ...(source === undefined ? {} : { source }) }),
        ({ id }) => id,
      )
      return rows.map(({ id }) => Number(id.slice(-4)) - 3000)
    }
    expect(await ids()).toEqual([0, 1, 2, 3, 4])
    expect(await ids('import')).toEqual([0, 3])
    expect(await ids('deferral')).toEqual([1, 4])
  })

  test('a review changes only for a caller that has read its current state', async () => {
    const store = await freshStore(fresh)
    await createRun(store)
    const { reviews } = store
    for (const number of [2, 0, 1]) await addReview(store, sampleReview(number))
    await expect(addReview(store, sampleReview(1))).rejects.toMatchObject({ kind: 'exists' })
    await expect(addReview(store, sampleReview(7, { questionId: 'none' }))).rejects.toMatchObject({ kind: 'missing' })
    const id = sampleReview(1).id
    const waiting = { status: 'waiting', claimedBy: null, claimedUntil: null } as const
    const claimed = { status: 'waiting', claimedBy: 'ann', claimedUntil: 500 } as const
    expect(await reviews.update(id, waiting, { claimedBy: 'ann', claimedUntil: 500 })).toBe(true)
    expect(await reviews.update(id, waiting, { claimedBy: 'bob', claimedUntil: 900 })).toBe(false)
    expect(await reviews.update(id, { ...claimed, claimedUntil: 501 }, { claimedBy: 'bob' })).toBe(false)
    expect(await reviews.update(id, claimed, {})).toBe(true)
    expect(await reviews.update(id, claimed, { status: 'submitted', outcome: '"A"', claimedBy: null })).toBe(true)
    expect(await reviews.find(id)).toEqual(
      sampleReview(1, { status: 'submitted', claimedUntil: 500, outcome: '"A"', claimedBy: null }),
    )
    expect(await reviews.find(sampleId(1))).toBeNull()
    const rows = await allPages(
      (after, limit) => reviews.list({ after, limit, status: 'waiting' }),
      (review) => review.id,
    )
    expect(rows).toEqual([sampleReview(0), sampleReview(2)])
    expect((await reviews.list({ after: null, limit: 9 })).length).toBe(3)
  })
}
