import { describe, expect, test } from 'vitest'
import { agreementText } from '../../src/cli/commands/agreement-command.ts'
import { agreementViewSchema } from '../../src/contract/agreement.ts'
import type { ReviewOutcome } from '../../src/contract/reviews.ts'
import { createReviewService } from '../../src/review/create-review-service.ts'
import { isReadTwice, resolveReadings } from '../../src/review/joint-reading.ts'
import type { Reviewer } from '../../src/review/review-service.ts'
import { writeQuestion } from '../../src/run/stored-question.ts'
import type { Store } from '../../src/store/store.ts'
import { addReview, saveDecision } from '../store/rows.ts'
import {
  sampleCounted,
  sampleDebate,
  sampleDecision,
  sampleEntry,
  sampleId,
  sampleReview,
  sampleRun,
} from '../store/samples.ts'
import { ann, bob, chief, itemId, nextOf, openReviews, START, UNDO_MS } from './review-fixture.ts'

const cho: Reviewer = { name: 'cho', kind: 'human', role: 'reviewer' }
const CERTIFICATE = 'certificate'
const option = (name: string): ReviewOutcome => ({ kind: 'option', option: name })

async function fillOne(store: Store, isSpotCheck = true): Promise<void> {
  const options = ['A', 'B', 'C'].map((name) => ({ name, text: name }))
  const question = writeQuestion({ id: 'q0', question: 'what?', options, gold: null, group: null })
  const asked = [{ position: 0, questionId: 'q0', question, isSpotCheck, counted: sampleCounted }]
  const run = sampleRun({ kind: 'decide', certificateId: CERTIFICATE })
  await store.runs.create({ ...run, samplingKey: 'ab'.repeat(32) }, asked)
  const decision = sampleDecision(0, 'q0', { id: itemId(0), kind: 'act', answer: 'A' })
  await saveDecision(store, decision, sampleDebate('q0'), sampleEntry({ texts: [] }))
  if (isSpotCheck) await addReview(store, sampleReview(0, { questionId: 'q0', source: 'spot-check', reason: null }))
}

async function open(people: readonly Reviewer[], secondShare = 1, isSpotCheck = true) {
  const opened = await openReviews([], { secondShare }, (store) => fillOne(store, isSpotCheck))
  for (const [number, { name, role }] of people.entries()) {
    const about = { kind: 'human', hash: `h${number}`, createdAt: 0, expiresAt: null } as const
    await opened.store.tokens.create({ id: sampleId(700 + number), name, role, ...about })
  }
  const answer = async (who: Reviewer, outcome: ReviewOutcome) => {
    const { item } = await nextOf(opened.service, who)
    if (item === null) return null
    const submission = await opened.service.submit(item.id, who, { outcome })
    if (submission.kind !== 'done') throw new Error(submission.kind)
    return item
  }
  const label = async () => (await opened.store.labels.of('q0')).at(-1)
  return { ...opened, answer, label }
}

