import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSpendMeter, type Reservation } from '../../src/run/spend-meter.ts'
import type { Spend } from '../../src/store/store.ts'

const NOTHING: Spend = {
  calls: { open: 0, answered: 0, refused: 0, lost: 0 },
  inputTokens: 0,
  outputTokens: 0,
  committedMicroUsd: 0,
  reservedMicroUsd: 0,
  unpricedCalls: 0,
}

async function taken(reservation: Promise<Reservation | null>): Promise<Reservation> {
  const reserved = await reservation
  if (reserved === null) throw new Error('it did not fit')
  return reserved
}

describe('a spend meter', () => {
  test('counts what was spent before it was opened', async () => {
    const meter = createSpendMeter({
      before: { ...NOTHING, committedMicroUsd: 60, reservedMicroUsd: 30 },
      capMicroUsd: 100,
    })
    expect(await meter.reserve(11)).toBeNull()
    expect(await meter.reserve(10)).not.toBeNull()
  })

  test('lets an attempt wait for reservations in flight, and proceed when they cost less', async () => {
    const meter = createSpendMeter({ before: NOTHING, capMicroUsd: 100 })
    const first = await taken(meter.reserve(80))
    const second = meter.reserve(80)
    first.answered(15, { inputTokens: 3, outputTokens: 4 })
    expect(await second).not.toBeNull()
    expect(meter.spent()).toMatchObject({ committedMicroUsd: 15, reservedMicroUsd: 80, answered: 1, open: 1 })
  })

  test('refuses once nothing in flight could make room', async () => {
    const meter = createSpendMeter({ before: NOTHING, capMicroUsd: 100 })
    const first = await taken(meter.reserve(80))
    const [second, third] = [meter.reserve(30), meter.reserve(90)]
    first.lost()
    expect([await second, await third]).toEqual([null, null])
  })

  test('keeps the reservation of calls that were lost, or answered at an unknown cost', async () => {
    const meter = createSpendMeter({ before: NOTHING, capMicroUsd: null })
    ;(await taken(meter.reserve(5))).lost()
    ;(await taken(meter.reserve(7))).answered(null, null)
    ;(await taken(meter.reserve(9))).refused()
    ;(await taken(meter.reserve(null))).answered(null, null)
    expect(meter.spent()).toMatchObject({ committedMicroUsd: 0, reservedMicroUsd: 12, open: 0, answered: 2 })
  })

  test('never commits and reserves more than the cap, whatever is asked and however it ends', async () => {
    const step = fc.record({
      reserve: fc.integer({ min: 0, max: 40 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      end: fc.constantFrom('answered' as const, 'refused' as const, 'lost' as const),
      isLate: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 0, max: 200 }), async (steps, cap) => {
        const meter = createSpendMeter({ before: NOTHING, capMicroUsd: cap })
        const waiting: (() => void)[] = []
        const asked = steps.map(async ({ reserve, share, end, isLate }) => {
          const reserved = await meter.reserve(reserve)
          const { committedMicroUsd, reservedMicroUsd } = meter.spent()
          expect(committedMicroUsd + reservedMicroUsd).toBeLessThanOrEqual(cap)
          if (reserved === null) return
          if (isLate) await new Promise<void>((resolve) => waiting.push(resolve))
          if (end === 'answered') reserved.answered(Math.floor(share * reserve), null)
          else reserved[end]()
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
        expect(meter.spent().open).toBe(0)
      }),
      { numRuns: 50 },
    )
  })
})
