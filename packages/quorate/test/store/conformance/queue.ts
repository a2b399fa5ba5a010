import { seededRandom } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import type { LedgerKind } from '../../../src/record/ledger.ts'
import type { ReviewList, Submission, Undoing } from '../../../src/store/reviews/reviews.ts'
import type { Store, StoredReview } from '../../../src/store/store.ts'
import { addReview, ledgerTexts } from '../rows.ts'
import { createRun, sampleEntry, sampleId, sampleLabel, sampleMessage, sampleReview } from '../samples.ts'
import { verifyChain } from '../verify-chain.ts'
import { type Fresh, freshStore, freshStores } from './harness.ts'

const NOW = 1_790_000_100_000
const CLAIM_MS = 1000

export function claimOf(reviewer: string, slot: ReviewList = 'open', now = NOW) {
  return { reviewer, now, claimMs: CLAIM_MS, slot: () => slot }
}

function submissionOf(number: number, reviewer: string, change: Partial<Submission> = {}): Submission {
  const { id, questionId, runId } = sampleReview(number)
  return {
    id,
    reviewer,
    outcome: '"A"',
    note: 'secret note\0\ud800',
    at: NOW,
    undoUntil: NOW + 10,
    label: sampleLabel(number, { reviewId: id, runId, questionId, source: 'deferral', by: reviewer }),
    entry: sampleEntry({ kind: 'review', texts: [{ digest: 'd', salt: 's', text: 'secret', questionId }] }),
    messages: [sampleMessage(number, { subject: id, notBefore: NOW + 10 })],
    ...change,
  }
}

function undoingOf(number: number, reviewer: string | null, change: Partial<Undoing> = {}): Undoing {
  const entry = (kind: LedgerKind) => sampleEntry({ kind, texts: [] })
  return {
    id: sampleReview(number).id,
    reviewer,
    by: reviewer ?? 'chief',
    submittedAt: NOW,
    now: NOW + 5,
    claimMs: CLAIM_MS,
    undone: entry('review-undone'),
    retracted: entry('review-retracted'),
    replacementId: sampleId(4900),
    resolve: () => ({ label: { gold: 'A', verdict: 'option', grades: null, text: null, by: 'ann' }, nextPart: null }),
    retraction: [sampleMessage(900, { event: 'review.retracted' })],
    ...change,
  }
}

async function claimAll(store: Store, reviewer: string, slot: ReviewList): Promise<readonly number[]> {
  const numbers: number[] = []
  for (;;) {
    const review = await store.reviews.claimNext(claimOf(reviewer, slot))
    if (review === null) return numbers
    numbers.push(Number(review.id.slice(-3)))
  }
}

