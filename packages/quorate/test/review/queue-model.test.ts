import { seededRandom } from '@quorate/certificate'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleId } from '../store/samples.ts'
import { verifyChain } from '../store/verify-chain.ts'
import { ModelQueue } from './model-queue.ts'
import { ann, bob, itemId, nextOf, openReviews, type Put, START } from './review-fixture.ts'

const TIMES = { claimMs: 100, undoMs: 30 }
const PEOPLE = [ann, bob]

const who = fc.nat(1)
const which = fc.nat(30)
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('next' as const), who }) },
  fc.record({ kind: fc.constant('claim' as const), who, which }),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('submit' as const), who, which, option: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('skip' as const), who, which }) },
  fc.record({ kind: fc.constant('release' as const), who, which }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const), who, which }) },
  fc.record({ kind: fc.constant('wait' as const), time: fc.constantFrom(1, 29, 30, 100) }),
)
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

const item = fc.record({
  source: fc.constantFrom('deferral' as const, 'deferral' as const, 'spot-check' as const),
  distance: fc.option(
    fc.integer({ min: 0, max: 4 }).map((tenths) => tenths / 10),
    { nil: null },
  ),
  createdAt: fc.oneof(
    fc.nat(5),
    fc.nat(150).map((later) => START + later),
  ),
})

test('any sequence of operations gives the same results as a list in memory, and every review counts once', async () => {
  const items = fc.array(item, { minLength: 1, maxLength: 12 })
  const operations = fc.array(operation, { minLength: 10, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(items, operations, fc.nat(), async (queue, all, seed) => compare(queue, all, seed)),
    { numRuns: 40, seed: 5 },
  )
})

async function compare(items: readonly Put[], operations: readonly Operation[], seed: number): Promise<void> {
  const { service, store, clock } = await openReviews(items, TIMES)
  const model = new ModelQueue(TIMES)
  model.now = START
  for (const [number, { source = 'deferral', distance = null, createdAt = 0 }] of items.entries()) {
    const list = source === 'spot-check' ? 'blind' : 'open'
    const rank = list === 'blind' ? createdAt : (distance ?? 9)
    const state = {
      status: 'waiting',
      claimedBy: null,
      claimedUntil: 0,
      isBlind: null,
      outcome: null,
      by: null,
    } as const
    model.items.push({ id: itemId(number), list, rank, ownRank: rank, createdAt, skips: 0, ...state, undoUntil: 0 })
  }
  const random = seededRandom(seed)
  for (const each of operations) {
    if (each.kind === 'wait') {
      clock.now += each.time
      model.now += each.time
      continue
    }
    const reviewer = PEOPLE[each.who] ?? ann
    // Usually an item that the reviewer has claimed or submitted, so that most steps have an effect.
    const own = model.items.filter(({ claimedBy }) => claimedBy === reviewer.name)
    const among = own.length > 0 && random() < 0.7 ? own : model.items
    const id = among[('which' in each ? each.which : 0) % among.length]?.id ?? ''
    expect([each.kind, id, await real(service, { each, id, reviewer })]).toEqual([
      each.kind,
      id,
      expected(model, { each, id, reviewer: reviewer.name }),
    ])
  }
  for (const { id, status, isBlind, by, outcome } of model.items) {
    expect(await store.reviews.find(id)).toMatchObject({ id, status, isBlind, by, outcome })
  }
  const counted = await store.labels.list({ after: null, limit: 99 })
  const submitted = model.items.filter(({ status }) => status === 'submitted')
  expect(counted.map(({ reviewId }) => reviewId).sort()).toEqual(submitted.map(({ id }) => id).sort())
  expect(verifyChain(await store.ledger.list(sampleId(1), { after: 0, limit: 999 })).kind).toBe('whole')
}

interface Act<Who> {
  readonly each: Exclude<Operation, { readonly kind: 'wait' }>
  readonly id: string
  readonly reviewer: Who
}

let replacement = ''

async function real(
  service: Awaited<ReturnType<typeof openReviews>>['service'],
  { each, id, reviewer }: Act<typeof ann>,
) {
  switch (each.kind) {
    case 'next': {
      const { item: next } = await nextOf(service, reviewer)
      return next === null ? null : [next.id, next.isBlind]
    }
    case 'claim': {
      const claimed = await service.claim(id, reviewer)
      return claimed.kind === 'done' ? claimed.value.isBlind : null
    }
    case 'submit': {
      const outcome = each.option ? ({ kind: 'option', option: 'A' } as const) : ({ kind: 'cannot-tell' } as const)
      return (await service.submit(id, reviewer, { outcome })).kind === 'done'
    }
    case 'undo': {
      const before = new Set((await service.list({ cursor: null, limit: 200 })).items.map((row) => row.id))
      const undone = await service.undo(id, reviewer)
      const after = await service.list({ cursor: null, limit: 200 })
      replacement = after.items.find((row) => !before.has(row.id))?.id ?? ''
      return undone.kind === 'done' ? undone.value.kind : null
    }
    default:
      return (await service[each.kind](id, reviewer)).kind === 'done'
  }
}

function expected(model: ModelQueue, { each, id, reviewer }: Act<string>): unknown {
  switch (each.kind) {
    case 'next': {
      const next = model.next(reviewer)
      return next === null ? null : [next.id, next.isBlind]
    }
    case 'claim':
      return model.claim(id, reviewer)?.isBlind ?? null
    case 'submit':
      return model.submit(id, reviewer, each.option ? '{"kind":"option","option":"A"}' : '{"kind":"cannot-tell"}')
    case 'undo':
      return model.undo(id, reviewer, replacement)
    default:
      return model.release(id, reviewer, each.kind === 'skip')
  }
}
