import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ann, itemId, openReviews, type Put, UNDO_MS } from './review-fixture.ts'

/** What a reviewer must not be able to infer: where the item comes from, what was answered, and how near it was to acting. */
const secrets = fc.record({
  source: fc.constantFrom('deferral' as const, 'spot-check' as const),
  reason: fc.option(fc.constantFrom('bound-low', 'too-few-labels', 'agent-failure')),
  distance: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  answer: fc.option(fc.constantFrom('A', 'B')),
})

async function seen(item: Put) {
  const { service } = await openReviews([{ ...item, list: 'blind' }])
  const row = await service.list({ cursor: null, limit: 9 })
  const unclaimed = await service.find(itemId(0), ann)
  const claimed = await service.claim(itemId(0), ann)
  if (claimed.kind !== 'done' || !claimed.value.isBlind) throw new Error('not blind')
  const listed = await service.list({ cursor: null, limit: 9 })
  const released = await service.release(itemId(0), ann)
  return JSON.stringify({ row, unclaimed, claimed, listed, released, again: await service.find(itemId(0), ann) })
}

test('two blind items that differ in source, answer, bound and reason are the same to the byte', async () => {
  await fc.assert(
    fc.asyncProperty(secrets, secrets, async (one, other) => {
      expect(await seen(one)).toBe(await seen(other))
    }),
    { numRuns: 15, seed: 3 },
  )
})

test('they are also the same when one was submitted and can still be undone', async () => {
  await fc.assert(
    fc.asyncProperty(secrets, secrets, async (one, other) => {
      expect(await submitted(one, 0)).toBe(await submitted(other, 0))
    }),
    { numRuns: 10, seed: 4 },
  )
})

async function submitted(item: Put, later: number) {
  const { service, clock } = await openReviews([{ ...item, list: 'blind' }])
  await service.claim(itemId(0), ann)
  const { kind, ...submission } = await service.submit(itemId(0), ann, { outcome: { kind: 'cannot-tell' } })
  clock.now += later
  const rows = await service.list({ cursor: null, limit: 9 })
  return JSON.stringify({ kind, submission, rows, found: await service.find(itemId(0), ann) })
}

test('the same comparison distinguishes open items and submitted ones', async () => {
  const shown = async (reason: 'bound-low' | 'too-few-labels') => {
    const { service } = await openReviews([{ reason, distance: 0.1, list: 'open' }])
    const open = await service.claim(itemId(0), ann)
    return [JSON.stringify(open), await submitted({ reason }, UNDO_MS)]
  }
  const [one, other] = [await shown('bound-low'), await shown('too-few-labels')]
  expect(one[0]).not.toBe(other[0])
  expect(one[1]).not.toBe(other[1])
})
