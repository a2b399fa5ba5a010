import { describe, expect, test } from 'vitest'
import type { Store, StoredReview } from '../../../src/store/store.ts'
import { addReview } from '../rows.ts'
import { createRun, sampleEntry, sampleId, sampleReview } from '../samples.ts'
import { verifyChain } from '../verify-chain.ts'
import { type Fresh, freshStore, freshStores } from './harness.ts'
import { claimOf } from './queue.ts'

const NOW = 1_790_000_100_000
const idOf = (number: number) => sampleReview(number).id

function entryOf({ id, assignedTo, dueAt }: StoredReview) {
  return sampleEntry({ kind: 'review-assigned', body: { reviewId: id, assignedTo, dueAt }, texts: [] })
}

async function queueOf(fresh: Fresh, people: readonly string[], items: number): Promise<Store> {
  const store = await freshStore(fresh)
  await fill(store, people, items)
  return store
}

async function fill(store: Store, people: readonly string[], items: number): Promise<void> {
  await createRun(store)
  for (const [number, name] of people.entries()) {
    const about = { role: 'reviewer', kind: 'human', hash: `hash of ${name}`, createdAt: 1, expiresAt: null } as const
    await store.tokens.create({ id: sampleId(600 + number), name, ...about })
  }
  for (let number = 0; number < items; number++) await addReview(store, sampleReview(number))
}

const rowsOf = async (store: Store) =>
  (await store.ledger.list(sampleId(1), { after: 0, limit: 100 })).map(({ line }) => JSON.parse(line))

