import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StoreError } from '../../../src/record/store-error.ts'
import type { Store } from '../../../src/store/store.ts'
import { addReview, answeredCall, attemptsAt, cachedCall } from '../rows.ts'
import { sampleEntry, sampleId, sampleIntent, sampleLabel, sampleOutcome, sampleReview, sampleRun } from '../samples.ts'
import { verifyChain } from '../verify-chain.ts'
import type { Fresh } from './harness.ts'
import { ModelStore } from './model-store.ts'

/** There are few ids and fences, so that operations conflict. */
const few = fc.nat(4)
const maybe = fc.option(fc.nat(1000))
const fence = fc.constantFrom('first', 'second')
const place = fc.record({
  questionId: fc.constantFrom('q0', 'q1'),
  agent: fc.constantFrom('ann', 'bob'),
  round: fc.integer({ min: 1, max: 2 }),
  repeat: fc.constant(0),
  isReminder: fc.boolean(),
})
const outcome = fc.record({
  at: fc.nat(3),
  reply: fc.constant('{"text":"t"}'),
  inputTokens: maybe,
  outputTokens: maybe,
  costMicroUsd: maybe,
  error: fc.option(fc.constantFrom('one', 'two')),
})
const reviewState = fc.record({
  status: fc.constantFrom('waiting' as const, 'submitted' as const),
  claimedBy: fc.option(fc.constantFrom('ann', 'bob')),
  claimedUntil: fc.option(fc.nat(1)),
})

const operation = fc.oneof(
  fc.record({
    kind: fc.constant('open' as const),
    id: few,
    attempt: few,
    place,
    fence,
    reserved: maybe,
    cache: fc.nat(1),
  }),
  fc.record({
    kind: fc.constant('close' as const),
    id: few,
    fence,
    state: fc.constantFrom('answered' as const, 'answered' as const, 'refused' as const, 'lost' as const),
    outcome,
  }),
  fc.record({ kind: fc.constant('take over' as const), fence, at: fc.nat(9) }),
  fc.record({ kind: fc.constant('label' as const), id: few }),
  fc.record({ kind: fc.constant('review' as const), id: few }),
  fc.record({ kind: fc.constant('update' as const), id: few, expected: reviewState, next: reviewState }),
  fc.record({ kind: fc.constant('append' as const), value: fc.jsonValue() }),
  fc.record({ kind: fc.constant('redact' as const), questionId: fc.constantFrom('q1', 'q2') }),
)

type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

export function modelConformance(fresh: Fresh, sequences: number): void {
  test('any sequence of operations has the same results as on lists in memory', async () => {
    const open = await fresh()
    let number = 0
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40 }), async (operations) => {
        const store = await open()
        try {
          await compare(store, operations, number++)
        } finally {
          await store.close()
        }
      }),
      { numRuns: sequences, seed: 4 },
    )
  })
}

/** Each sequence has a run of its own in the database, with ids and questions named after it. */
async function compare(store: Store, operations: readonly Operation[], number: number): Promise<void> {
  const runId = sampleId(number + 1)
  const named = (text: string) => `${number}-${text}`
  const questions = ['q0', 'q1', 'q2'].map(named)
  await store.runs.create(
    sampleRun({ id: runId }),
    questions.map((questionId, position) => ({ position, questionId, question: '{}', isSpotCheck: false })),
  )
  const model = new ModelStore(questions)
  let appended = 0
  for (const each of operations) {
    if (each.kind === 'append') {
      await store.ledger.append(sampleEntry({ runId, body: { value: each.value }, texts: [] }))
      appended++
      continue
    }
    const [real, expected] = await apply(store, model, { each, runId, named })
    expect([each.kind, await real]).toEqual([each.kind, expected])
  }
  await compareAll(store, model, { runId, named })
  const rows = await store.ledger.list(runId, { after: 0, limit: 100 })
  expect(verifyChain(rows)).toMatchObject({ kind: 'whole', rows: appended })
}

interface Names {
  readonly runId: string
  readonly named: (text: string) => string
}

async function apply(
  store: Store,
  model: ModelStore,
  { each, runId, named }: Names & { readonly each: Exclude<Operation, { readonly kind: 'append' }> },
): Promise<readonly [unknown, unknown]> {
  const succeeds = (promise: Promise<unknown>) => promise.then(() => true, kindOf)
  switch (each.kind) {
    case 'open': {
      const intent = sampleIntent(each.id, {
        ...each.place,
        id: named(`${each.id}`),
        attempt: each.attempt,
        cacheKey: named(`cache ${each.cache}`),
        runId,
        questionId: named(each.place.questionId),
        fence: each.fence,
        reservedMicroUsd: each.reserved,
      })
      return [await succeeds(store.calls.open(intent)), model.open(intent)]
    }
    case 'close': {
      const id = named(`${each.id}`)
      const closing = { ...sampleOutcome(), ...each.outcome }
      return [
        await store.calls.close({ id, runId, fence: each.fence }, each.state, closing),
        model.close(id, each.fence, each.state, closing),
      ]
    }
    case 'take over':
      return [await store.calls.takeOver(runId, each.fence, each.at), model.takeOver(each.fence, each.at)]
    case 'label': {
      const label = sampleLabel(each.id, { id: named(`${each.id}`), questionId: named('q0') })
      return [await succeeds(store.labels.addAll([label])), model.addTo(model.labels, label)]
    }
    case 'review': {
      const review = sampleReview(each.id, { id: named(`${each.id}`), runId, questionId: named('q0') })
      return [await succeeds(addReview(store, review)), model.addTo(model.reviews, review)]
    }
    case 'update': {
      const id = named(`${each.id}`)
      return [await store.reviews.update(id, each.expected, each.next), model.update(id, each.expected, each.next)]
    }
    case 'redact': {
      const { erased } = await store.redact(named(each.questionId))
      return [erased, model.redact(named(each.questionId))]
    }
  }
}

async function compareAll(store: Store, model: ModelStore, { runId, named }: Names): Promise<void> {
  const byId = <Row extends { readonly id: string }>(rows: readonly Row[]) =>
    rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  expect(await store.calls.list(runId, { after: null, limit: 99 })).toEqual(byId(model.calls))
  expect(await store.calls.spend(runId)).toEqual(model.spend())
  expect(await store.labels.of(named('q0'))).toEqual(model.labels)
  for (const review of model.reviews) expect(await store.reviews.find(review.id)).toEqual(review)
  for (const cacheKey of [named('cache 0'), named('cache 1')]) {
    expect(await cachedCall(store, cacheKey)).toEqual(model.cached(cacheKey))
  }
  for (const call of model.calls) {
    const calls = model.placed(call)
    expect(await attemptsAt(store, runId, call)).toBe(calls.length)
    const answers = calls.filter(({ state, reply }) => state === 'answered' && reply !== null)
    const found = await answeredCall(store, runId, call)
    expect(answers.length === 0 ? found === null : answers.some(({ id }) => id === found?.id)).toBe(true)
  }
}

function kindOf(error: unknown): string {
  if (error instanceof StoreError) return error.kind
  throw error
}
