import { describe, expect, test } from 'vitest'
import {
  nextReviewSchema,
  reviewItemSchema,
  reviewRowSchema,
  submittedReviewSchema,
  undoneReviewSchema,
} from '../../src/contract/reviews.ts'
import { saltedDigest } from '../../src/store/decisions/ledger-chain.ts'
import { sampleId } from '../store/samples.ts'
import { verifyChain } from '../store/verify-chain.ts'
import {
  ann,
  bob,
  CLAIM_MS,
  chief,
  itemId,
  nextOf,
  openReviews,
  type Put,
  robot,
  START,
  UNDO_MS,
} from './review-fixture.ts'

const OPTION_A = { outcome: { kind: 'option', option: 'A' } } as const
const three: readonly Put[] = [
  { distance: 0.3, reason: 'bound-low', list: 'blind' },
  { distance: 0.1, reason: 'bound-low', list: 'blind' },
  { source: 'spot-check', answer: 'B', distance: 0 },
]

/** The item that this reviewer gets when every other item is claimed. */
async function open(items: readonly Put[] = three) {
  const opened = await openReviews(items)
  await opened.service.claim(itemId(1), ann)
  return { ...opened, id: itemId(1) }
}

describe('next', () => {
  test('shows the labels in the order of the task, whatever order its question has them in', async () => {
    for (const [labelOrder, expected] of [
      [
        ['B', 'A'],
        ['B', 'A'],
      ],
      [['B'], ['A', 'B']],
    ] as const) {
      const { service } = await openReviews(three, { labelOrder })
      const { item } = await nextOf(service, ann)
      expect(item?.options.map(({ name }) => name)).toEqual(expected)
    }
  })

  test('claims the question and returns it with its options and the progress', async () => {
    const { service } = await openReviews([{ distance: 0.2 }, { distance: 0.1 }])
    const first = nextReviewSchema.parse(await nextOf(service, ann))
    expect(first.progress).toEqual({ waiting: 2, mineToday: 0, submitted: 0, oldestAt: expect.any(Number) })
    expect(first.item).toMatchObject({
      id: itemId(1),
      question: 'what of 1?',
      group: 'g',
      status: 'waiting',
      claimedBy: 'ann',
      options: [
        { name: 'A', text: 'the first' },
        { name: 'B', text: null },
      ],
      claimedUntil: START + CLAIM_MS,
      outcome: null,
      note: null,
    })
    expect((await nextOf(service, bob)).item?.id).toBe(itemId(0))
    expect(await nextOf(service, bob)).toMatchObject({ item: null, progress: { waiting: 2 } })
  })

  test('interleaves spot checks and blind deferrals, and shows the evidence of the others', async () => {
    const items = Array.from({ length: 40 }, (_, number): Put => {
      if (number % 4 === 0) return { source: 'spot-check', answer: 'A' }
      return { distance: number / 100, reason: 'bound-low', list: number % 4 === 1 ? 'blind' : 'open' }
    })
    const { service } = await openReviews(items)
    let blind = 0
    let shown = 0
    for (let count = 0; count < 40; count++) {
      const { item } = await nextOf(service, ann)
      if (item === null) throw new Error('the queue is empty')
      const hidden = { source: null, reason: null, evidence: null }
      if (item.isBlind) expect(item).toMatchObject(hidden)
      else expect(item).toMatchObject({ source: 'deferral', reason: 'bound-low', evidence: { bound: 0.97 } })
      if (item.isBlind) blind++
      else shown++
    }
    expect([blind, shown]).toEqual([20, 20])
  })
})

