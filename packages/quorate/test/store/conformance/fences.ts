import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { saveDecision } from '../rows.ts'
import {
  REFUSED,
  sampleDebate,
  sampleDecision,
  sampleEntry,
  sampleId,
  sampleIntent,
  sampleOutcome,
  sampleQuestions,
  sampleRun,
} from '../samples.ts'
import { type Fresh, freshStore, freshStores } from './harness.ts'

const runId = sampleId(1)
const FENCED = { kind: 'fenced', message: expect.stringContaining('was taken over by another process') }

async function createFenced(store: Store, questions = 3): Promise<void> {
  await store.runs.create(sampleRun(), sampleQuestions(questions), 'first')
}

export function fencesConformance(fresh: Fresh): void {
  describe('a run that one process owns', () => {
    test('can be written by its process only', async () => {
      const store = await freshStore(fresh)
      await createFenced(store)
      await store.calls.open(sampleIntent(1))
      expect(await store.calls.close(sampleIntent(1), 'answered', sampleOutcome())).toBe(true)
      await store.debates.save(sampleDebate('q0'), 'first')
      await saveDecision(store, sampleDecision(1, 'q1'), sampleDebate('q1'), sampleEntry(), 'first')
      await store.ledger.append(sampleEntry(), 'first')
      await expect(store.calls.open(sampleIntent(2, { fence: 'second' }))).rejects.toMatchObject(FENCED)
      expect(await store.runs.find(runId)).toEqual(sampleRun())
    })

    test('is taken over immediately: the old process can no longer open, close or save, and the new one continues', async () => {
      const store = await freshStore(fresh)
      await createFenced(store)
      await store.calls.open(sampleIntent(1))
      expect(await store.calls.takeOver(runId, 'second', 9)).toBe(1)
      const [decision, debate] = [sampleDecision(1, 'q0'), sampleDebate('q0')]
      await expect(store.calls.open(sampleIntent(2))).rejects.toMatchObject(FENCED)
      expect(await store.calls.close(sampleIntent(1), 'refused', REFUSED)).toBe(false)
      await expect(store.debates.save(debate, 'first')).rejects.toMatchObject(FENCED)
      await expect(saveDecision(store, decision, debate, sampleEntry(), 'first')).rejects.toMatchObject(FENCED)
      await expect(store.ledger.append(sampleEntry(), 'first')).rejects.toMatchObject(FENCED)
      expect(await store.ledger.head(runId)).toBeNull()
      expect(await store.debates.find(runId, 'q0')).toBeNull()
      expect(await store.runs.counts(runId)).toMatchObject({ pending: 3 })
      await store.calls.open(sampleIntent(3, { fence: 'second' }))
      expect(await store.calls.close(sampleIntent(3, { fence: 'second' }), 'answered', sampleOutcome())).toBe(true)
      await saveDecision(store, decision, debate, sampleEntry(), 'second')
      const calls = await store.calls.list(runId, { after: null, limit: 9 })
      expect(calls.map(({ state, fence }) => [state, fence])).toEqual([
        ['lost', 'first'],
        ['answered', 'second'],
      ])
    })

    test('that does not exist cannot be taken over', async () => {
      const store = await freshStore(fresh)
      await expect(store.calls.takeOver('none', 'second', 9)).rejects.toMatchObject({ kind: 'missing' })
    })
  })

  test('a takeover during concurrent calls loses all open calls of the old process, and no further ones are opened', async () => {
    const [one, two] = await freshStores(fresh, 2)
    if (one === undefined || two === undefined) throw new Error('no store')
    await createFenced(one)
    const opening = Array.from({ length: 40 }, (_, number) => one.calls.open(sampleIntent(number)))
    const [lost, ...opened] = await Promise.all([
      two.calls.takeOver(runId, 'second', 9),
      ...opening.map((promise) =>
        promise.then(
          () => 'open',
          ({ kind }) => kind,
        ),
      ),
    ])
    expect(new Set(opened)).not.toContain('exists')
    expect(opened.filter((kind) => kind === 'open').length).toBe(lost)
    expect((await two.calls.spend(runId)).calls).toMatchObject({ open: 0, lost })
  })
}
