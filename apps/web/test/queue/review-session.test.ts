import { describe, expect, test } from 'vitest'
import { ApiError } from '../../src/api/client.ts'
import { createReviewSession } from '../../src/pages/queue/session/review-session.ts'
import { claimOf } from '../../src/pages/queue/session/review-state.ts'
import { createReviewQueue, queuedItems } from '../fixture/queue/review-queue.ts'

/** A session with a queue in memory and a clock of its own. */
function opened(count: number, { claimMs = 600_000, undoMs = 10_000 } = {}) {
  const clock = { now: 1_000_000 }
  const queue = createReviewQueue(queuedItems(count), { me: 'ada', now: () => clock.now, claimMs, undoMs })
  const asked: string[] = []
  const remembered: { id: string | null } = { id: null }
  let isGone = false
  const session = createReviewSession({
    now: () => clock.now,
    memory: { read: () => remembered.id, write: (id) => (remembered.id = id) },
    onSignedOut: () => undefined,
    async request<Answer>(path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}) {
      asked.push(`${method} ${path.replace('/v1/reviews', '')}`)
      if (isGone) throw new ApiError(0, null, 'the server cannot be reached')
      const route = queue.routes.find(
        (one) => one.method === method && new RegExp(`^${one.path.replace('{id}', '[^/]+')}$`).test(path),
      )
      const id = path.split('/')[3] ?? ''
      const { status, body: text } = (await route?.answer({ names: { id }, query: new URLSearchParams(), body })) ?? {
        status: 404,
        body: '{}',
      }
      const value = JSON.parse(text)
      if (status !== 200) throw new ApiError(status, value, value.detail)
      return value as Answer // the fixture's responses follow the contract
    },
  })
  return { session, queue, clock, asked, remembered, gone: (is: boolean) => (isGone = is) }
}

const option = (name: string) => ({ kind: 'option', option: name }) as const
const shown = (session: ReturnType<typeof opened>['session']) => claimOf(session.snapshot())?.item.id ?? null

describe('the session of a reviewer', () => {
  test('submits and takes the next item at once', async () => {
    const { session, queue } = opened(3)
    await session.start(null)
    session.choose(option('B'))
    await session.submit(10_000)
    expect(queue.items[0]?.outcome).toEqual(option('B'))
    expect(shown(session)).toBe('review-1')
    expect(session.snapshot().progress).toMatchObject({ waiting: 2, mineToday: 1 })
  })

  test('submits nothing without a choice', async () => {
    const { session, asked } = opened(1)
    await session.start(null)
    await session.submit(10_000)
    expect(asked).toEqual(['POST /next'])
  })

  test('a failed submission keeps item, choice and note, and sets the next item aside', async () => {
    const { session, gone, asked } = opened(3)
    await session.start(null)
    session.choose(option('B'))
    session.write('why')
    gone(true)
    await session.submit(10_000)
    expect(claimOf(session.snapshot())).toMatchObject({
      item: { id: 'review-0' },
      draft: { outcome: option('B'), note: 'why' },
    })
    expect(session.snapshot().problem?.work).toBe('submit')
    gone(false)
    await session.submit(10_000)
    expect(shown(session)).toBe('review-1')
    expect(session.snapshot().problem).toBeNull()
    expect(asked.filter((one) => one.endsWith('/submit'))).toHaveLength(2)
  })

  test('a submission that is refused while the next item arrives loses neither', async () => {
    const { session, queue } = opened(3)
    await session.start(null)
    session.choose(option('B'))
    queue.refuse = (verb) => (verb === 'submit' ? conflicting() : null)
    await session.submit(10_000)
    expect(shown(session)).toBe('review-0')
    queue.refuse = () => null
    await session.submit(10_000)
    expect(shown(session)).toBe('review-1')
    expect(queue.items[2]?.claimedBy).toBeNull()
  })

  test('an undo restores the item with its draft, and then the item that was set aside', async () => {
    const { session, queue } = opened(3)
    await session.start(null)
    session.choose(option('B'))
    await session.submit(10_000)
    session.write('half a thought')
    await session.undo('review-0')
    expect(claimOf(session.snapshot())).toMatchObject({ item: { id: 'review-0' }, draft: { outcome: option('B') } })
    expect(session.snapshot().progress).toMatchObject({ waiting: 3, mineToday: 0 })
    session.choose({ kind: 'cannot-tell' })
    await session.submit(10_000)
    expect(queue.items[0]?.outcome).toEqual({ kind: 'cannot-tell' })
    expect(claimOf(session.snapshot())).toMatchObject({ item: { id: 'review-1' }, draft: { note: 'half a thought' } })
  })

  test('an undo that is too late is shown as a retraction', async () => {
    const { session, clock } = opened(3)
    await session.start(null)
    session.choose(option('B'))
    await session.submit(10_000)
    clock.now += 10_001
    await session.undo('review-0')
    expect(shown(session)).toBe('review-1')
    expect(session.snapshot().submissions[0]?.isRetracted).toBe(true)
    expect(session.snapshot().news?.kind).toBe('retracted')
  })

  test('the panel’s answer to a blind item is requested only when it can no longer be undone', async () => {
    const { session, clock, asked, gone } = opened(6)
    await session.start('review-2')
    session.choose(option('13'))
    await session.submit(10_000)
    const moment = { serverAhead: 0, activeAt: 0 }
    const answered = () => session.snapshot().submissions[0]
    const looks = () => asked.filter((one) => one === 'GET /review-2').length
    session.tick(moment)
    clock.now += 9999
    session.tick(moment)
    expect([looks(), answered()?.item.evidence, answered()?.item.source]).toEqual([0, null, null])
    clock.now += 1
    gone(true)
    session.tick(moment)
    await settled()
    gone(false)
    session.tick(moment)
    expect(looks(), 'a server that is gone is not asked again at once').toBe(1)
    clock.now += 2000
    session.tick(moment)
    await settled()
    expect(looks()).toBe(2)
    expect(answered()).toMatchObject({ outcome: option('13'), item: { source: 'deferral', evidence: { rounds: 4 } } })
    clock.now += 9000
    session.tick(moment)
    expect(looks()).toBe(2)
  })

  test('an item that is not blind, or was undone, is not requested again', async () => {
    const { session, clock, asked } = opened(6)
    await session.start(null)
    session.choose(option('B'))
    await session.submit(10_000)
    expect(session.snapshot().submissions[0]?.item.source).toBe('deferral')
    await session.start('review-2')
    session.choose(option('13'))
    await session.submit(10_000)
    await session.undo('review-2')
    clock.now += 20_000
    session.tick({ serverAhead: 0, activeAt: 0 })
    expect(asked.some((one) => one.startsWith('GET'))).toBe(false)
  })

  test('a skipped item comes back, with a notice, when nothing else is free', async () => {
    const { session } = opened(2)
    await session.start(null)
    await session.skip()
    expect(shown(session)).toBe('review-1')
    session.choose(option('no'))
    await session.submit(10_000)
    expect(shown(session)).toBe('review-0')
    await session.skip()
    expect(session.snapshot().news?.kind).toBe('came-back')
  })

  test('after an item is put back, none is claimed until the reviewer asks', async () => {
    const { session, queue } = opened(2)
    await session.start(null)
    await session.release()
    await session.start(null)
    expect(session.snapshot().place.kind).toBe('resting')
    expect(queue.items.every(({ claimedBy }) => claimedBy === null)).toBe(true)
  })

  test('a reloaded page claims the same item again', async () => {
    const { session, remembered, queue } = opened(2)
    await session.start(null)
    const again = opened(2)
    again.remembered.id = remembered.id
    await again.session.start(null)
    expect(again.asked).toEqual(['POST /review-0/claim'])
    expect(queue.items[1]?.claimedBy).toBeNull()
  })

  test('an item of another reviewer is shown as theirs, and the current one is not lost', async () => {
    const { session, queue, clock } = opened(3)
    Object.assign(queue.items[2] ?? {}, { claimedBy: 'bea', claimedUntil: clock.now + 1000 })
    await session.start(null)
    await session.start('review-2')
    expect(session.snapshot().place).toMatchObject({ kind: 'taken', item: { claimedBy: 'bea' } })
    await session.takeNext()
    expect(shown(session)).toBe('review-0')
  })
})