describe('a second reading', () => {
  test('goes to another person, who sees neither the first answer nor the panel', async () => {
    const { service, answer, label } = await open([ann, bob])
    await answer(ann, option('A'))
    expect(await nextOf(service, ann)).toMatchObject({ item: null, progress: { waiting: 1 } })
    const { item } = await nextOf(service, bob)
    expect(item).toMatchObject({ isBlind: true, evidence: null, outcome: null, note: null, source: null })
    if (item === null) throw new Error('nothing')
    expect(await service.claim(item.id, ann)).toMatchObject({ kind: 'claimed-by-other' })
    await service.submit(item.id, bob, { outcome: option('A') })
    expect(await label()).toMatchObject({ gold: 'A', verdict: 'option' })
    expect((await nextOf(service, ann)).item).toBeNull()
  })

  test('keeps the panel hidden from the first reader until it is done', async () => {
    const { store, clock, answer } = await open([ann, bob])
    await answer(ann, option('A'))
    clock.now = START + UNDO_MS
    const hidden = () => store.reviews.hidden({ questionIds: ['q0'], now: clock.now })
    expect([...(await hidden())]).toEqual(['q0'])
    await answer(bob, option('A'))
    clock.now += UNDO_MS
    expect([...(await hidden())]).toEqual([])
  })

  test('shows the first answer, its note and the source of the item on no page', async () => {
    const { service, store, clock, answer } = await open([ann, bob])
    const first = (await nextOf(service, ann)).item?.id ?? ''
    await service.submit(first, ann, { outcome: option('B'), note: 'the panel said A' })
    const second = (await nextOf(service, bob)).item?.id ?? ''
    for (const now of [START, START + UNDO_MS]) {
      clock.now = now
      const kept = { outcome: null, note: null, source: null, reason: null, evidence: null }
      expect(await service.find(first, bob)).toMatchObject(kept)
      expect(await service.find(first, ann)).toMatchObject({ ...kept, outcome: option('B'), note: 'the panel said A' })
      const { items } = await service.list({ cursor: null, limit: 10 })
      expect(items.map(({ source }) => source)).toEqual([null, null])
    }
    await service.undo(first, ann)
    expect(await store.reviews.find(first)).toMatchObject({ status: 'retracted' })
    expect(await service.find(first, bob)).toMatchObject({ outcome: null, note: null, source: null, evidence: null })
    await service.submit(second, bob, { outcome: option('A') })
    await answer(chief, option('A'))
    clock.now += UNDO_MS
    expect(await service.find(second, ann)).toMatchObject({ outcome: option('A'), source: 'spot-check' })
  })

  test('goes openly to somebody who knows the panel if nobody else is left, and does not wait for ever', async () => {
    const { service, store, answer } = await open([ann, bob])
    await store.reviews.sawPanel({ runId: sampleId(1), questionId: 'q0', reviewer: 'bob' })
    await answer(ann, option('A'))
    expect((await nextOf(service, ann)).item).toBeNull()
    expect((await nextOf(service, bob)).item).toMatchObject({ isBlind: false })
  })

  test('is requested only if the item is sampled and another reviewer exists', async () => {
    for (const [people, share] of [
      [[ann], 1],
      [[ann, bob], 0],
    ] as const) {
      const { service, answer, label } = await open(people, share)
      await answer(ann, option('B'))
      expect(await nextOf(service, bob)).toMatchObject({ item: null, progress: { waiting: 0 } })
      expect(await label()).toMatchObject({ gold: 'B' })
    }
  })

  test('is not requested for items that people sent to review, whose first answer everybody can read', async () => {
    const { service, answer, label } = await open([ann, bob], 1, false)
    expect(await service.request([{ runId: sampleRun().id, questionId: 'q0' }], chief)).toMatchObject({ added: 1 })
    expect(await answer(ann, option('B'))).toMatchObject({ source: 'request', isBlind: false })
    expect(await nextOf(service, bob)).toMatchObject({ item: null, progress: { waiting: 0, submitted: 1 } })
    expect(await label()).toMatchObject({ gold: 'B', source: 'request' })
  })

  test('that disagrees leaves the label open until a third person decides the majority', async () => {
    const { answer, label, service } = await open([ann, bob, cho])
    await answer(ann, option('A'))
    await answer(bob, option('B'))
    expect(await label()).toMatchObject({ gold: null, verdict: 'cannot-tell' })
    expect((await nextOf(service, ann)).item).toBeNull()
    await answer(cho, option('B'))
    expect(await label()).toMatchObject({ gold: 'B', verdict: 'option', by: 'bob' })
    expect(await nextOf(service, chief)).toMatchObject({ item: null, progress: { waiting: 0, submitted: 3 } })
  })

  test('keeps a spot check open for the monitor until all requested readings are done', async () => {
    const { store, answer } = await open([ann, bob, cho])
    const seen = async () => (await store.runs.spotChecks({ certificateId: CERTIFICATE, after: 0, limit: 9 }))[0]?.label
    expect(await seen()).toBeNull()
    await answer(ann, option('B'))
    expect(await seen()).toBeNull()
    // Two readings that disagree are not a wrong action: an alarm could not be undone if the third person confirms the action.
    await answer(bob, option('A'))
    expect(await seen()).toBeNull()
    await answer(cho, option('A'))
    expect(await seen()).toMatchObject({ gold: 'A', verdict: 'option' })
  })

  test('that nobody can give leaves the label of the first to the monitor', async () => {
    const { store, answer } = await open([ann])
    await answer(ann, option('B'))
    const [spotCheck] = await store.runs.spotChecks({ certificateId: CERTIFICATE, after: 0, limit: 9 })
    expect(spotCheck?.label).toMatchObject({ gold: 'B' })
  })

  test('with three different answers leaves no right answer', async () => {
    const { answer, label } = await open([ann, bob, cho])
    await answer(ann, option('A'))
    await answer(bob, option('B'))
    await answer(cho, option('C'))
    expect(await label()).toMatchObject({ gold: null, verdict: 'cannot-tell' })
  })

  test('that is undone leaves the first answer, and the third reading is withdrawn', async () => {
    const { answer, label, service } = await open([ann, bob, cho])
    await answer(ann, option('A'))
    const second = await answer(bob, option('B'))
    expect((await service.undo(second?.id ?? '', bob)).kind).toBe('done')
    expect(await label()).toMatchObject({ gold: 'A', by: 'ann' })
    expect((await nextOf(service, cho)).item).toBeNull()
    expect((await service.submit(second?.id ?? '', bob, { outcome: option('A') })).kind).toBe('done')
    expect(await label()).toMatchObject({ gold: 'A' })
  })

  test('stands alone where the first is retracted, and a replacement decides with it', async () => {
    const { answer, label, service, clock } = await open([ann, bob, cho])
    const first = await answer(ann, option('A'))
    await answer(bob, option('B'))
    clock.now = START + UNDO_MS
    expect((await service.undo(first?.id ?? '', ann)).kind).toBe('done')
    expect(await label()).toMatchObject({ gold: 'B', by: 'bob' })
    expect((await nextOf(service, bob)).item).toBeNull()
    await answer(cho, option('B'))
    expect(await label()).toMatchObject({ gold: 'B', verdict: 'option' })
  })

  test('counts with the replacement of the first, even if second readings are no longer requested', async () => {
    const { answer, label, service, options, clock } = await open([ann, bob, cho])
    const first = await answer(ann, option('A'))
    await answer(bob, option('B'))
    clock.now = START + UNDO_MS
    expect((await service.undo(first?.id ?? '', ann)).kind).toBe('done')
    const later = createReviewService({ ...options, secondShare: 0 })
    const { item } = await nextOf(later, cho)
    expect((await later.submit(item?.id ?? '', cho, { outcome: option('C') })).kind).toBe('done')
    // One person against another: there is no majority.
    expect(await label()).toMatchObject({ gold: null, verdict: 'cannot-tell' })
  })
})

