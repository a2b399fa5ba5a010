import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CertificateError } from '../../src/certificate-error.ts'
import { questionsOf } from '../../src/monitoring/log-capital.ts'
import { rateBounds, realisedRate } from '../../src/monitoring/realised-rate.ts'
import { type RiskState, riskMonitor, type SpotCheckOutcome, sampledOf } from '../../src/monitoring/risk-monitor.ts'

const SETTINGS = { beta: 0.1, eta: 0.05 }
const RATE = 0.05
const unsampledAt = (questions: number, spotCheckRate = RATE) => ({ spotCheckRate, questions })
const monitor = riskMonitor(SETTINGS)

const outcome = fc.constantFrom<SpotCheckOutcome>('wrong', 'wrong', 'not-wrong', 'abandoned', 'open')
const rate = fc.constantFrom(RATE, RATE, 0.01, 0.1)
const stream = fc.array(fc.record({ outcome, unsampled: fc.integer({ min: 0, max: 15 }), rate }), { maxLength: 80 })

type Stream = readonly { readonly outcome: SpotCheckOutcome; readonly unsampled: number; readonly rate?: number }[]

/** Each spot check comes after unsampled questions with the same probability. */
function follow(sampled: Stream, from = monitor.start): RiskState {
  return sampled.reduce(
    (state, { outcome, unsampled, rate = RATE }) =>
      monitor.observe(monitor.pass(state, unsampledAt(unsampled, rate)), outcome, rate),
    from,
  )
}

/** The definition: M after every question from the sum of X so far, one exponent at a time. */
function slowAlarm(sampled: Stream): number | null {
  const exponents = [0.1, 10 ** -0.75, 10 ** -0.5, 10 ** -0.25, 1]
  const xs = sampled.flatMap(({ outcome, unsampled, rate = RATE }) => [
    ...Array.from({ length: unsampled }, () => ({ x: 0, rate })),
    { x: outcome === 'wrong' ? 1 : 0, rate },
  ])
  const parts = exponents.map(() => 1)
  for (const [at, { x, rate }] of xs.entries()) {
    for (const [j, l] of exponents.entries()) parts[j]! *= Math.exp(l * x) / (1 + rate * 0.1 * (Math.exp(l) - 1))
    if (parts.reduce((total, part) => total + part, 0) / 5 >= 20) return at + 1
  }
  return null
}

describe('riskMonitor', () => {
  test('alarms at the question at which the definition does', () => {
    let alarms = 0
    fc.assert(
      fc.property(stream, (sampled) => {
        const found = follow(sampled).alarm
        expect(found?.questions ?? null).toBe(slowAlarm(sampled))
        if (found) alarms++
      }),
      { seed: 5, numRuns: 200 },
    )
    expect(alarms).toBeGreaterThan(5)
  })

  test('continues bit for bit from stored JSON, wherever it is cut', () => {
    fc.assert(
      fc.property(stream, fc.nat(80), (sampled, cut) => {
        const stored: RiskState = JSON.parse(JSON.stringify(follow(sampled.slice(0, cut))))
        expect(follow(sampled.slice(cut), stored)).toStrictEqual(follow(sampled))
      }),
    )
  })

  test('is never brought to an alarm, or to an earlier one, by what is not known', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.boolean(), { minLength: 80, maxLength: 80 }), (sampled, hidden) => {
        const known = follow(
          sampled.map((draw) => ({ ...draw, outcome: draw.outcome === 'wrong' ? 'wrong' : 'not-wrong' })),
        )
        const partly = follow(sampled.map((draw, at) => (hidden[at] ? { ...draw, outcome: 'open' as const } : draw)))
        if (partly.alarm) expect(partly.alarm.questions).toBeGreaterThanOrEqual(known.alarm!.questions)
        expect(partly.largestLogCapital).toBeLessThanOrEqual(known.largestLogCapital)
      }),
    )
  })

  test('keeps an alarm, whatever comes after it', () => {
    const tripped = follow(Array.from({ length: 8 }, () => ({ outcome: 'wrong' as const, unsampled: 3 })))
    expect(tripped.alarm).toEqual({ questions: 20, sampled: 5 })
    const later = monitor.pass(tripped, unsampledAt(1_000_000))
    expect(later.alarm).toEqual(tripped.alarm)
    expect(monitor.logCapital(later)).toBeLessThan(0)
  })

  test('counts questions that were not sampled', () => {
    const sampled = monitor.observe(monitor.pass(monitor.start, unsampledAt(19)), 'not-wrong', RATE)
    const state = monitor.pass(monitor.pass(sampled, unsampledAt(30)), unsampledAt(7, 0.2))
    expect(state.asked).toEqual([
      { ...unsampledAt(50), sampled: 1, wrong: 0, unknown: 0 },
      { ...unsampledAt(7, 0.2), sampled: 0, wrong: 0, unknown: 0 },
    ])
    expect(questionsOf(state)).toBe(57)
    expect(sampledOf(state)).toBe(1)
  })

  test.each([
    ['beta', { ...SETTINGS, beta: 0 }],
    ['beta', { ...SETTINGS, beta: Number.NaN }],
    ['eta', { ...SETTINGS, eta: 0 }],
  ])('refuses a bad %s', (name, settings) => {
    expect(() => riskMonitor(settings)).toThrow(CertificateError)
    expect(() => riskMonitor(settings)).toThrow(name)
  })

  test('refuses an unknown outcome, a broken count and a broken probability', () => {
    expect(() => monitor.observe(monitor.start, 'maybe' as SpotCheckOutcome, RATE)).toThrow('outcome')
    expect(() => monitor.observe(monitor.start, 'wrong', 0)).toThrow('spotCheckRate')
    expect(() => monitor.pass(monitor.start, unsampledAt(-1))).toThrow('questions')
    expect(() => monitor.pass(monitor.start, unsampledAt(Number.NaN))).toThrow('questions')
    expect(() => monitor.pass(monitor.start, unsampledAt(1, Number.NaN))).toThrow('spotCheckRate')
  })
})

