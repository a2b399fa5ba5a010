import { describe, expect, test } from 'vitest'
import { reviewItemSchema } from '../../src/contract/reviews.ts'
import type { ReviewOutcome } from '../../src/record/review.ts'
import { debatesOfRun } from '../../src/run/calibration/recorded-debates.ts'
import { answerLines } from '../../src/run/exchange/answer-lines.ts'
import { writeQuestion } from '../../src/run/stored-question.ts'
import { saltedDigest } from '../../src/store/decisions/ledger-chain.ts'
import type { Store } from '../../src/store/store.ts'
import { addReview, ledgerTexts, saveDecision } from '../store/rows.ts'
import { sampleDebate, sampleDecision, sampleEntry, sampleReview, sampleRun } from '../store/samples.ts'
import { ann, bob, itemId, openReviews, type Put, START, UNDO_MS } from './review-fixture.ts'

const CITY = { kind: 'text', classes: 3, normalise: ['case', 'space', 'punctuation'] } as const

/** The agents' answers, round by round: class and text. */
const ROUNDS = [
  [
    ['1', 'Lyon'],
    ['2', 'Paris'],
    ['2', 'paris.'],
  ],
  [
    ['2', 'Paris'],
    ['2', 'Paris'],
    ['3', 'Paris, France'],
  ],
] as const

async function fillOpen(store: Store, items: readonly Put[], answers: object = CITY): Promise<void> {
  const options = ['1', '2', '3', 'other'].map((name) => ({ name, text: name }))
  const agent = { model: 'm', temperature: null, maxOutputTokens: 10, baseURL: null }
  const config = {
    panel: {
      elicitation: 'vote',
      rounds: 2,
      protocol: 'debate',
      samples: 1,
      sizes: null,
      answers,
      agents: ['a', 'b', 'c'].map((name) => ({ name, ...agent })),
      prompts: { firstRound: '', laterRound: '', reminder: '' },
    },
  }
  const questions = items.map((item, position) => ({
    position,
    questionId: `q${position}`,
    question: writeQuestion({ id: `q${position}`, question: 'Capital of France?', options, gold: null, group: null }),
    isSpotCheck: item.source === 'spot-check',
  }))
  await store.runs.create(sampleRun({ kind: 'decide', config: JSON.stringify(config) }), questions)
  for (const [number, { answer = null, ...item }] of items.entries()) {
    const questionId = `q${number}`
    const rounds = ROUNDS.map((turns) =>
      turns.map(([one, submission], at) => ({
        agent: ['a', 'b', 'c'][at],
        answer: one,
        answer_text: submission,
        text: submission,
      })),
    )
    const debate = JSON.stringify({ quorate: 1, id: questionId, options: ['1', '2', '3', 'other'], rounds })
    const kind = answer === null ? 'defer' : 'act'
    const decided = sampleDecision(number, questionId, {
      id: itemId(number),
      kind,
      answer,
      reason: null,
      isShadow: false,
    })
    await saveDecision(store, decided, sampleDebate(questionId, { debate, rounds: 2 }), sampleEntry({ texts: [] }))
    await addReview(store, sampleReview(number, { questionId, reason: null, ...item }))
  }
}

const SPOT_CHECK: Put = { source: 'spot-check', answer: '2' }
const OPEN: Put = { source: 'deferral', reason: 'bound-low', list: 'open' }

async function openCity(items: readonly Put[], answers?: object) {
  return openReviews(items, {}, (store, put) => fillOpen(store, put, answers))
}

async function submitted(put: Put, outcomeOf: (candidates: readonly Candidate[]) => ReviewOutcome) {
  const opened = await openCity([put])
  const claimed = await opened.service.claim(itemId(0), ann)
  if (claimed.kind !== 'done') throw new Error(claimed.kind)
  const { asks } = reviewItemSchema.parse(claimed.value)
  const candidates = asks.kind === 'grades' ? asks.candidates : []
  const answer = await opened.service.submit(itemId(0), ann, { outcome: outcomeOf(candidates) })
  const [label] = await opened.store.labels.of('q0')
  return { ...opened, answer, label }
}

type Candidate = { readonly id: string; readonly text: string }

