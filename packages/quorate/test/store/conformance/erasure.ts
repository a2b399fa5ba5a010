import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import {
  createRun,
  REFUSED,
  sampleDebate,
  sampleDecision,
  sampleEntry,
  sampleId,
  sampleIntent,
  sampleOutcome,
} from '../samples.ts'
import { type Fresh, freshStore, freshStores } from './harness.ts'

const runId = sampleId(1)

export function erasureConformance(fresh: Fresh): void {
  describe('a question that was redacted during its debate', () => {
    test('opens no more calls', async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      await store.redact('q0')
      await expect(store.calls.open(sampleIntent(1))).rejects.toMatchObject({ kind: 'erased' })
      await store.calls.open(sampleIntent(2, { questionId: 'q1' }))
    })

    test('stores no text of calls in flight, which are counted and paid', async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      for (const number of [1, 2]) await store.calls.open(sampleIntent(number))
      await store.redact('q0')
      expect(await store.calls.close(sampleIntent(1), 'answered', sampleOutcome())).toBe(true)
      expect(await store.calls.close(sampleIntent(2), 'refused', REFUSED)).toBe(true)
      const calls = await store.calls.list(runId, { after: null, limit: 9 })
      expect(calls.map(({ state, reply, error, costMicroUsd }) => [state, reply, error, costMicroUsd])).toEqual([
        ['answered', null, null, 250],
        ['refused', null, 'erased', null],
      ])
    })

    test('is saved without its texts, decided or not', async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      await store.redact('q0')
      await store.redact('q1')
      await store.debates.save(sampleDebate('q1'))
      await store.decisions.save(sampleDecision(1, 'q0'), sampleDebate('q0'), sampleEntry())
      expect(await store.runs.counts(runId)).toMatchObject({ done: 2 })
      for (const id of ['q0', 'q1']) {
        expect((await store.debates.find(runId, id))?.debate).not.toContain('secret')
      }
      expect(await store.ledger.texts(runId, 1)).toMatchObject([{ text: null, salt: null, digest: 'd'.repeat(64) }])
    })
  })

  test('a redaction erases the digests of a certified debate, and a later round does not restore them', async () => {
    const store = await freshStore(fresh)
    await createRun(store)
    const certified = (round: number) => ({
      ...{ runId, questionId: 'q0', round, decisionId: sampleId(77), result: '{}', at: 5 },
      digests: JSON.stringify(Array.from({ length: round }, (_, at) => `digest ${at}`)),
    })
    const settle = (round: number) =>
      store.decisions.settle({
        ...{ decision: null, debate: sampleDebate('q0', { rounds: round }), entry: sampleEntry() },
        ...{ certified: certified(round), knownRounds: round - 1 },
      })
    await settle(1)
    await settle(2)
    expect(await store.decisions.certified(runId, 'q0')).toEqual([certified(1), certified(2)])
    await store.redact('q0')
    await settle(3)
    const left = await store.decisions.certified(runId, 'q0')
    expect(left.map(({ digests }) => digests)).toEqual([null, null, null])
    expect(left.map(({ result }) => result)).toEqual(['{}', '{}', '{}'])
  })

  test('a redaction erases the cache keys, which are hashes of the prompt', async () => {
    const store = await freshStore(fresh)
    await createRun(store)
    for (const [number, questionId] of ['q0', 'q0', 'q1'].entries()) {
      await store.calls.open(sampleIntent(number, { questionId }))
    }
    await store.redact('q0')
    const calls = await store.calls.list(runId, { after: null, limit: 9 })
    expect(calls.map(({ cacheKey }) => cacheKey)).toEqual([sampleIntent(0).id, sampleIntent(1).id, 'cache-2'])
  })

  test('a redaction during concurrent writes leaves no text, in any order', async () => {
    const [one, two] = await freshStores(fresh, 2)
    if (one === undefined || two === undefined) throw new Error('no store')
    await createRun(one)
    const numbers = Array.from({ length: 20 }, (_, number) => number)
    for (const number of numbers) await one.calls.open(sampleIntent(number))
    await Promise.all([
      ...numbers.map((number) => one.calls.close(sampleIntent(number), 'answered', sampleOutcome())),
      two.redact('q0'),
      one.decisions.save(sampleDecision(1, 'q0'), sampleDebate('q0'), sampleEntry()),
    ])
    expect(await textsOf(two)).not.toContain('secret')
    expect((await two.calls.spend(runId)).calls.answered).toBe(20)
  })
}

/** Everything that the store has about the question, as text. */
async function textsOf(store: Store): Promise<string> {
  const [question] = await store.runs.questions(runId, { after: -1, limit: 1 })
  const calls = await store.calls.list(runId, { after: null, limit: 99 })
  const debate = await store.debates.find(runId, 'q0')
  return JSON.stringify([question, calls, debate, await store.ledger.texts(runId, 1)])
}