describe('submit', () => {
  test('makes a label, a ledger row and an event, and shows the evidence of a blind item when it can no longer be undone', async () => {
    const { service, store, clock, events, id } = await open()
    const submission = { ...OPTION_A, note: 'looks <b>right</b>\ud800' }
    const answer = await service.submit(id, ann, submission)
    if (answer.kind !== 'done') throw new Error(answer.kind)
    const { item, undoUntil, progress } = submittedReviewSchema.parse(answer.value)
    expect(undoUntil).toBe(START + UNDO_MS)
    expect(progress).toMatchObject({ waiting: 2, submitted: 1, mineToday: 1 })
    const hidden = { isBlind: true, source: null, reason: null, status: 'submitted', evidence: null }
    expect(item).toMatchObject(hidden)
    clock.now = START + UNDO_MS - 1
    expect(await service.find(id, ann)).toMatchObject(hidden)
    clock.now = START + UNDO_MS
    expect(await service.find(id, ann)).toMatchObject({ isBlind: true, source: 'deferral', evidence: { bound: 0.97 } })
    expect(item).toMatchObject({ outcome: OPTION_A.outcome, note: 'looks <b>right</b>\ufffd' })
    const [label] = await store.labels.of('q1')
    expect(label).toMatchObject({
      gold: 'A',
      source: 'deferral',
      verdict: 'option',
      by: 'ann',
      reviewId: id,
      at: START,
    })
    const head = await store.ledger.head(sampleId(1))
    expect(JSON.parse(head?.line ?? '')).toMatchObject({
      kind: 'review',
      body: { reviewId: id, by: 'ann', isBlind: true, note: saltedDigest('salt', 'looks <b>right</b>\ufffd') },
    })
    expect(head?.line).not.toContain('looks')
    expect(events).toMatchObject([
      { event: 'review.submitted', notBefore: START + UNDO_MS, body: { reviewId: id, questionId: 'q1', by: 'ann' } },
    ])
    expect(JSON.stringify(events)).not.toContain('looks')
  })

  test.each([
    [{ kind: 'cannot-tell' }, null],
    [{ kind: 'bad-question' }, null],
    [{ kind: 'option', option: 'B' }, 'B'],
  ] as const)('%j is a label with gold %s and a verdict', async (outcome, gold) => {
    const { service, store, id } = await open()
    expect(await service.submit(id, ann, { outcome })).toMatchObject({ kind: 'done' })
    expect(await store.labels.of('q1')).toMatchObject([{ gold, verdict: outcome.kind }])
  })

  test('repeated with the same outcome returns the same answer; with another it is refused', async () => {
    const { service, store, clock, id } = await open()
    const first = await service.submit(id, ann, OPTION_A)
    clock.now += 5
    expect(await service.submit(id, ann, OPTION_A)).toEqual(first)
    const other = await service.submit(id, ann, { outcome: { kind: 'cannot-tell' } })
    expect(other).toEqual({ kind: 'already-submitted', status: 'submitted' })
    expect(await service.submit(id, bob, OPTION_A)).toEqual({ kind: 'already-submitted', status: 'submitted' })
    expect((await store.labels.of('q1')).length).toBe(1)
  })

  test('is for people who claimed the item, and for options that it has', async () => {
    const { service, clock, id } = await open()
    const claims = { claimedBy: 'ann', claimedUntil: START + CLAIM_MS }
    expect(await service.submit('none', ann, OPTION_A)).toEqual({ kind: 'not-found' })
    expect(await service.submit(id, robot, OPTION_A)).toEqual({ kind: 'machine' })
    expect(await service.submit(id, bob, OPTION_A)).toEqual({ kind: 'claimed-by-other', ...claims })
    expect(await service.submit(itemId(0), bob, OPTION_A)).toEqual({ kind: 'not-yours', claimedBy: null })
    for (const option of ['C', 'a', '__proto__', 'A ']) {
      const answer = await service.submit(id, ann, { outcome: { kind: 'option', option } })
      expect(answer).toEqual({ kind: 'unknown-option', options: ['A', 'B'] })
    }
    clock.now += CLAIM_MS
    expect(await service.submit(id, bob, OPTION_A)).toEqual({ kind: 'not-yours', claimedBy: 'ann' })
    expect(await service.submit(id, ann, OPTION_A)).toMatchObject({ kind: 'done' })
  })
})

describe('undo', () => {
  test('in time gives the item back as it was, and the chain shows both', async () => {
    const { service, store, clock, id } = await open()
    await service.submit(id, ann, { ...OPTION_A, note: 'oops' })
    clock.now += UNDO_MS - 1
    expect(await service.undo(id, bob)).toEqual({ kind: 'not-yours', claimedBy: 'ann' })
    expect(await service.undo(id, robot)).toEqual({ kind: 'machine' })
    const answer = await service.undo(id, ann)
    if (answer.kind !== 'done') throw new Error(answer.kind)
    const { kind, item } = undoneReviewSchema.parse(answer.value)
    expect(kind).toBe('undone')
    expect(item).toMatchObject({ status: 'waiting', claimedBy: 'ann', outcome: null, note: null, evidence: null })
    expect(await store.labels.of('q1')).toEqual([])
    expect(await service.undo(id, ann)).toEqual({ kind: 'not-submitted' })
    expect(await service.submit(id, ann, { outcome: { kind: 'option', option: 'B' } })).toMatchObject({ kind: 'done' })
    expect(await store.labels.of('q1')).toMatchObject([{ gold: 'B' }])
    const rows = await store.ledger.list(sampleId(1), { after: 3, limit: 9 })
    expect(rows.map(({ line }) => JSON.parse(line).kind)).toEqual(['review', 'review-undone', 'review'])
    expect(verifyChain(await store.ledger.list(sampleId(1), { after: 0, limit: 99 })).kind).toBe('whole')
  })

  test('later retracts it, announces it, and puts the question into the queue again; an admin may for others', async () => {
    const { service, store, clock, events, id } = await open()
    await service.submit(id, ann, OPTION_A)
    clock.now += UNDO_MS
    const answer = await service.undo(id, chief)
    expect(answer).toMatchObject({ kind: 'done', value: { kind: 'retracted', item: { status: 'retracted' } } })
    expect(await service.undo(id, chief)).toEqual(answer)
    const own = { status: 'retracted', outcome: OPTION_A.outcome }
    expect(await service.undo(id, ann)).toMatchObject({ kind: 'done', value: { kind: 'retracted', item: own } })
    expect(await store.labels.of('q1')).toEqual([])
    expect(events.map(({ event }) => event).slice(0, 2)).toEqual(['review.submitted', 'review.retracted'])
    const head = JSON.parse((await store.ledger.head(sampleId(1)))?.line ?? '')
    expect(head).toMatchObject({ kind: 'review-retracted', body: { by: 'chief', submittedBy: 'ann' } })
    const anew = await service.claim(head.body.replacementId, bob)
    expect(anew).toMatchObject({ kind: 'done', value: { question: 'what of 1?', status: 'waiting' } })
    expect(await service.progress(ann)).toMatchObject({ waiting: 3, submitted: 0, mineToday: 0 })
    expect(await service.undo('none', ann)).toEqual({ kind: 'not-found' })
  })
})