describe('the realised rate', () => {
  test('counts what is not known as not wrong at its lower end and as wrong at its upper one', () => {
    const outcomes = ['wrong', 'abandoned', 'open', 'not-wrong', 'not-wrong', 'not-wrong'] as const
    const found = realisedRate(follow(outcomes.map((outcome) => ({ outcome, unsampled: 0 }))))!
    expect(found).toMatchObject({ wrong: 1, sampled: 6, rate: 1 / 6, rateAtMost: 1 / 2 })
    // SciPy: beta.ppf(.025, 1, 6), beta.ppf(.975, 4, 3)
    expect(found.interval.lower).toBeCloseTo(0.00421074451448947, 12)
    expect(found.interval.upper).toBeCloseTo(0.8818827512429748, 12)
  })

  test('is absent before the first spot check, and its bounds before the first question', () => {
    expect(realisedRate(monitor.pass(monitor.start, unsampledAt(10)))).toBeNull()
    expect(rateBounds(monitor.start, SETTINGS)).toBeNull()
    expect(rateBounds(monitor.pass(monitor.start, unsampledAt(10)), SETTINGS)).toEqual({
      rate: null,
      lower: 0,
      upper: 1,
      level: 0.9,
    })
  })

  test('is averaged over questions where p changed, not over spot checks, and its bounds say what they hold with', () => {
    const sampled = (state: RiskState, outcome: SpotCheckOutcome, spotCheckRate: number) =>
      monitor.observe(monitor.pass(state, unsampledAt(9, spotCheckRate)), outcome, spotCheckRate)
    let state = sampled(sampled(monitor.start, 'not-wrong', 0.1), 'not-wrong', 0.1)
    expect(rateBounds(state, SETTINGS)).toMatchObject({ rate: 0, level: 0.9 })
    for (let draw = 0; draw < 18; draw++) state = monitor.observe(state, draw < 9 ? 'wrong' : 'not-wrong', 1)
    expect(realisedRate(state)?.rate).toBe(9 / 20)
    // 20 questions without a wrong one, and 18 of which half are wrong.
    const found = rateBounds(state, SETTINGS)
    expect(found?.rate).toBeCloseTo(9 / 38, 12)
    expect(found?.level).toBeCloseTo(0.85, 12)
  })

  test('an unlabelled spot check moves the upper bound as a wrong one would, and leaves the lower one', () => {
    const base = monitor.pass(monitor.start, unsampledAt(3000))
    const bounds = (outcome: SpotCheckOutcome) => rateBounds(monitor.observe(base, outcome, RATE), SETTINGS)!
    expect(bounds('open').upper).toBe(bounds('wrong').upper)
    expect(bounds('abandoned').upper).toBe(bounds('wrong').upper)
    expect(bounds('open').lower).toBe(bounds('not-wrong').lower)
    expect(bounds('not-wrong').upper).toBeLessThan(bounds('open').upper)
  })
})
