import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CertificateError } from '../../src/certificate-error.ts'
import { ALARM_EXPONENTS, logCapital } from '../../src/monitoring/log-capital.ts'
import { missOf, wrongRateLower, wrongRateUpper } from '../../src/monitoring/rate-bounds.ts'
import { readReference, relativeError } from '../reference/read-reference.ts'

interface Recorded {
  readonly questions: number
  readonly wrong: number
  readonly spotCheckRate: number
  readonly eta: number
  readonly lower: number
  readonly upper: number
}

const recorded: readonly Recorded[] = readReference('monitoring.json').bounds

interface Plain {
  readonly questions: number
  readonly wrong: number
}

interface Sampled {
  readonly spotCheckRate: number
  readonly eta: number
}

/** All questions sampled with one probability. */
const atOneRate =
  (bound: typeof wrongRateLower) =>
  ({ questions, wrong }: Plain, { spotCheckRate, eta }: Sampled): number =>
    bound([{ spotCheckRate, questions, wrong }], { eta })

const first = { spotCheckRate: 0.05, questions: 10 }
const lowerOf = atOneRate(wrongRateLower)
const upperOf = atOneRate(wrongRateUpper)

const arbitrary = fc.record({
  counts: fc
    .record({ questions: fc.integer({ min: 1, max: 20_000 }), share: fc.double({ min: 0, max: 1, noNaN: true }) })
    .map(({ questions, share }) => ({ questions, wrong: Math.floor(share ** 3 * questions) })),
  settings: fc.record({
    spotCheckRate: fc.double({ min: 0.001, max: 1, noNaN: true }),
    eta: fc.double({ min: 1e-6, max: 0.5, noNaN: true }),
  }),
})

describe('the bounds', () => {
  test("are the roots that SciPy's brentq finds", () => {
    expect(recorded.length).toBe(60)
    expect(recorded.filter(({ lower, upper }) => lower > 0 && upper < 1).length).toBeGreaterThan(20)
    for (const { lower, upper, spotCheckRate, eta, ...counts } of recorded) {
      expect(relativeError(lowerOf(counts, { spotCheckRate, eta }), lower)).toBeLessThan(1e-9)
      expect(relativeError(upperOf(counts, { spotCheckRate, eta }), upper)).toBeLessThan(1e-9)
    }
  })

  test('enclose the share that was seen, and lie in [0, 1]', () => {
    fc.assert(
      fc.property(arbitrary, ({ counts, settings }) => {
        const seen = Math.min(1, counts.wrong / counts.questions / settings.spotCheckRate)
        const lower = lowerOf(counts, settings)
        const upper = upperOf(counts, settings)
        expect(lower).toBeGreaterThanOrEqual(0)
        expect(lower).toBeLessThanOrEqual(seen)
        expect(upper).toBeGreaterThanOrEqual(seen)
        expect(upper).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('rise with one more wrong, fall with one more question, widen when eta falls', () => {
    fc.assert(
      fc.property(arbitrary, ({ counts, settings }) => {
        const { questions, wrong } = counts
        const strict = { ...settings, eta: settings.eta / 2 }
        for (const bound of [lowerOf, upperOf]) {
          const now = bound(counts, settings)
          if (wrong < questions) expect(bound({ questions, wrong: wrong + 1 }, settings)).toBeGreaterThanOrEqual(now)
          expect(bound({ questions: questions + 1, wrong }, settings)).toBeLessThanOrEqual(now)
        }
        expect(lowerOf(counts, strict)).toBeLessThanOrEqual(lowerOf(counts, settings))
        expect(upperOf(counts, strict)).toBeGreaterThanOrEqual(upperOf(counts, settings))
      }),
    )
  })

  test('the lower one passes beta exactly when the capital against beta is at the alarm', () => {
    fc.assert(
      fc.property(arbitrary, fc.double({ min: 0.001, max: 0.99, noNaN: true }), ({ counts, settings }, beta) => {
        const log = logCapital(
          ALARM_EXPONENTS,
          { asked: [{ ...settings, questions: counts.questions }], wrong: counts.wrong },
          beta,
        )
        // At the threshold itself the two roundings may differ.
        fc.pre(Math.abs(log + Math.log(settings.eta)) > 1e-9)
        expect(lowerOf(counts, settings) >= beta).toBe(log >= -Math.log(settings.eta))
      }),
    )
  })

  test('of several probabilities are those of their stretches, averaged by questions, each with less of eta', () => {
    const stretch = arbitrary.map(({ counts, settings }) => ({ ...counts, spotCheckRate: settings.spotCheckRate }))
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 2, maxLength: 4 }), (stretches) => {
        const total = stretches.reduce((sum, { questions }) => sum + questions, 0)
        const eta = 0.04
        const shares = [eta, eta / 6, eta / 12, eta / 20]
        for (const [bound, plain] of [[wrongRateLower, lowerOf] as const, [wrongRateUpper, upperOf] as const]) {
          const slow = stretches.map(
            (one, at) => (plain(one, { ...one, eta: shares[at] ?? 0 }) * one.questions) / total,
          )
          expect(bound(stretches, { eta })).toBeCloseTo(
            slow.reduce((sum, part) => sum + part, 0),
            12,
          )
        }
      }),
      { numRuns: 50 },
    )
    expect([missOf([], { eta: 0.04 }), missOf([first], { eta: 0.04 })]).toEqual([0.04, 0.04])
    expect(missOf([first, first], { eta: 0.04 })).toBeCloseTo(0.06, 15)
  })

  test('say nothing before anything was seen', () => {
    const none = { questions: 0, wrong: 0 }
    expect(lowerOf(none, { spotCheckRate: 0.05, eta: 0.05 })).toBe(0)
    expect(upperOf(none, { spotCheckRate: 0.05, eta: 0.05 })).toBe(1)
    expect([wrongRateLower([], { eta: 0.05 }), wrongRateUpper([], { eta: 0.05 })]).toEqual([0, 1])
  })
})

test.each([
  [{ questions: 5, wrong: 6 }, { spotCheckRate: 0.1, eta: 0.05 }, 'wrong'],
  [{ questions: Number.NaN, wrong: 0 }, { spotCheckRate: 0.1, eta: 0.05 }, 'questions'],
  [{ questions: 5, wrong: 0.5 }, { spotCheckRate: 0.1, eta: 0.05 }, 'wrong'],
  [{ questions: 5, wrong: 1 }, { spotCheckRate: 0, eta: 0.05 }, 'spotCheckRate'],
  [{ questions: 5, wrong: 1 }, { spotCheckRate: 1.1, eta: 0.05 }, 'spotCheckRate'],
  [{ questions: 5, wrong: 1 }, { spotCheckRate: 0.1, eta: Number.NaN }, 'eta'],
  [{ questions: 5, wrong: 1 }, { spotCheckRate: 0.1, eta: 1 }, 'eta'],
])('refuse %o with %o, naming %s', (counts, settings, parameter) => {
  for (const bound of [lowerOf, upperOf]) {
    expect(() => bound(counts, settings)).toThrow(CertificateError)
    expect(() => bound(counts, settings)).toThrow(parameter)
  }
})
