import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPurse, type Reservation } from '../../../src/run/calls/purse.ts'
import type { Spend } from '../../../src/store/store.ts'

const NOTHING: Spend = {
  calls: { open: 0, answered: 0, refused: 0, lost: 0 },
  inputTokens: 0,
  outputTokens: 0,
  committedMicroUsd: 0,
  reservedMicroUsd: 0,
  unpricedCalls: 0,
}

async function taken(reservation: Promise<Reservation | null>): Promise<Reservation> {
  const held = await reservation
  if (held === null) throw new Error('it did not fit')
  return held
}

describe('a purse', () => {
  test('counts what was spent before it was opened', async () => {
    const purse = createPurse({ ...NOTHING, committedMicroUsd: 60, reservedMicroUsd: 30 }, 100)
    expect(await purse.reserve(11)).toBeNull()
    expect(await purse.reserve(10)).not.toBeNull()
  })

  test('lets an attempt wait for the estimates of those in flight, and go when they cost less', async () => {
    const purse = createPurse(NOTHING, 100)
    const first = await taken(purse.reserve(80))
    const second = purse.reserve(80)
    first.answered(15, { inputTokens: 3, outputTokens: 4 })
    expect(await second).not.toBeNull()
    expect(purse.spent()).toMatchObject({ committedMicroUsd: 15, reservedMicroUsd: 80, answered: 1, open: 1 })
  })

  test('says no once nothing in flight could make room', async () => {
    const purse = createPurse(NOTHING, 100)
    const first = await taken(purse.reserve(80))
    const [second, third] = [purse.reserve(30), purse.reserve(90)]
    first.lost()
    expect([await second, await third]).toEqual([null, null])
  })

  test('keeps the reserve of what was lost, or answered at a cost that nobody knows', async () => {
    const purse = createPurse(NOTHING, null)
    ;(await taken(purse.reserve(5))).lost()
    ;(await taken(purse.reserve(7))).answered(null, null)
    ;(await taken(purse.reserve(9))).refused()
    ;(await taken(purse.reserve(null))).answered(null, null)
    expect(purse.spent()).toMatchObject({ committedMicroUsd: 0, reservedMicroUsd: 12, open: 0, answered: 2 })
  })

  test('never has more out than the cap, whatever is asked and however it ends', async () => {
    const step = fc.record({
      reserve: fc.integer({ min: 0, max: 40 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      end: fc.constantFrom('answered' as const, 'refused' as const, 'lost' as const),
      isLate: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 0, max: 200 }), async (steps, cap) => {
        const purse = createPurse(NOTHING, cap)
        const waiting: (() => void)[] = []
        const asked = steps.map(async ({ reserve, share, end, isLate }) => {
          const held = await purse.reserve(reserve)
          const { committedMicroUsd, reservedMicroUsd } = purse.spent()
          expect(committedMicroUsd + reservedMicroUsd).toBeLessThanOrEqual(cap)
          if (held === null) return
          if (isLate) await new Promise<void>((resolve) => waiting.push(resolve))
          if (end === 'answered') held.answered(Math.floor(share * reserve), null)
          else held[end]()
        })
        const all = Promise.all(asked)
        let isDone = false
        void all.then(() => {
          isDone = true
        })
        while (!isDone) {
          waiting.shift()?.()
          await new Promise(setImmediate)
        }
        expect(purse.spent().open).toBe(0)
      }),
      { numRuns: 50 },
    )
  })
})
