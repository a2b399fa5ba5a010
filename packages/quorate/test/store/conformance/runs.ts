import { describe, expect, test } from 'vitest'
import { createRun, SAMPLE_KEY, sampleEntry, sampleId, sampleQuestions, sampleRun } from '../samples.ts'
import { type Fresh, freshStore } from './harness.ts'

export function runsConformance(fresh: Fresh): void {
  describe('runs', () => {
    test('are read as they were written, and a missing one is null', async () => {
      const { runs } = await freshStore(fresh)
      const run = sampleRun({ isShadow: true, certificateId: 'c', seed: Number.MAX_SAFE_INTEGER, kind: 'decide' })
      await runs.create(run, [])
      expect(await runs.find(run.id)).toEqual(run)
      expect(await runs.find('other')).toBeNull()
    })

    test('cannot be created twice, nor with two questions of one id, and a refused one leaves nothing behind', async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      await expect(createRun(store)).rejects.toMatchObject({ kind: 'exists' })
      const [question] = sampleQuestions(1)
      if (question === undefined) throw new Error('no question')
      const twins = [question, { ...question, position: 1 }]
      await expect(store.runs.create(sampleRun({ id: 'twins' }), twins)).rejects.toMatchObject({ kind: 'exists' })
      expect(await store.runs.find('twins')).toBeNull()
    })

    test('are found by their hashes, the one created last whatever its id, and listed in pages, latest first', async () => {
      const { runs } = await freshStore(fresh)
      for (const number of [1, 3, 2]) await runs.create(sampleRun({ id: sampleId(number) }), [])
      await runs.create(sampleRun({ id: sampleId(9), kind: 'decide' }), [])
      const same = { configHash: 'config-hash', questionsHash: 'questions-hash' }
      expect(await runs.latest({ ...same, kind: 'debate' })).toMatchObject({ id: sampleId(2) })
      expect(await runs.latest({ ...same, kind: 'decide' })).toMatchObject({ id: sampleId(9) })
      expect(await runs.latest({ ...same, configHash: 'other', kind: 'debate' })).toBeNull()
      const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)
      expect(ids(await runs.list(2))).toEqual([sampleId(9), sampleId(3)])
      expect(ids(await runs.list(5, sampleId(3)))).toEqual([sampleId(2), sampleId(1)])
    })

    test('finish, if they exist', async () => {
      const store = await freshStore(fresh)
      const run = await createRun(store)
      await store.runs.finish(run.id)
      expect(await store.runs.find(run.id)).toEqual({ ...run, status: 'done' })
      await expect(store.runs.finish('other')).rejects.toMatchObject({ kind: 'missing' })
    })
  })

  describe('questions of a run', () => {
    test('are sampled with keys of the run, which are added one by one and are not in its rows', async () => {
      const store = await freshStore(fresh)
      const run = sampleRun({ kind: 'decide' })
      await store.runs.create({ ...run, samplingKey: SAMPLE_KEY }, [])
      const first = { runId: run.id, number: 1, key: SAMPLE_KEY, createdAt: run.createdAt }
      const second = { ...first, number: 2, key: 'ab'.repeat(32), createdAt: run.createdAt + 1 }
      expect(await store.runs.samplingKeys(run.id)).toEqual([first])
      const entry = sampleEntry({ kind: 'sampling-key', texts: [] })
      expect(await store.runs.addSamplingKey(second, entry)).toBe(true)
      // Another process was first, so nothing is written.
      expect(await store.runs.addSamplingKey({ ...second, key: 'cd'.repeat(32) }, entry)).toBe(false)
      expect(await store.runs.samplingKeys(run.id)).toEqual([first, second])
      expect(await store.runs.samplingKeys('none')).toEqual([])
      expect((await store.ledger.list(run.id, { after: 0, limit: 9 })).length).toBe(1)
      expect(JSON.stringify([await store.runs.find(run.id), await store.runs.list(9)])).not.toContain(SAMPLE_KEY)
      expect(await store.runs.lastSamplingKey(run.id)).toBeNull()
      for (const samplingKey of [2, 1]) {
        const question = {
          questionId: `sampled with ${samplingKey}`,
          question: '{}',
          isSpotCheck: false,
          samplingRate: 0.5,
        }
        await store.runs.addQuestion(run.id, { ...question, samplingKey })
        expect(await store.runs.lastSamplingKey(run.id)).toBe(samplingKey)
      }
    })

    test('are listed by position, in pages, by status', async () => {
      const store = await freshStore(fresh)
      // More than fit into one INSERT.
      const { id } = await createRun(store, 450)
      const all = await store.runs.questions(id, { after: -1, limit: 1000 })
      const expected = sampleQuestions(450).map(({ counted: _, ...question }) => ({
        ...question,
        runId: id,
        status: 'pending',
      }))
      expect(all).toEqual(expected)
      await store.runs.setQuestion(id, 'q7', 'done')
      await store.runs.setQuestion(id, 'q9', 'done')
      const positions = async (page: Parameters<typeof store.runs.questions>[1]) =>
        (await store.runs.questions(id, page)).map(({ position }) => position)
      expect(await positions({ after: 6, limit: 3 })).toEqual([7, 8, 9])
      expect(await positions({ after: 6, limit: 2, status: 'pending' })).toEqual([8, 10])
      expect(await positions({ after: 7, limit: 9, status: 'done' })).toEqual([9])
      expect(await store.runs.counts(id)).toEqual({
        pending: 448,
        done: 2,
        'agent-failure': 0,
        'time-out': 0,
        error: 0,
      })
    })

    test('that are settled keep their status when another process writes late', async () => {
      const store = await freshStore(fresh)
      const { id } = await createRun(store)
      await store.runs.setQuestion(id, 'q0', 'done')
      for (const late of ['pending', 'error'] as const) await store.runs.setQuestion(id, 'q0', late)
      expect(await store.runs.findQuestion(id, 'q0')).toMatchObject({ status: 'done' })
    })

    test('are not changed by a process whose run was taken over', async () => {
      const store = await freshStore(fresh)
      const run = sampleRun()
      await store.runs.create(run, sampleQuestions(2), 'first')
      await store.runs.setQuestion(run.id, 'q0', 'error', 'first')
      await store.calls.takeOver(run.id, 'second', 5)
      for (const late of ['pending', 'error'] as const) {
        await expect(store.runs.setQuestion(run.id, 'q0', late, 'first')).rejects.toMatchObject({ kind: 'fenced' })
      }
      await store.runs.setQuestion(run.id, 'q0', 'pending', 'second')
      expect(await store.runs.findQuestion(run.id, 'q0')).toMatchObject({ status: 'pending' })
    })

    test('that do not exist cannot get a status, and a page has at least one row', async () => {
      const store = await freshStore(fresh)
      const { id } = await createRun(store)
      await expect(store.runs.setQuestion(id, 'none', 'done')).rejects.toMatchObject({ kind: 'missing' })
      for (const limit of [0, -1, 1.5, Number.NaN]) {
        await expect(store.runs.questions(id, { after: -1, limit })).rejects.toMatchObject({ kind: 'invalid' })
        await expect(store.runs.list(limit)).rejects.toMatchObject({ kind: 'invalid' })
      }
    })

    test('may have any text as id, and both engines refuse NUL and lone surrogates', async () => {
      const { runs } = await freshStore(fresh)
      const names = ["'; drop table runs; --", '__proto__', '\u{1F600}', '\uffff', 'é', 'e\u0301', ' ', '"', 'Z', 'a']
      const rows = names.map((questionId, position) => ({ position, questionId, question: '{}', isSpotCheck: false }))
      await runs.create(sampleRun(), rows)
      const found = await runs.questions(sampleRun().id, { after: -1, limit: 100 })
      expect(found.map(({ questionId }) => questionId)).toEqual(names)
      for (const questionId of ['a\0b', '\ud800', '\udc00\ud800']) {
        const bad = [{ position: 0, questionId, question: '{}', isSpotCheck: false }]
        await expect(runs.create(sampleRun({ id: 'bad' }), bad)).rejects.toMatchObject({ kind: 'invalid' })
      }
    })
  })
}