describe('a blind item with open answers', () => {
  test("shows none of the panel's answers and asks for the answer in words", async () => {
    const { service } = await openCity([SPOT_CHECK])
    const claimed = await service.claim(itemId(0), ann)
    expect(claimed).toMatchObject({
      kind: 'done',
      value: { isBlind: true, options: [], asks: { kind: 'answer', form: expect.stringContaining('short text') } },
    })
    expect(JSON.stringify(claimed)).not.toMatch(/Paris|Lyon/u)
  })

  test('grades every class by the rules of the task, and no grade is lent to another class', async () => {
    const { label, store } = await submitted(SPOT_CHECK, () => ({ kind: 'answer', text: 'PARIS' }))
    expect(label).toMatchObject({
      gold: '2',
      verdict: 'answer',
      text: 'PARIS',
      by: 'ann',
      grades: [
        { answer: '1', right: false },
        { answer: '2', right: true },
        // A rule that is too strict costs automation, but a typed answer never makes another text right.
        { answer: '3', right: false },
      ],
    })
    const [run] = await store.runs.list(1)
    for await (const { value } of debatesOfRun(store, run ?? sampleRun())) {
      expect(value).toMatchObject({ correct: ['2'], gold_text: 'PARIS' })
    }
  })

  test('counts a decision as wrong if the typed answer differs', async () => {
    const { label } = await submitted(SPOT_CHECK, () => ({ kind: 'answer', text: 'Marseille' }))
    expect(label).toMatchObject({ gold: 'other', verdict: 'answer' })
    const lyon = await submitted(SPOT_CHECK, () => ({ kind: 'answer', text: 'lyon' }))
    expect(lyon.label).toMatchObject({ gold: '1' })
  })

  test('refuses options, grades and unreadable answers', async () => {
    const { service } = await openCity([SPOT_CHECK], { kind: 'number', classes: 3, absTol: 0, relTol: 0 })
    await service.claim(itemId(0), ann)
    const submission = (outcome: ReviewOutcome) => service.submit(itemId(0), ann, { outcome })
    expect(await submission({ kind: 'option', option: '2' })).toEqual({ kind: 'wrong-outcome', expected: 'answer' })
    expect(await submission({ kind: 'grades', grades: [{ answer: 'x', right: true }] })).toMatchObject({
      kind: 'wrong-outcome',
    })
    expect(await submission({ kind: 'answer', text: 'many' })).toEqual({ kind: 'unreadable-answer', form: 'a number' })
    expect(await submission({ kind: 'cannot-tell' })).toMatchObject({ kind: 'done' })
  })

  test('keeps a typed answer out of the ledger and loses it when the question is erased', async () => {
    const { store } = await submitted(SPOT_CHECK, () => ({ kind: 'answer', text: 'Paris' }))
    const head = await store.ledger.head(sampleRun().id)
    const body = { outcome: { kind: 'answer', text: saltedDigest('salt', 'Paris') } }
    expect(JSON.parse(head?.line ?? '')).toMatchObject({ kind: 'review', body })
    await store.redact('q0')
    const [label] = await store.labels.of('q0')
    expect(label).toMatchObject({ text: null, gold: '2' })
    const review = await store.reviews.find(itemId(0))
    expect(JSON.stringify([review, await store.ledger.head(sampleRun().id)])).not.toContain('Paris')
  })

  test.each([
    ['undone', 0],
    ['retracted', UNDO_MS],
  ])('keeps a typed answer out of the ledger when its review is %s', async (kind, waited) => {
    const { service, store, clock } = await submitted(SPOT_CHECK, () => ({ kind: 'answer', text: 'Paris' }))
    clock.now += waited
    expect(await service.undo(itemId(0), ann)).toMatchObject({ kind: 'done', value: { kind } })
    const { id } = sampleRun()
    const head = await store.ledger.head(id)
    const text = saltedDigest('salt', 'Paris')
    expect(JSON.parse(head?.line ?? '')).toMatchObject({ kind: `review-${kind}`, body: { outcome: { text } } })
    expect(await ledgerTexts(store, id, head?.sequence ?? 0)).toMatchObject([{ digest: text, text: 'Paris' }])
    await store.redact('q0')
    expect(await ledgerTexts(store, id, head?.sequence ?? 0)).toMatchObject([{ digest: text, salt: null, text: null }])
    expect(JSON.stringify(await store.ledger.list(id, { after: 0, limit: 10 }))).not.toContain('Paris')
  })

  test('keeps a typed answer out of messages, which erasing does not reach', async () => {
    const { service, clock, events } = await submitted(SPOT_CHECK, () => ({ kind: 'answer', text: 'Paris' }))
    clock.now += UNDO_MS
    await service.undo(itemId(0), ann)
    const bodies = events.map(({ event, body }) => [event, body.outcome])
    expect(bodies).toEqual([
      ['review.submitted', { kind: 'answer' }],
      ['review.retracted', { kind: 'answer' }],
    ])
  })
})