describe('the claim on the current item', () => {
  test('is renewed only while the reviewer is active', async () => {
    const { session, clock, asked } = opened(1, { claimMs: 60_000 })
    await session.start(null)
    session.tick({ serverAhead: 0, activeAt: 0 })
    clock.now += 31_000
    session.tick({ serverAhead: 0, activeAt: 0 })
    expect(asked).toEqual(['POST /next'])
    session.tick({ serverAhead: 0, activeAt: clock.now })
    await Promise.resolve()
    expect(asked).toEqual(['POST /next', 'POST /review-0/claim'])
  })

  test('expires by the server’s clock, keeps the choice, and can be claimed again', async () => {
    const { session, clock, queue } = opened(1, { claimMs: 60_000 })
    await session.start(null)
    session.choose(option('B'))
    session.tick({ serverAhead: 59_000, activeAt: 0 })
    expect(claimOf(session.snapshot())?.isExpired).toBe(false)
    session.tick({ serverAhead: 60_000, activeAt: 0 })
    expect(claimOf(session.snapshot())?.isExpired).toBe(true)
    await session.submit(10_000)
    expect(queue.items[0]?.status).toBe('waiting')
    clock.now += 60_000
    await session.claimAgain()
    expect(claimOf(session.snapshot())).toMatchObject({ isExpired: false, draft: { outcome: option('B') } })
    expect(queue.items[0]?.claimedUntil).toBe(clock.now + 60_000)
  })

  test('names the reviewer who claimed the item meanwhile', async () => {
    const { session, clock, queue } = opened(1, { claimMs: 60_000 })
    await session.start(null)
    clock.now += 60_001
    Object.assign(queue.items[0] ?? {}, { claimedBy: 'bea', claimedUntil: clock.now + 5000 })
    session.tick({ serverAhead: 0, activeAt: 0 })
    await session.claimAgain()
    expect(session.snapshot().place).toMatchObject({ kind: 'taken', item: { claimedBy: 'bea' } })
  })
})

/** Resolves after all pending responses. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function conflicting() {
  const problem = { type: 'about:blank', title: 'conflict', status: 409, detail: 'it is with bea' }
  return { status: 409, type: 'application/problem+json', body: JSON.stringify(problem) }
}