describe('after a retraction', () => {
  /** A blind spot check that ann submitted and the chief retracted, so that it waits again. */
  async function retracted(names: readonly string[]) {
    const { service, store, clock } = await openReviews([{ source: 'spot-check', answer: 'A' }])
    for (const [number, name] of names.entries()) {
      const about = { role: 'reviewer', kind: 'human', createdAt: START, expiresAt: null } as const
      await store.tokens.create({ ...about, id: sampleId(7000 + number), name, hash: `hash of ${name}` })
    }
    await service.claim(itemId(0), ann)
    await service.submit(itemId(0), ann, { outcome: { kind: 'cannot-tell' } })
    clock.now += UNDO_MS
    expect(await service.undo(itemId(0), chief)).toMatchObject({
      value: { kind: 'retracted', item: { isBlind: true } },
    })
    const [anew] = await store.reviews.list({ after: null, limit: 9, status: 'waiting' })
    return { service, store, id: anew?.id ?? '' }
  }

  test('the person who submitted or undid it does not get the question again; another person does, blind', async () => {
    const { service, id } = await retracted(['ann', 'bob', 'chief'])
    for (const who of [ann, chief]) {
      expect((await nextOf(service, who)).item).toBeNull()
      expect(await service.claim(id, who)).toEqual({ kind: 'knows-panel' })
      expect(await service.submit(id, who, OPTION_A)).toEqual({ kind: 'not-yours', claimedBy: null })
    }
    expect((await nextOf(service, bob)).item).toMatchObject({ id, isBlind: true, evidence: null })
    expect(await service.claim(id, ann)).toMatchObject({ kind: 'claimed-by-other', claimedBy: 'bob' })
    expect(await service.submit(id, bob, OPTION_A)).toMatchObject({ kind: 'done' })
  })

  test('without another reviewer it is claimed openly, and the ledger records that it was not blind', async () => {
    const { service, store, id } = await retracted(['ann'])
    expect((await nextOf(service, ann)).item).toMatchObject({ id, isBlind: false, evidence: { answer: 'A' } })
    expect(await service.submit(id, ann, OPTION_A)).toMatchObject({ kind: 'done' })
    const head = JSON.parse((await store.ledger.head(sampleId(1)))?.line ?? '')
    expect(head).toMatchObject({ kind: 'review', body: { reviewId: id, isBlind: false, by: 'ann' } })
  })
})