describe('a person who created the token of a program', () => {
  const program = { id: sampleId(800), name: 'bot', hash: 'bot', createdAt: 0, expiresAt: null, madeBy: 'ann' } as const

  test('could reveal blind items, so gets none while another reviewer exists', async () => {
    const { service, store } = await open([ann, bob], 0)
    await store.tokens.create({ ...program, role: 'reviewer', kind: 'machine' })
    expect((await nextOf(service, ann)).item).toBeNull()
    expect((await nextOf(service, bob)).item).toMatchObject({ isBlind: true })
  })

  test('gets them openly if there is nobody else, and blind if the program sees no more than people', async () => {
    const alone = await open([ann], 0)
    await alone.store.tokens.create({ ...program, role: 'admin', kind: 'machine' })
    expect((await nextOf(alone.service, ann)).item).toMatchObject({ isBlind: false })
    const viewer = await open([ann, bob], 0)
    await viewer.store.tokens.create({ ...program, role: 'viewer', kind: 'machine' })
    expect((await nextOf(viewer.service, ann)).item).toMatchObject({ isBlind: true })
  })
})

describe('agreement', () => {
  test('is counted for each pair of people and for each agent, when answers are final and shown', async () => {
    const { answer, service, clock, store } = await open([ann, bob, cho])
    const nothing = { people: [], agents: [], readTwice: 0, disagreed: 0 }
    await answer(ann, option('A'))
    expect(await service.agreement()).toMatchObject(nothing)
    await answer(bob, option('B'))
    await answer(cho, option('B'))
    expect(await service.agreement()).toMatchObject({ people: [], readTwice: 0 })
    clock.now += UNDO_MS
    const view = agreementViewSchema.parse(await service.agreement())
    expect(view).toMatchObject({ readTwice: 1, disagreed: 1 })
    expect(view.people.map(({ reviewers, items, agreed }) => [reviewers.join(), items, agreed])).toEqual(
      expect.arrayContaining([
        ['ann,bob', 1, 0],
        ['ann,cho', 1, 0],
        ['bob,cho', 1, 1],
      ]),
    )
    // Both called the only common item B, so agreement beyond chance is undefined.
    expect(view.people.find(({ reviewers }) => reviewers[0] === 'bob')?.kappa).toBeNull()
    expect(view.agents).toEqual([expect.objectContaining({ agent: 'ann', items: 1, agreed: 0 })])
    expect(agreementText(view)).toContain('  ann and bob: agreed on 0 of 1, kappa 0.00 (0.00 to 0.97)')
    expect(await service.agreement(async () => new Set(['q0']))).toMatchObject(nothing)
    expect(await store.labels.of('q0')).toHaveLength(3)
  })
})

