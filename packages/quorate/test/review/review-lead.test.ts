import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { sampleId, sampleRun } from '../store/samples.ts'
import {
  ann,
  bob,
  CLAIM_MS,
  chief,
  fill,
  itemId,
  nextOf,
  openReviews,
  type Put,
  robot,
  START,
} from './review-fixture.ts'

const deferral: Put = { source: 'deferral', createdAt: START, distance: 0.1 }
const spotCheck: Put = { source: 'spot-check', createdAt: START, answer: 'A' }
const runId = sampleRun().id

async function addPeople(store: Store): Promise<void> {
  for (const [number, { name, role, kind }] of [ann, bob, chief, robot].entries()) {
    const token = {
      id: sampleId(500 + number),
      name,
      role,
      kind,
      hash: `hash of ${name}`,
      createdAt: 1,
      expiresAt: null,
    }
    await store.tokens.create(token)
  }
}

async function opened(items: readonly Put[]) {
  const reviews = await openReviews(items)
  await addPeople(reviews.store)
  return reviews
}

const kindsOf = async (store: Store) =>
  (await store.ledger.list(runId, { after: 0, limit: 100 })).map(({ line }) => JSON.parse(line).kind)

describe('a lead', () => {
  test('assigns many items with a due date; the reviewer gets them, and others see whom it is assigned to', async () => {
    const { service, store } = await opened([deferral, deferral, spotCheck])
    const asked = { ids: [itemId(1), itemId(2)], assignedTo: 'bob', dueAt: START + 1000 }
    expect(await service.assign(asked, chief)).toMatchObject({ kind: 'done', value: { changed: 2, unchanged: 0 } })
    expect(await service.assign(asked, chief)).toMatchObject({ kind: 'done', value: { changed: 0, unchanged: 2 } })
    expect((await kindsOf(store)).filter((kind) => kind === 'review-assigned')).toHaveLength(2)
    expect(await service.claim(itemId(1), ann)).toEqual({
      kind: 'assigned-to-other',
      assignedTo: 'bob',
      dueAt: START + 1000,
    })
    expect((await nextOf(service, bob)).item).toMatchObject({ id: itemId(1), assignedTo: 'bob', dueAt: START + 1000 })
    expect((await nextOf(service, ann)).item?.id).toBe(itemId(0))
    const { items } = await service.list({ cursor: null, limit: 9, assignedTo: 'bob' })
    expect(items.map(({ id }) => id)).toEqual([itemId(1), itemId(2)])
  })

  test('cannot assign to a machine, a viewer, an unknown person, or somebody whose token was revoked', async () => {
    const { service, store } = await opened([deferral])
    const about = { role: 'viewer', kind: 'human', hash: 'h', createdAt: 1, expiresAt: null } as const
    await store.tokens.create({ id: sampleId(510), name: 'vic', ...about })
    await store.tokens.revoke(sampleId(501), START)
    for (const assignedTo of ['robot', 'vic', 'zoe', 'bob']) {
      const answer = await service.assign({ ids: [itemId(0)], assignedTo }, chief)
      expect(answer).toEqual({ kind: 'unknown-person', people: ['ann', 'chief'] })
    }
    expect((await service.list({ cursor: null, limit: 9 })).items[0]?.assignedTo).toBeNull()
  })

  test('learns nothing about an item from assigning it to somebody who has seen the panel', async () => {
    const { service, store } = await opened([{ ...deferral, list: 'open' }, spotCheck])
    for (const questionId of ['q0', 'q1']) await store.reviews.sawPanel({ runId, questionId, reviewer: 'bob' })
    for (const number of [0, 1]) {
      const answer = await service.assign({ ids: [itemId(number)], assignedTo: 'bob' }, chief)
      expect(answer).toEqual({ kind: 'done', value: { changed: 1, unchanged: 0, closed: 0, missing: 0 } })
    }
    const { items } = await service.list({ cursor: null, limit: 9 })
    const [first, second] = items.map(({ id: _, excerpt: _text, ...row }) => row)
    expect(first).toEqual(second)
  })

  test('releases a claim, after which its reviewer can no longer submit', async () => {
    const { service, store } = await opened([deferral])
    await nextOf(service, ann)
    expect(await service.releaseItems([itemId(0), 'nothing'], chief)).toMatchObject({ changed: 1, missing: 1 })
    expect((await service.releaseItems([itemId(0)], chief)).changed).toBe(0)
    expect((await kindsOf(store)).filter((kind) => kind === 'claim-released')).toHaveLength(1)
    expect(await service.submit(itemId(0), ann, { outcome: { kind: 'cannot-tell' } })).toMatchObject({
      kind: 'not-yours',
    })
    expect((await nextOf(service, bob)).item?.id).toBe(itemId(0))
  })

  test('assigns the waiting items of debates, and returns how many debates have none', async () => {
    const { service } = await opened([deferral, deferral])
    await nextOf(service, ann)
    await service.submit(itemId(0), ann, { outcome: { kind: 'option', option: 'A' } })
    const debates = ['q0', 'q1', 'q9'].map((questionId) => ({ runId, questionId }))
    const answer = await service.assign({ debates, assignedTo: 'ann' }, chief)
    expect(answer).toEqual({ kind: 'done', value: { changed: 1, unchanged: 0, closed: 0, missing: 2 } })
  })
})

describe('an action that is sent to review', () => {
  /** The second is acted on and was not sampled, so it has no review item. */
  async function acted() {
    const reviews = await openReviews([deferral, { ...spotCheck, source: 'deferral' }], {}, (store, items) =>
      fill(store, items, ({ answer = null }) => answer === null),
    )
    await addPeople(reviews.store)
    return reviews
  }
  const places = ['q0', 'q1', 'nobody asked it'].map((questionId) => ({ runId, questionId }))

  test('waits openly, after deferrals, and is added once', async () => {
    const { service, store, clock } = await acted()
    expect(await service.request(places, ann)).toEqual({ added: 1, known: 1, undecided: 1 })
    expect(await service.request(places, bob)).toEqual({ added: 0, known: 2, undecided: 1 })
    expect((await kindsOf(store)).filter((kind) => kind === 'review-requested')).toHaveLength(1)
    expect((await store.reviews.hidden({ questionIds: ['q1'], now: clock.now })).size).toBe(0)
    await nextOf(service, ann)
    const { item } = await nextOf(service, bob)
    expect(item).toMatchObject({ source: 'request', isBlind: false })
    expect(item?.evidence).not.toBeNull()
  })

  test('gets a label that no calibration accepts as a random sample', async () => {
    const { service, store, clock } = await acted()
    await service.request(places, chief)
    await nextOf(service, bob)
    const { item } = await nextOf(service, ann)
    await service.submit(item?.id ?? '', ann, { outcome: { kind: 'option', option: 'B' } })
    clock.now += CLAIM_MS
    expect(await store.labels.of('q1')).toMatchObject([{ source: 'request', gold: 'B' }])
    expect(await service.request(places, chief)).toEqual({ added: 0, known: 2, undecided: 1 })
  })
})
