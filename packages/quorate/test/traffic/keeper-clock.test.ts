import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeeperClock } from '../../src/traffic/keeper-clock.ts'

const way = fc.double({ min: 0, max: 500, noNaN: true })
const exchanges = fc.array(fc.record({ there: way, back: way, pause: way }), { minLength: 1, maxLength: 30 })
const EXACT = 6
const DRIFT = 1e-4

/** A keeper whose clock shows `ahead` more than the own one, and answers that take their time. */
function world(ahead: number) {
  let time = 1000
  let offset = ahead
  const keeper = createKeeperClock(() => time)
  return {
    exchange({ there, back, pause }: { there: number; back: number; pause: number }): void {
      time += pause
      const asked = time
      time += there
      const clock = (time + offset) * 1000
      time += back
      keeper.heard(clock, asked)
    },
    set(by: number): void {
      offset += by
    },
    forget: keeper.forget,
    /** How much later than it is the own clock has a time of the keeper. */
    late: () => keeper.own((time + offset) * 1000) - time,
  }
}

test('a time of the keeper is never taken for an earlier one, nor for one later than the quickest answer', () => {
  fc.assert(
    fc.property(exchanges, fc.double({ min: -1e6, max: 1e6, noNaN: true }), (all, ahead) => {
      const { exchange, late } = world(ahead)
      for (const each of all) exchange(each)
      const elapsed = all.reduce((sum, { there, back, pause }) => sum + there + back + pause, 0)
      expect(late()).toBeGreaterThanOrEqual(-(10 ** -EXACT))
      expect(late()).toBeLessThanOrEqual(Math.min(...all.map(({ back }) => back)) + elapsed * DRIFT + 10 ** -EXACT)
    }),
  )
})

test('companion: taken for as late as the last answer came, it is later than the quickest one allows', () => {
  const { exchange, late } = world(0)
  exchange({ there: 1, back: 1, pause: 0 })
  exchange({ there: 1, back: 400, pause: 10 })
  expect(late()).toBeCloseTo(1 + 411 * DRIFT, EXACT)
  expect(late()).toBeLessThan(400)
})

test.each([-60_000, -700, 700, 60_000])('one answer is enough after a clock was set by %d ms', (by) => {
  const { exchange, late, set } = world(0)
  exchange({ there: 1, back: 1, pause: 0 })
  set(by)
  exchange({ there: 3, back: 2, pause: 0 })
  expect(late()).toBeCloseTo(2, EXACT)
})

test('where it is told to forget, the next answer stands alone, and a quicker one after it counts again', () => {
  const { exchange, forget, late } = world(0)
  exchange({ there: 1, back: 1, pause: 0 })
  forget()
  exchange({ there: 1, back: 300, pause: 0 })
  expect(late()).toBeCloseTo(300, EXACT)
  exchange({ there: 1, back: 4, pause: 0 })
  expect(late()).toBeCloseTo(4, EXACT)
})

test('clocks that go apart slowly are followed', () => {
  const { exchange, late, set } = world(0)
  for (const drift of [0.1, -0.1]) {
    for (let second = 0; second < 3600; second++) {
      set(drift)
      exchange({ there: 1, back: 1, pause: 998 })
      expect(Math.abs(late())).toBeLessThan(2)
    }
  }
})
