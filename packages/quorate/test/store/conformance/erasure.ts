import { describe, expect, test } from 'vitest'
import type { LedgerKind } from '../../../src/record/ledger.ts'
import type { Submission, Undoing } from '../../../src/store/reviews/reviews.ts'
import type { Store } from '../../../src/store/store.ts'
import { addReview, ledgerTexts, saveDecision } from '../rows.ts'
import {
  createRun,
  REFUSED,
  sampleDebate,
  sampleDecision,
  sampleEntry,
  sampleId,
  sampleIntent,
  sampleLabel,
  sampleOutcome,
  sampleReview,
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
      await saveDecision(store, sampleDecision(1, 'q0'), sampleDebate('q0'), sampleEntry())
      expect(await store.runs.counts(runId)).toMatchObject({ done: 2 })
      for (const id of ['q0', 'q1']) {
        expect((await store.debates.find(runId, id))?.debate).not.toContain('secret')
      }
      expect(await ledgerTexts(store, runId, 1)).toMatchObject([{ text: null, salt: null, digest: 'd'.repeat(64) }])
    })
  })

  describe('a review of a question that was redacted', () => {
    const review = sampleReview(0, { questionId: 'q0', source: 'deferral', list: 'open' })
    const { id } = review
    const outcome = JSON.stringify({ kind: 'answer', text: 'secret answer' })
    const entryOf = (kind: LedgerKind) =>
      sampleEntry({ kind, texts: [{ digest: 'd', salt: 's', text: 'secret answer', questionId: 'q0' }] })
    const submission: Submission = {
      id,
      reviewer: 'ann',
      outcome,
      note: 'secret note',
      at: 10,
      undoUntil: 20,
      label: sampleLabel(0, { runId, reviewId: id, source: 'deferral', verdict: 'answer', text: 'secret answer' }),
      entry: entryOf('review'),
      messages: [],
    }
    const undoing: Undoing = {
      id,
      reviewer: 'ann',
      by: 'ann',
      submittedAt: 10,
      now: 15,
      claimMs: 5,
      replacementId: sampleId(4900),
      undone: entryOf('review-undone'),
      retracted: entryOf('review-retracted'),
      retraction: [],
      resolve: () => ({
        label: { gold: 'A', verdict: 'answer', grades: null, text: 'secret answer', by: 'ann' },
        nextPart: null,
      }),
    }
    const claimed = async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      await addReview(store, review)
      await store.reviews.claimNext({ reviewer: 'ann', now: 5, claimMs: 100, slot: () => 'open' })
      return store
    }
    const writtenTo = async (store: Store) => {
      const rows = await store.ledger.list(runId, { after: 0, limit: 9 })
      const texts = await Promise.all(rows.map(({ sequence }) => ledgerTexts(store, runId, sequence)))
      return JSON.stringify([await store.reviews.find(id), await store.labels.of('q0'), texts])
    }

    test.each([
      ['one person', undefined],
      ['several people', { resolve: undoing.resolve, nextId: sampleId(4901) }],
    ])('stores the verdict of %s and no text', async (_, joint) => {
      const store = await claimed()
      await store.redact('q0')
      const given = joint === undefined ? submission : { ...submission, joint }
      expect(await store.reviews.submit(given)).toMatchObject({ kind: 'submitted' })
      expect(await store.labels.of('q0')).toMatchObject([{ verdict: 'answer', gold: 'A', text: null }])
      expect(await store.reviews.submit(given)).toMatchObject({ kind: 'repeated' })
      expect(await writtenTo(store)).not.toContain('secret')
    })

    test.each([
      ['undone', 15],
      ['retracted', 25],
    ])('stores no text when it is %s', async (kind, now) => {
      const store = await claimed()
      expect(await store.reviews.submit(submission)).toMatchObject({ kind: 'submitted' })
      await store.redact('q0')
      expect(await store.reviews.undo({ ...undoing, now })).toMatchObject({ kind })
      expect(await writtenTo(store)).not.toContain('secret')
    })

    test('stores no text if both happen at the same time', async () => {
      const [one, two] = await freshStores(fresh, 2)
      if (one === undefined || two === undefined) throw new Error('no store')
      await createRun(one, 20)
      const numbers = Array.from({ length: 20 }, (_, number) => number)
      const reviewOf = (number: number) => sampleReview(number, { questionId: `q${number}`, claimedBy: 'ann' })
      for (const number of numbers) await addReview(one, reviewOf(number))
      const given = numbers.map((number) => {
        const { id, questionId } = reviewOf(number)
        const label = { ...submission.label, id: sampleId(3000 + number), reviewId: id, questionId }
        const texts = submission.entry.texts.map((text) => ({ ...text, questionId }))
        return { ...submission, id, label, entry: { ...submission.entry, texts } }
      })
      await Promise.all(given.flatMap((each, number) => [one.reviews.submit(each), two.redact(`q${number}`)]))
      for (const number of numbers) {
        expect(await two.reviews.find(reviewOf(number).id)).toMatchObject({ status: 'submitted' })
        expect(JSON.stringify(await two.labels.of(`q${number}`))).not.toContain('secret')
      }
      const rows = await two.ledger.list(runId, { after: 0, limit: 99 })
      const texts = await Promise.all(rows.map(({ sequence }) => ledgerTexts(two, runId, sequence)))
      const reviews = await Promise.all(numbers.map((number) => two.reviews.find(reviewOf(number).id)))
      expect(JSON.stringify([texts, reviews])).not.toContain('secret')
    })
  })

  test('a redaction erases the digests of a certified debate, and a later round does not restore them', async () => {
    const store = await freshStore(fresh)
    await createRun(store)
    const certified = (round: number) => ({
      runId,
      questionId: 'q0',
      round,
      decisionId: sampleId(77),
      result: '{}',
      at: 5,
      digests: JSON.stringify(Array.from({ length: round }, (_, at) => `digest ${at}`)),
    })
    const settle = (round: number) =>
      store.decisions.settle({
        decision: null,
        debate: sampleDebate('q0', { rounds: round }),
        entry: sampleEntry(),
        certified: certified(round),
        knownRounds: round - 1,
      })
    await settle(1)
    await settle(2)
    expect(await store.decisions.certifiedRounds(runId, 'q0')).toEqual([certified(1), certified(2)])
    await store.redact('q0')
    await settle(3)
    const left = await store.decisions.certifiedRounds(runId, 'q0')
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

  test('questions whose ids begin alike are found until their texts are erased', async () => {
    const store = await freshStore(fresh)
    await createRun(store)
    const ids = ['d', 'd#b', 'd#a', 'd#\u{10ffff}', 'd$', 'D#a', 'dd#a']
    for (const questionId of ids) {
      await store.runs.addQuestion(runId, { questionId, question: '{"question":"secret"}', isSpotCheck: false })
    }
    expect(await store.runs.withText('d#')).toEqual(['d#a', 'd#b', 'd#\u{10ffff}'])
    await store.redact('d#a')
    expect(await store.runs.withText('d#')).toEqual(['d#b', 'd#\u{10ffff}'])
    expect(await store.runs.withText('x#')).toEqual([])
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
      saveDecision(one, sampleDecision(1, 'q0'), sampleDebate('q0'), sampleEntry()),
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
  return JSON.stringify([question, calls, debate, await ledgerTexts(store, runId, 1)])
}
