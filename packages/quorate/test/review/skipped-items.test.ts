import { describe, expect, test } from 'vitest'
import { addReview } from '../store/rows.ts'
import { sampleReview } from '../store/samples.ts'
import { ann, bob, itemId, nextOf, openReviews, type Put, START } from './review-fixture.ts'

const spotCheck: Put = { source: 'spot-check', createdAt: START }
const deferral: Put = { source: 'deferral', createdAt: START, distance: 0.1 }
const OUTCOME = { outcome: { kind: 'cannot-tell' } } as const

type Reviews = Awaited<ReturnType<typeof openReviews>>

async function idOf({ service }: Reviews, who = ann): Promise<string> {
  return (await nextOf(service, who)).item?.id ?? ''
}

describe('an item that a reviewer skips', () => {
  test('comes back once all items that waited then were offered, even if new items keep arriving', async () => {
    const opened = await openReviews([spotCheck, ...Array.from({ length: 60 }, () => deferral)])
    const { service, store, clock } = opened
    await service.claim(itemId(0), ann)
    await service.skip(itemId(0), ann)
    const seen: string[] = []
    for (let number = 0; number < 200 && seen.at(-1) !== itemId(0); number++) {
      clock.now += 1
      // A new spot check arrives for each claim, so a reviewer who avoids the first item is always offered another.
      const questionId = `q${number % 60}`
      await addReview(store, sampleReview(1000 + number, { source: 'spot-check', questionId, createdAt: clock.now }))
      const id = await idOf(opened)
      seen.push(id)
      if (id !== itemId(0)) await service.submit(id, ann, OUTCOME)
    }
    expect(seen.at(-1)).toBe(itemId(0))
    expect(seen.length).toBeLessThanOrEqual(8)
  })

  test('a spot check that was skipped more than three times in all is first in its list for everybody', async () => {
    const opened = await openReviews([
      { ...spotCheck, createdAt: START + 10 },
      ...Array.from({ length: 9 }, () => spotCheck),
    ])
    const { service } = opened
    for (const who of [ann, bob, ann, bob]) {
      await service.claim(itemId(0), who)
      await service.skip(itemId(0), who)
    }
    expect(await idOf(opened, bob)).toBe(itemId(0))
    await service.skip(itemId(0), bob)
    expect(await idOf(opened, ann)).toBe(itemId(0))
  })

  test('a blind deferral is treated alike, so that coming back reveals nothing; an open one is left alone', async () => {
    const opened = await openReviews([
      { ...deferral, distance: 0.9, list: 'blind' },
      { ...deferral, distance: 0.8, list: 'open' },
      ...Array.from({ length: 9 }, () => deferral),
    ])
    const { service } = opened
    for (let time = 0; time < 4; time++) {
      for (const number of [0, 1]) {
        await service.claim(itemId(number), bob)
        await service.skip(itemId(number), bob)
      }
    }
    expect(await idOf(opened, ann)).toBe(itemId(0))
    expect(await idOf(opened, ann)).toBe(itemId(2))
  })
})