export function assignmentConformance(fresh: Fresh): void {
  describe('an assigned item', () => {
    test('goes to its person first, by due date, and to nobody else until that has passed', async () => {
      const store = await queueOf(fresh, ['ann', 'bob'], 4)
      await store.reviews.assign({ ids: [idOf(3)], assignedTo: 'bob', entryOf })
      await store.reviews.assign({ ids: [idOf(2)], assignedTo: 'bob', dueAt: NOW + 50, entryOf })
      expect((await store.reviews.claimNext(claimOf('bob')))?.id).toBe(idOf(2))
      expect((await store.reviews.claimNext(claimOf('bob')))?.id).toBe(idOf(3))
      expect((await store.reviews.claimNext(claimOf('ann')))?.id).toBe(idOf(0))
      for (const number of [2, 3]) await store.reviews.release(idOf(number), { reviewer: 'bob', now: NOW, skip: false })
      expect((await store.reviews.claim(idOf(2), claimOf('ann'))).kind).toBe('refused')
      expect((await store.reviews.claimNext(claimOf('ann')))?.id).toBe(idOf(1))
      expect(await store.reviews.claimNext(claimOf('ann'))).toBeNull()
      expect((await store.reviews.claimNext(claimOf('ann', 'open', NOW + 50)))?.id).toBe(idOf(2))
    })

    test('goes to others if its person may no longer review', async () => {
      const store = await queueOf(fresh, ['ann', 'bob'], 1)
      await store.reviews.assign({ ids: [idOf(0)], assignedTo: 'bob', entryOf })
      expect(await store.reviews.claimNext(claimOf('ann'))).toBeNull()
      await store.tokens.revoke(sampleId(601), NOW)
      expect((await store.reviews.claimNext(claimOf('ann')))?.id).toBe(idOf(0))
    })

    test('goes to others if its person knows the panel and nothing else is free', async () => {
      const store = await queueOf(fresh, ['ann', 'bob'], 1)
      await addReview(store, sampleReview(1, { source: 'spot-check', questionId: 'q1' }))
      await store.reviews.assign({ ids: [idOf(1)], assignedTo: 'bob', entryOf })
      await store.reviews.sawPanel({ runId: sampleId(1), questionId: 'q1', reviewer: 'bob' })
      expect((await store.reviews.claimNext(claimOf('bob', 'blind')))?.id).toBe(idOf(0))
      expect((await store.reviews.claimNext(claimOf('ann', 'blind')))?.id).toBe(idOf(1))
    })

    test('stays assigned when it is released or skipped, or when its claim expires', async () => {
      const store = await queueOf(fresh, ['ann', 'bob'], 1)
      await store.reviews.assign({ ids: [idOf(0)], assignedTo: 'bob', entryOf })
      for (const skip of [false, true]) {
        expect((await store.reviews.claimNext(claimOf('bob')))?.id).toBe(idOf(0))
        await store.reviews.release(idOf(0), { reviewer: 'bob', now: NOW, skip })
        expect(await store.reviews.claimNext(claimOf('ann'))).toBeNull()
      }
      expect((await store.reviews.claimNext(claimOf('bob')))?.id).toBe(idOf(0))
      expect(await store.reviews.claimNext(claimOf('ann', 'open', NOW + 5000))).toBeNull()
      expect((await store.reviews.claimNext(claimOf('bob', 'open', NOW + 5000)))?.id).toBe(idOf(0))
    })

    test('is written once for repeated assignments, with one ledger row for each change, in order', async () => {
      const store = await queueOf(fresh, ['ann', 'bob'], 3)
      const ids = [idOf(2), idOf(0), idOf(2), 'nothing']
      const first = await store.reviews.assign({ ids, assignedTo: 'bob', entryOf })
      expect(first).toEqual(
        new Map([
          [idOf(0), 'changed'],
          [idOf(2), 'changed'],
          ['nothing', 'missing'],
        ]),
      )
      const again = await store.reviews.assign({ ids, assignedTo: 'bob', entryOf })
      expect(again).toEqual(
        new Map([
          [idOf(0), 'unchanged'],
          [idOf(2), 'unchanged'],
          ['nothing', 'missing'],
        ]),
      )
      await store.reviews.assign({ ids: [idOf(0)], dueAt: 7, entryOf })
      await store.reviews.assign({ ids: [idOf(0)], assignedTo: null, dueAt: null, entryOf })
      const rows = await rowsOf(store)
      expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4])
      expect(rows.map(({ body }) => [body.reviewId, body.assignedTo, body.dueAt])).toEqual([
        [idOf(0), 'bob', null],
        [idOf(2), 'bob', null],
        [idOf(0), 'bob', 7],
        [idOf(0), null, null],
      ])
      expect(verifyChain(await store.ledger.list(sampleId(1), { after: 0, limit: 100 })).kind).toBe('whole')
      expect((await store.reviews.list({ after: null, limit: 9, assignedTo: 'bob' })).map(({ id }) => id)).toEqual([
        idOf(2),
      ])
      expect(await store.reviews.list({ after: null, limit: 9, assignedTo: null })).toHaveLength(2)
    })

    test('that is claimed stays with its claimant until it is released, which works once', async () => {
      const store = await queueOf(fresh, ['ann', 'bob'], 1)
      await store.reviews.claimNext(claimOf('ann'))
      await store.reviews.assign({ ids: [idOf(0)], assignedTo: 'bob', entryOf })
      expect(await store.reviews.claimNext(claimOf('bob'))).toBeNull()
      const releaseIt = () =>
        store.reviews.releaseItems({
          ids: [idOf(0)],
          now: NOW,
          entryOf: (_, holder) => sampleEntry({ kind: 'claim-released', body: { holder }, texts: [] }),
        })
      expect([...(await releaseIt()).values()]).toEqual(['changed'])
      expect([...(await releaseIt()).values()]).toEqual(['unchanged'])
      expect((await rowsOf(store)).map(({ kind, body }) => [kind, body.holder])).toEqual([
        ['review-assigned', undefined],
        ['claim-released', 'ann'],
      ])
      expect((await store.reviews.claimNext(claimOf('bob')))?.id).toBe(idOf(0))
    })
  })

  describe('an action that is sent to review', () => {
    test('is added once even if several people request it, comes after the deferrals, and hides nothing', async () => {
      const [store, other] = await freshStores(fresh, 2)
      if (store === undefined || other === undefined) throw new Error('expected two stores')
      await fill(store, ['ann'], 1)
      const entry = sampleEntry({ kind: 'review-requested', texts: [] })
      const asked = (number: number) => [
        { review: sampleReview(number, { source: 'request', questionId: 'q1', list: 'open' }), entry },
        { review: sampleReview(number + 1, { source: 'request', questionId: 'q0', list: 'open' }), entry },
      ]
      const added = await Promise.all([store.reviews.request(asked(10)), other.reviews.request(asked(20))])
      expect(added.toSorted()).toEqual([0, 1])
      expect(await rowsOf(store)).toHaveLength(1)
      expect((await store.reviews.hidden({ questionIds: ['q1'], now: NOW })).size).toBe(0)
      expect((await store.reviews.claimNext(claimOf('ann')))?.id).toBe(idOf(0))
      expect(await store.reviews.claimNext(claimOf('ann'))).toMatchObject({ questionId: 'q1', isBlind: false })
    })
  })
}