describe('an open item, or one without rules', () => {
  const yesTo = (right: readonly string[]) => (candidates: readonly Candidate[]) =>
    ({
      kind: 'grades',
      grades: candidates.map(({ id, text }) => ({ answer: id, right: text === '?' ? null : right.includes(text) })),
    }) as const

  test('asks whether each answer is right, in an order and under names that reveal nothing', async () => {
    const { service } = await openCity([OPEN, OPEN])
    const shown = await Promise.all([0, 1].map(async (at) => (await service.claim(itemId(at), ann)) as never))
    const [one, two] = shown.map((claimed) => reviewItemSchema.parse((claimed as { value: unknown }).value).asks)
    if (one?.kind !== 'grades' || two?.kind !== 'grades') throw new Error('graded')
    expect(one.candidates.map(({ text }) => text).sort()).toEqual(['Lyon', 'Paris', 'Paris, France'])
    expect(one.candidates.find(({ text }) => text === 'Paris')?.alsoSaid).toEqual(['paris.'])
    expect(one.candidates.map(({ id }) => id)).toEqual(one.candidates.map(({ id }) => id).toSorted())
    // The same texts have other names in another item.
    const ids = new Set([...one.candidates, ...two.candidates].map(({ id }) => id))
    expect(ids.size).toBe(6)
  })

  test('hides the other texts of a candidate from a blind reviewer of a task without rules', async () => {
    const { service } = await openReviews([SPOT_CHECK], {}, (store, items) =>
      fillOpen(store, items, { kind: 'labels' }),
    )
    const claimed = await service.claim(itemId(0), ann)
    const asks = claimed.kind === 'done' ? claimed.value.asks : null
    expect(asks).toMatchObject({ kind: 'grades', form: null })
    expect(asks?.kind === 'grades' ? asks.candidates.flatMap(({ alsoSaid }) => alsoSaid) : null).toEqual([])
  })

  test("becomes the person's grades of the panel's answer in each round", async () => {
    const { label, store, service, answer } = await submitted(OPEN, yesTo(['Paris', 'Paris, France']))
    expect(label).toMatchObject({ gold: '2', verdict: 'grades', text: null })
    if (answer.kind !== 'done') throw new Error(answer.kind)
    const shown = answer.value.item
    if (shown.asks.kind !== 'grades' || shown.outcome?.kind !== 'grades') throw new Error('graded')
    expect(shown.outcome.grades.map((grade) => grade.answer)).toEqual(shown.asks.candidates.map(({ id }) => id))
    const undone = await service.undo(itemId(0), ann)
    expect(undone.kind).toBe('done')
    expect(await store.labels.of('q0')).toEqual([])
  })

  test("calibrates on a person's grades, with the name of the person", async () => {
    const { store } = await submitted(OPEN, yesTo(['Lyon']))
    const label = (await store.labels.of('q0'))[0]
    if (label === undefined) throw new Error('no label')
    await store.labels.addAll([{ ...label, id: 'other', reviewId: null, source: 'import' }])
    const [run] = await store.runs.list(1)
    const values = []
    for await (const { value } of debatesOfRun(store, run ?? sampleRun())) values.push(value)
    expect(values).toEqual([
      expect.objectContaining({
        grades: [1, 2].map((round) => ({ round, right: false, by: 'person:ann', answer: '2' })),
      }),
    ])
  })

  test('is unjudged if the reviewer could not judge the decided answer', async () => {
    const { service, store, clock } = await openReviews([{ ...SPOT_CHECK }], {}, (into, items) =>
      fillOpen(into, items, { kind: 'labels' }),
    )
    const claimed = await service.claim(itemId(0), ann)
    const asks = claimed.kind === 'done' ? claimed.value.asks : null
    if (asks?.kind !== 'grades') throw new Error('graded')
    const grades = asks.candidates.map(({ id, text }) => ({
      answer: id,
      right: text === 'Paris' ? null : text === 'Lyon',
    }))
    expect(
      await service.submit(itemId(0), ann, { outcome: { kind: 'grades', grades: grades.slice(1) } }),
    ).toMatchObject({
      kind: 'ungraded',
    })
    expect(await service.submit(itemId(0), ann, { outcome: { kind: 'grades', grades } })).toMatchObject({
      kind: 'done',
    })
    clock.now = START + UNDO_MS
    expect((await store.labels.of('q0'))[0]).toMatchObject({ gold: null, verdict: 'grades' })
    expect(await service.submit(itemId(0), bob, { outcome: { kind: 'grades', grades } })).toMatchObject({
      kind: 'already-submitted',
    })
  })

  test('exports the answer in words: the typed one, the right one of the panel, or none', async () => {
    const exported = async (put: Put, outcome: (candidates: readonly Candidate[]) => ReviewOutcome) => {
      const { store, clock } = await submitted(put, outcome)
      clock.now += UNDO_MS
      const lines = []
      for await (const line of answerLines(store, { format: 'jsonl', run: null })) lines.push(JSON.parse(line))
      return lines[0]
    }
    expect(await exported(OPEN, () => ({ kind: 'answer', text: 'Nice' }))).toMatchObject({
      answer: 'Nice',
      by: 'person',
    })
    expect(await exported(OPEN, yesTo(['Paris, France']))).toMatchObject({ answer: 'Paris, France', reviewer: 'ann' })
    expect(await exported(OPEN, yesTo([]))).toMatchObject({ answer: null, by: 'person' })
  })
})