describe('the sampling of second readings', () => {
  test('chooses the share, by a key that no item shows', async () => {
    const runs = (key: string) => ({
      samplingKeys: async () => [{ runId: 'r', number: 1, key, createdAt: 0 }],
    })
    const chosen = async (key: string) => {
      const found: string[] = []
      for (let number = 0; number < 2000; number++) {
        // as: only this method is called
        const store = { runs: runs(key) } as unknown as Pick<Store, 'runs'>
        if (await isReadTwice(store, { runId: 'r', root: `i${number}`, source: 'deferral' }, 0.1))
          found.push(`i${number}`)
      }
      return found
    }
    const [one, other] = [await chosen('aa'.repeat(32)), await chosen('bb'.repeat(32))]
    // Within five standard deviations of 200.
    for (const list of [one, other]) expect(Math.abs(list.length - 200)).toBeLessThan(68)
    expect(one).not.toEqual(other)
  })
})

describe('the combination of several readings', () => {
  const readings = (...outcomes: ReviewOutcome[]) =>
    outcomes.map((outcome, at) => ({ outcome: JSON.stringify(outcome), by: `p${at}` }))

  test('two people who grade the same answers of the panel as right agree, however they expressed it', () => {
    const grades = [
      { answer: '1', right: false },
      { answer: '2', right: true },
    ]
    const typed = readings({ kind: 'answer', text: 'x', grades }, { kind: 'grades', grades: grades.toReversed() })
    expect(resolveReadings(typed, { decided: '2', isReadTwice: true })).toMatchObject({
      label: { gold: '2', verdict: 'answer', by: 'p0' },
      nextPart: null,
    })
    const apart = readings({ kind: 'grades', grades }, { kind: 'grades', grades: [{ answer: '2', right: null }] })
    expect(resolveReadings(apart, { decided: '2', isReadTwice: true })).toMatchObject({
      label: { gold: null, verdict: 'cannot-tell' },
      nextPart: 3,
    })
  })
})