describe('one person', () => {
  const many = Array.from({ length: 20 }, (_, number): Put => ({ distance: number / 100, list: 'open' }))

  test('cannot take the whole queue, and gets the list of claimed items', async () => {
    const { service } = await openReviews(many, { maxClaims: 3 })
    const claims: string[] = []
    for (let count = 0; count < 3; count++) claims.push((await nextOf(service, ann)).item?.id ?? '')
    const refusal = { kind: 'too-many-claims', claimed: expect.any(Array), most: 3 }
    const refused = await service.next(ann)
    expect(refused).toMatchObject(refusal)
    expect(refused.kind === 'too-many-claims' && [...refused.claimed].sort()).toEqual([...claims].sort())
    expect(await service.claim(itemId(19), ann)).toMatchObject(refusal)
    expect(await service.claim(claims[0] ?? '', ann)).toMatchObject({ kind: 'done' })
    expect((await nextOf(service, bob)).item).not.toBeNull()
    await service.submit(claims[0] ?? '', ann, OPTION_A)
    expect((await nextOf(service, ann)).item).not.toBeNull()
  })

  test('cannot keep an item for ever by claiming it again and again', async () => {
    const { service, clock, id } = await open()
    let claims = 0
    for (; claims < 100 && (await service.claim(id, ann)).kind === 'done'; claims++) clock.now += CLAIM_MS - 1
    expect(clock.now - START).toBeLessThanOrEqual(7 * CLAIM_MS)
    expect(await service.claim(id, ann)).toEqual({ kind: 'claim-used-up', again: START + 7 * CLAIM_MS })
    expect(await service.claim(id, bob)).toMatchObject({ kind: 'done' })
  })

  test('loses all claims when an admin releases them, and the ledger names the admin', async () => {
    const { service, store } = await openReviews(many)
    const claims = [(await nextOf(service, ann)).item?.id, (await nextOf(service, ann)).item?.id]
    await nextOf(service, bob)
    const { reviewer, released } = await service.releaseClaims('ann', chief)
    expect([reviewer, [...released].sort()]).toEqual(['ann', [...claims].sort()])
    expect(await service.submit(claims[0] ?? '', ann, OPTION_A)).toEqual({ kind: 'not-yours', claimedBy: null })
    const head = JSON.parse((await store.ledger.head(sampleId(1)))?.line ?? '')
    expect(head).toMatchObject({ kind: 'claim-released', body: { reviewer: 'ann', by: 'chief' } })
    expect((await service.releaseClaims('ann', chief)).released).toEqual([])
  })

  test('gets items that a machine may not claim', async () => {
    const { service } = await openReviews(many)
    expect(await service.next(robot)).toEqual({ kind: 'machine' })
    expect(await service.claim(itemId(0), robot)).toEqual({ kind: 'machine' })
    expect((await service.find(itemId(0), ann))?.claimedBy).toBeNull()
  })
})

describe('an item', () => {
  test('is extended, released and skipped by its claimant', async () => {
    const { service, clock, id } = await open()
    expect(await service.claim(id, bob)).toMatchObject({ kind: 'claimed-by-other', claimedBy: 'ann' })
    expect(await service.claim('none', bob)).toEqual({ kind: 'not-found' })
    clock.now += 1000
    expect(await service.claim(id, ann)).toMatchObject({
      kind: 'done',
      value: { claimedUntil: START + 1000 + CLAIM_MS },
    })
    expect(await service.release(id, bob)).toMatchObject({ kind: 'claimed-by-other' })
    expect(await service.skip(id, ann)).toMatchObject({ kind: 'done', value: { claimedBy: null, claimedUntil: null } })
    expect(await service.release(id, ann)).toEqual({ kind: 'not-yours', claimedBy: null })
    const offered = [(await nextOf(service, ann)).item?.id, (await nextOf(service, ann)).item?.id]
    expect(offered).not.toContain(id)
    expect((await nextOf(service, ann)).item?.id).toBe(id)
  })

  test('shows no claimant once its claim has expired', async () => {
    const { service, clock, id } = await open()
    clock.now += CLAIM_MS
    expect(await service.find(id, ann)).toMatchObject({ claimedBy: null, claimedUntil: null })
    expect(await service.find('none', ann)).toBeNull()
  })

  test('whose texts were erased still has the names of its options', async () => {
    const { service, store, id } = await open()
    await store.redact('q1')
    const item = reviewItemSchema.parse(await service.find(id, ann))
    expect(item).toMatchObject({
      question: null,
      options: [
        { name: 'A', text: null },
        { name: 'text', text: null },
      ],
    })
  })
})

test('the list shows waiting items page by page without their reasons', async () => {
  const { service, clock } = await openReviews(three)
  await service.claim(itemId(0), ann)
  await service.submit(itemId(0), ann, OPTION_A)
  expect((await service.list({ cursor: null, limit: 1 })).items).toMatchObject([{ source: null, status: 'submitted' }])
  clock.now += UNDO_MS
  const first = await service.list({ cursor: null, limit: 2 })
  expect(first.items.map((row) => reviewRowSchema.parse(row).id)).toEqual([itemId(0), itemId(1)])
  expect(first.next).toBe(itemId(1))
  const second = await service.list({ cursor: first.next, limit: 2 })
  expect(second).toMatchObject({ items: [{ id: itemId(2), source: null, reason: null, isBlind: true }], next: null })
  expect(first.items[0]).toMatchObject({ source: 'deferral', status: 'submitted', excerpt: 'what of 0?' })
  const waiting = await service.list({ cursor: null, limit: 9, status: 'waiting' })
  expect(waiting.items.map(({ id }) => id)).toEqual([itemId(1), itemId(2)])
})