export function queueConformance(fresh: Fresh): void {
  describe('the queue', () => {
    test('offers open deferrals nearest to the threshold first, unknown ones last, and blind items by age', async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      const distances = [0.3, null, 0.000_000_002, 0.1, 0.000_000_001, null]
      for (const [number, distance] of distances.entries()) await addReview(store, sampleReview(number, { distance }))
      for (const [number, createdAt] of [
        [10, 7],
        [11, 5],
        [12, 6],
      ] as const) {
        await addReview(store, sampleReview(number, { source: 'spot-check', createdAt, distance: 0 }))
      }
      expect((await store.reviews.find(sampleReview(2).id))?.distance).toBe(0.000_000_002)
      expect(await claimAll(store, 'ann', 'open')).toEqual([4, 2, 3, 0, 1, 5, 11, 12, 10])
    })

    test('offers a blind item at its slots, in order of age, and an open one if none waits', async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      for (const number of [0, 1, 2]) await addReview(store, sampleReview(number, { distance: 0.1 * number }))
      await addReview(store, sampleReview(10, { source: 'spot-check', createdAt: 9 }))
      await addReview(store, sampleReview(11, { source: 'spot-check', createdAt: 8 }))
      const numbers: number[] = []
      const slot = (number: number): ReviewList => {
        numbers.push(number)
        return number % 2 === 1 ? 'blind' : 'open'
      }
      const order: string[] = []
      for (let count = 0; count < 5; count++) {
        const review = await store.reviews.claimNext({ ...claimOf('ann'), slot })
        order.push(review?.id.slice(-2) ?? '')
      }
      expect(order).toEqual(['00', '11', '01', '10', '02'])
      expect(numbers).toEqual([0, 1, 2, 3, 4])
    })

    test('makes at least as many deferrals blind as spot checks, at random and permanently, in one order of age', async () => {
      const store = await freshStore(fresh)
      await createRun(store, 120)
      const random = seededRandom(3)
      for (let number = 0; number < 120; number++) {
        const source = number % 4 === 0 ? 'spot-check' : 'deferral'
        const { list: _, ...review } = sampleReview(number, { questionId: `q${number}`, source, createdAt: number })
        await addReview(store, { ...review, distance: random(), chance: random() })
      }
      const blind: StoredReview[] = []
      const open: StoredReview[] = []
      for (let count = 0; count < 120; count++) {
        const slot = (number: number) => (number % 2 === 0 ? ('blind' as const) : ('open' as const))
        const review = await store.reviews.claimNext({ ...claimOf('ann'), slot })
        if (review === null) throw new Error('the queue is empty')
        if (review.isBlind === true) blind.push(review)
        else open.push(review)
      }
      expect(open.every(({ source }) => source === 'deferral')).toBe(true)
      const spotChecks = blind.filter(({ source }) => source === 'spot-check').length
      expect(spotChecks).toBe(30)
      expect(blind.length - spotChecks).toBeGreaterThanOrEqual(30)
      expect(open.length).toBeGreaterThan(0)
      // The oldest comes first, so the order reveals nothing about the source.
      const times = blind.map(({ createdAt }) => createdAt)
      expect(times).toEqual(times.toSorted((left, right) => left - right))
      for (const { id } of blind) {
        await store.reviews.release(id, { reviewer: 'ann', now: NOW, skip: false })
        const again = await store.reviews.claim(id, { reviewer: 'bob', now: NOW, claimMs: 1 })
        expect(again).toMatchObject({ kind: 'claimed', review: { isBlind: true, claimedBy: 'bob' } })
      }
    })

    test('gives no reviewer more items at once than allowed, and lists their claims', async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      const { reviews } = store
      for (const number of [0, 1, 2, 3]) await addReview(store, sampleReview(number, { distance: number / 10 }))
      const claim = { ...claimOf('ann'), maxClaims: 2 }
      const [first, second, third] = [0, 1, 2].map((number) => sampleReview(number).id)
      const taken = await Promise.all([0, 1, 2].map(() => reviews.claimNext(claim)))
      expect(taken.filter((review) => review !== null).length).toBe(2)
      expect((await reviews.claimsOf({ reviewer: 'ann', now: NOW })).map(({ id }) => id).sort()).toEqual([
        first,
        second,
      ])
      expect(await reviews.claim(third ?? '', claim)).toMatchObject({ kind: 'refused', review: { claimedBy: null } })
      // A reviewer may renew a claim, and others are not affected.
      expect(await reviews.claim(first ?? '', claim)).toMatchObject({ kind: 'claimed' })
      expect(await reviews.claimNext({ ...claim, reviewer: 'bob' })).toMatchObject({ id: third })
      await reviews.release(first ?? '', { reviewer: 'ann', now: NOW, skip: false })
      expect(await reviews.claimNext(claim)).toMatchObject({ id: first })
      // An expired claim no longer counts.
      expect(await reviews.claimsOf({ reviewer: 'ann', now: NOW + CLAIM_MS })).toEqual([])
    })

    test('ends a claim after the longest allowed time, and offers the item to others first', async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      const { reviews } = store
      const { id } = sampleReview(0)
      await addReview(store, sampleReview(0))
      const at = (later: number, reviewer = 'ann') => ({ ...claimOf(reviewer, 'open', NOW + later), maxTotalMs: 2500 })
      expect(await reviews.claim(id, at(0))).toMatchObject({ review: { claimedUntil: NOW + 1000 } })
      expect(await reviews.claim(id, at(900))).toMatchObject({ review: { claimedUntil: NOW + 1900 } })
      // Releasing and claiming it again does not restart the time.
      await reviews.release(id, { reviewer: 'ann', now: NOW + 1000, skip: false })
      expect(await reviews.claimNext(at(1800))).toMatchObject({ id, claimedUntil: NOW + 2500 })
      expect(await reviews.claim(id, at(2400))).toMatchObject({ review: { claimedUntil: NOW + 2500 } })
      expect(await reviews.claim(id, at(2500))).toMatchObject({ kind: 'refused', review: { lastClaimedBy: 'ann' } })
      expect(await reviews.claimNext(at(2600))).toBeNull()
      expect(await reviews.claimNext(at(2600, 'bob'))).toMatchObject({ id, claimedBy: 'bob' })
      await reviews.release(id, { reviewer: 'bob', now: NOW + 2700, skip: false })
      // After a claim by another reviewer, the time starts again.
      expect(await reviews.claim(id, at(2700))).toMatchObject({ review: { claimedUntil: NOW + 3700 } })
    })

    test('offers an item to its only reviewer again after a pause', async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      await addReview(store, sampleReview(0))
      const at = (later: number) => ({ ...claimOf('ann', 'open', NOW + later), maxTotalMs: 2500 })
      expect(await store.reviews.claimNext(at(0))).not.toBeNull()
      expect(await store.reviews.claimNext(at(2500))).toBeNull()
      expect(await store.reviews.claimNext(at(3499))).toBeNull()
      expect(await store.reviews.claimNext(at(3500))).toMatchObject({ claimedUntil: NOW + 4500 })
    })

    test('releases all claims of one reviewer, with a ledger row each, and no claims of others', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store)
      const { reviews } = store
      for (const number of [0, 1, 2]) await addReview(store, sampleReview(number, { distance: number / 10 }))
      for (const reviewer of ['ann', 'ann', 'bob']) await reviews.claimNext(claimOf(reviewer))
      const entryOf = ({ id }: StoredReview) => sampleEntry({ kind: 'claim-released', body: { id }, texts: [] })
      const released = await reviews.releaseClaims({ reviewer: 'ann', now: NOW, entryOf })
      expect(released.map(({ id }) => id)).toEqual([sampleReview(0).id, sampleReview(1).id])
      expect(await reviews.claimsOf({ reviewer: 'ann', now: NOW })).toEqual([])
      expect((await reviews.claimsOf({ reviewer: 'bob', now: NOW })).length).toBe(1)
      expect((await store.ledger.list(runId, { after: 0, limit: 9 })).length).toBe(2)
      expect(await reviews.releaseClaims({ reviewer: 'ann', now: NOW, entryOf })).toEqual([])
      expect(await reviews.claimNext(claimOf('bob'))).toMatchObject({ id: sampleReview(0).id })
    })

    test('never gives an item to two of 20 concurrent reviewers on two stores', async () => {
      const stores = await freshStores(fresh, 2)
      const [store] = stores
      if (store === undefined) throw new Error('no store')
      await createRun(store)
      await Promise.all(Array.from({ length: 90 }, (_, number) => addReview(store, sampleReview(number))))
      const taken = await Promise.all(
        Array.from({ length: 100 }, (_, number) => stores[number % 2]?.reviews.claimNext(claimOf(`r${number % 20}`))),
      )
      const ids = taken.filter((review) => review !== null).map((review) => review?.id)
      expect(ids.length).toBe(90)
      expect(new Set(ids).size).toBe(90)
    })

    test('offers an item again after its claim expired, and lets its last claimant submit it until then', async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      for (const number of [0, 1]) await addReview(store, sampleReview(number, { distance: number / 10 }))
      const first = await store.reviews.claimNext(claimOf('ann'))
      await store.reviews.claimNext(claimOf('ann'))
      expect(await store.reviews.claimNext(claimOf('bob', 'open', NOW + CLAIM_MS - 1))).toBeNull()
      const again = await store.reviews.claimNext(claimOf('bob', 'open', NOW + CLAIM_MS))
      expect(again).toMatchObject({ id: first?.id, claimedBy: 'bob', claimedUntil: NOW + 2 * CLAIM_MS })
      expect(await store.reviews.submit(submissionOf(0, 'ann'))).toMatchObject({
        kind: 'refused',
        review: { claimedBy: 'bob', status: 'waiting' },
      })
      expect(await store.reviews.submit(submissionOf(1, 'ann'))).toMatchObject({ kind: 'submitted' })
    })

    test('keeps an item for its claimant, longer if asked, and refuses it to others', async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      const { id } = sampleReview(0)
      await addReview(store, sampleReview(0))
      const { reviews } = store
      expect(await reviews.claim(id, claimOf('ann'))).toMatchObject({ kind: 'claimed' })
      expect(await reviews.claim(id, claimOf('bob'))).toMatchObject({ kind: 'refused', review: { claimedBy: 'ann' } })
      const longer = await reviews.claim(id, claimOf('ann', 'open', NOW + 500))
      expect(longer).toMatchObject({ kind: 'claimed', review: { claimedUntil: NOW + 500 + CLAIM_MS } })
      expect(await reviews.release(id, { reviewer: 'bob', now: NOW, skip: false })).toMatchObject({ kind: 'refused' })
      expect(await reviews.release(id, { reviewer: 'ann', now: NOW, skip: false })).toMatchObject({ kind: 'released' })
      expect(await reviews.claim(id, claimOf('bob'))).toMatchObject({ kind: 'claimed', review: { claimedBy: 'bob' } })
      expect(await reviews.claim('none', claimOf('bob'))).toEqual({ kind: 'refused', review: null })
    })

    test('offers skipped items again only after the others, the one skipped longest ago first', async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      for (const number of [0, 1, 2])
        await addReview(store, sampleReview(number, { distance: number / 10, createdAt: 1 }))
      const take = async (reviewer: string) => (await store.reviews.claimNext(claimOf(reviewer)))?.id.slice(-1)
      const skip = (number: number, now: number) =>
        store.reviews.release(sampleReview(number).id, { reviewer: 'ann', now, skip: true })
      expect(await take('ann')).toBe('0')
      await skip(0, 10)
      expect(await take('ann')).toBe('1')
      await skip(1, 20)
      expect(await take('bob')).toBe('0')
      expect(await take('ann')).toBe('2')
      expect(await take('ann')).toBe('1')
      await skip(1, 30)
      await store.reviews.release(sampleReview(0).id, { reviewer: 'bob', now: NOW, skip: false })
      expect(await take('ann')).toBe('0')
      await skip(0, 40)
      expect(await take('ann')).toBe('1')
    })
  })

  describe('a submitted review', () => {
    async function submitted(change: Partial<Submission> = {}) {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store)
      await addReview(store, sampleReview(0))
      await store.reviews.claimNext(claimOf('ann'))
      const result = await store.reviews.submit(submissionOf(0, 'ann', change))
      return { store, runId, result, id: sampleReview(0).id }
    }

    test('is written with its label, its ledger entry and its messages', async () => {
      const { store, runId, result, id } = await submitted()
      const expected = { status: 'submitted', outcome: '"A"', by: 'ann', submittedAt: NOW, undoUntil: NOW + 10 }
      expect(result).toMatchObject({ kind: 'submitted', review: { ...expected, note: 'secret note\0\ud800' } })
      expect(await store.reviews.find(id)).toEqual(result.review)
      expect(await store.labels.of('q0')).toEqual([submissionOf(0, 'ann').label])
      expect(await store.ledger.head(runId)).toMatchObject({ sequence: 1 })
      expect(await store.outbox.due({ now: NOW + 9, limit: 9, leaseMs: 1 })).toEqual([])
      expect(await store.outbox.due({ now: NOW + 10, limit: 9, leaseMs: 1 })).toMatchObject([{ subject: id }])
      expect(await store.reviews.claimNext(claimOf('bob', 'open', NOW + 9999))).toBeNull()
    })

    test('is counted once: a repetition is reported as such, and another outcome or reviewer is refused', async () => {
      const { store, runId, id } = await submitted()
      const again = { label: sampleLabel(7, { reviewId: id }) }
      expect(await store.reviews.submit(submissionOf(0, 'ann', again))).toMatchObject({ kind: 'repeated' })
      const other = await store.reviews.submit(submissionOf(0, 'ann', { ...again, outcome: '"B"' }))
      expect(other).toMatchObject({ kind: 'refused', review: { status: 'submitted', outcome: '"A"' } })
      expect(await store.reviews.submit(submissionOf(0, 'bob', again))).toMatchObject({ kind: 'refused' })
      expect(await store.reviews.submit(submissionOf(5, 'bob'))).toEqual({ kind: 'refused', review: null })
      await expect(store.labels.addAll([again.label])).rejects.toMatchObject({ kind: 'exists' })
      expect((await store.labels.of('q0')).length).toBe(1)
      expect(await store.ledger.head(runId)).toMatchObject({ sequence: 1 })
    })

    test('is submitted by only one of many concurrent attempts', async () => {
      const store = await freshStore(fresh)
      await createRun(store)
      await addReview(store, sampleReview(0))
      await store.reviews.claimNext(claimOf('ann'))
      const tries = Array.from({ length: 8 }, (_, number) =>
        store.reviews.submit(
          submissionOf(0, 'ann', { label: sampleLabel(number, { reviewId: sampleReview(0).id }), messages: [] }),
        ),
      )
      const kinds = (await Promise.all(tries)).map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind === 'submitted').length).toBe(1)
      expect(kinds.filter((kind) => kind === 'repeated').length).toBe(7)
      expect((await store.labels.of('q0')).length).toBe(1)
    })

    test('is undone in time: its reviewer has it again, without label or message, and the ledger records both', async () => {
      const { store, runId, id } = await submitted()
      const early = undoingOf(0, 'ann', { submittedAt: NOW - 1 })
      expect(await store.reviews.undo(early)).toMatchObject({ kind: 'refused' })
      expect(await store.reviews.undo(undoingOf(0, 'bob'))).toMatchObject({ kind: 'refused' })
      const undone = await store.reviews.undo(undoingOf(0, 'ann'))
      const claimed = {
        claimedBy: 'ann',
        claimedUntil: NOW + 5 + CLAIM_MS,
        lastClaimedBy: 'ann',
        lastClaimedAt: NOW + 5,
      }
      const waiting = sampleReview(0, claimed)
      expect(undone).toEqual({ kind: 'undone', review: { ...waiting, isBlind: false } })
      expect(await store.reviews.find(id)).toEqual(undone.review)
      expect(await store.labels.of('q0')).toEqual([])
      expect(await store.outbox.due({ now: NOW + 99, limit: 9, leaseMs: 1 })).toEqual([])
      const rows = await store.ledger.list(runId, { after: 0, limit: 9 })
      expect(rows.map(({ line }) => JSON.parse(line).kind)).toEqual(['review', 'review-undone'])
      expect(verifyChain(rows).kind).toBe('whole')
      expect(await store.reviews.undo(undoingOf(0, 'ann'))).toMatchObject({ kind: 'refused' })
      const label = sampleLabel(8, { reviewId: id })
      const second = submissionOf(0, 'ann', { outcome: '"B"', label, messages: [sampleMessage(8, { subject: id })] })
      expect(await store.reviews.submit(second)).toMatchObject({ kind: 'submitted' })
      expect(await store.labels.of('q0')).toEqual([label])
    })

    test('is retracted after that time or after a message was sent: not counted, announced, and asked again', async () => {
      for (const isTold of [true, false]) {
        const { store, runId, id } = await submitted()
        const now = isTold ? NOW + 5 : NOW + 10
        if (isTold) await store.outbox.due({ now: NOW + 10, limit: 9, leaseMs: 1 })
        const retracted = await store.reviews.undo(undoingOf(0, 'ann', { now }))
        expect(retracted).toMatchObject({ kind: 'retracted', review: { status: 'retracted', outcome: '"A"' } })
        expect(await store.labels.of('q0')).toEqual([])
        expect(await store.labels.list({ after: null, limit: 9 })).toEqual([])
        expect(await store.outbox.find(sampleMessage(900).id)).toMatchObject({ event: 'review.retracted' })
        expect(await store.reviews.undo(undoingOf(0, null, { now: now + 1 }))).toEqual(retracted)
        expect(await store.ledger.head(runId)).toMatchObject({ sequence: 2 })
        const next = await store.reviews.claimNext(claimOf('bob'))
        expect(next).toMatchObject({ id: sampleId(4900), questionId: 'q0', source: 'deferral' })
        expect(await store.reviews.find(id)).toMatchObject({ status: 'retracted' })
        expect(await store.reviews.latestOf(runId, 'q0')).toMatchObject({ id: sampleId(4900) })
        expect(await store.reviews.latestOf(runId, 'none')).toBeNull()
      }
    })

    test('is the latest of its question if it was added last, whatever its id', async () => {
      const store = await freshStore(fresh)
      const { id: runId } = await createRun(store, 1)
      for (const number of [30, 10, 20]) await addReview(store, sampleReview(number, { runId }))
      expect(await store.reviews.latestOf(runId, 'q0')).toMatchObject({ id: sampleReview(20).id })
    })

    test('is not offered to a reviewer who knows the panel while another person could claim it', async () => {
      const { store, runId } = await submitted()
      const token = (number: number, name: string, change = {}) => {
        const about = { name, role: 'reviewer', kind: 'human', createdAt: 1, expiresAt: null } as const
        return store.tokens.create({ ...about, id: sampleId(7000 + number), hash: `hash of ${name}`, ...change })
      }
      await store.reviews.undo(undoingOf(0, 'ann', { now: NOW + 10 }))
      const id = sampleId(4900)
      await token(1, 'ann')
      await token(2, 'robot', { kind: 'machine' })
      await token(3, 'looks on', { role: 'viewer' })
      await token(4, 'gone', { expiresAt: NOW })
      // All others know the answer, or may not review.
      expect(await store.reviews.claim(id, claimOf('ann'))).toMatchObject({
        kind: 'claimed',
        review: { isBlind: false },
      })
      await store.reviews.release(id, { reviewer: 'ann', now: NOW, skip: false })
      await addReview(store, sampleReview(1, { questionId: 'q0', list: 'blind' }))
      await token(5, 'bob')
      const other = sampleReview(1).id
      expect(await store.reviews.claim(other, claimOf('ann'))).toMatchObject({ kind: 'refused', review: { id: other } })
      // An item that was claimed openly stays open to everybody.
      expect(await store.reviews.claimNext(claimOf('ann'))).toMatchObject({ id, isBlind: false })
      expect(await store.reviews.claimNext(claimOf('ann'))).toBeNull()
      await store.reviews.sawPanel({ runId, questionId: 'q0', reviewer: 'bob' })
      await store.reviews.sawPanel({ runId, questionId: 'q0', reviewer: 'bob' })
      expect(await store.reviews.claimNext(claimOf('ann', 'blind'))).toMatchObject({
        id: other,
        isBlind: false,
      })
    })

    test('counts for its reviewer and day, and waiting items are counted with the oldest time', async () => {
      const { store } = await submitted()
      await addReview(store, sampleReview(1, { createdAt: 30 }))
      await addReview(store, sampleReview(2, { createdAt: 20 }))
      const counts = { waiting: 2, submitted: 1, oldestAt: 20 }
      expect(await store.reviews.counts({ reviewer: 'ann', since: NOW })).toEqual({ ...counts, mine: 1 })
      expect(await store.reviews.counts({ reviewer: 'ann', since: NOW + 1 })).toEqual({ ...counts, mine: 0 })
      expect(await store.reviews.counts({ reviewer: 'bob', since: 0 })).toEqual({ ...counts, mine: 0 })
    })

    test('loses its note in a redaction', async () => {
      const { store, runId, id } = await submitted()
      expect((await store.redact('q0')).erased).toBeGreaterThan(0)
      expect(await store.reviews.find(id)).toMatchObject({ note: null, outcome: '"A"' })
      expect(await ledgerTexts(store, runId, 1)).toMatchObject([{ text: null, salt: null }])
    })
  })
}
