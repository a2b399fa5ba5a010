import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CertificateError } from '../../src/certificate-error.ts'
import { rateBounds, realisedRate } from '../../src/monitoring/realised-rate.ts'
import { drawsOf, type RiskState, riskMonitor, type SpotCheckOutcome } from '../../src/monitoring/risk-monitor.ts'

const SETTINGS = { beta: 0.1, spotCheckRate: 0.05, eta: 0.05 }
const monitor = riskMonitor(SETTINGS)

const outcome = fc.constantFrom<SpotCheckOutcome>('wrong', 'wrong', 'not-wrong', 'undecidable', 'open')
const stream = fc.array(fc.record({ outcome, undrawn: fc.integer({ min: 0, max: 15 }) }), { maxLength: 80 })

type Stream = readonly { readonly outcome: SpotCheckOutcome; readonly undrawn: number }[]

function follow(draws: Stream, from = monitor.start): RiskState {
  return draws.reduce((state, { outcome, undrawn }) => monitor.observe(state, outcome, undrawn), from)
}

/** The definition: M after every question from the sum of X so far, one exponent at a time. */
function slowAlarm(draws: Stream): number | null {
  const exponents = [0.1, 10 ** -0.75, 10 ** -0.5, 10 ** -0.25, 1]
  const xs = draws.flatMap(({ outcome, undrawn }) => [...Array(undrawn).fill(0), outcome === 'wrong' ? 1 : 0])
  let sum = 0
  for (const [at, x] of xs.entries()) {
    sum += x
    const parts = exponents.map((l) => Math.exp(l * sum) / (1 + 0.005 * (Math.exp(l) - 1)) ** (at + 1))
    if (parts.reduce((total, part) => total + part, 0) / 5 >= 20) return at + 1
  }
  return null
}

describe('riskMonitor', () => {
  test('alarms at the question at which the definition does', () => {
    let alarms = 0
    fc.assert(
      fc.property(stream, (draws) => {
        const found = follow(draws).alarm
        expect(found?.questions ?? null).toBe(slowAlarm(draws))
        if (found) alarms++
      }),
      { seed: 5 },
    )
    expect(alarms).toBeGreaterThan(5)
  })

  test('continues bit for bit from stored JSON, wherever it is cut', () => {
    fc.assert(
      fc.property(stream, fc.nat(80), (draws, cut) => {
        const stored: RiskState = JSON.parse(JSON.stringify(follow(draws.slice(0, cut))))
        expect(follow(draws.slice(cut), stored)).toStrictEqual(follow(draws))
      }),
    )
  })

  test('is never brought to an alarm, or to an earlier one, by what is not known', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.boolean(), { minLength: 80, maxLength: 80 }), (draws, hidden) => {
        const known = follow(
          draws.map((draw) => ({ ...draw, outcome: draw.outcome === 'wrong' ? 'wrong' : 'not-wrong' })),
        )
        const partly = follow(draws.map((draw, at) => (hidden[at] ? { ...draw, outcome: 'open' as const } : draw)))
        if (partly.alarm) expect(partly.alarm.questions).toBeGreaterThanOrEqual(known.alarm!.questions)
        expect(partly.largestLogCapital).toBeLessThanOrEqual(known.largestLogCapital)
      }),
    )
  })

  test('keeps an alarm, whatever comes after it', () => {
    const tripped = follow(Array.from({ length: 8 }, () => ({ outcome: 'wrong' as const, undrawn: 3 })))
    expect(tripped.alarm).toEqual({ questions: 20, draws: 5 })
    const later = monitor.pass(tripped, 1_000_000)
    expect(later.alarm).toEqual(tripped.alarm)
    expect(monitor.logCapital(later)).toBeLessThan(0)
  })

  test('counts questions that were not drawn', () => {
    const state = monitor.pass(monitor.observe(monitor.start, 'not-wrong', 19), 30)
    expect(state.questions).toBe(50)
    expect(drawsOf(state)).toBe(1)
  })

  test.each([
    ['beta', { ...SETTINGS, beta: 0 }],
    ['beta', { ...SETTINGS, beta: Number.NaN }],
    ['spotCheckRate', { ...SETTINGS, spotCheckRate: 0 }],
    ['eta', { ...SETTINGS, eta: 0 }],
  ])('refuses a bad %s', (name, settings) => {
    expect(() => riskMonitor(settings)).toThrow(CertificateError)
    expect(() => riskMonitor(settings)).toThrow(name)
  })

  test('refuses an unknown outcome and a broken count', () => {
    expect(() => monitor.observe(monitor.start, 'maybe' as SpotCheckOutcome)).toThrow('outcome')
    expect(() => monitor.pass(monitor.start, -1)).toThrow('undrawn')
    expect(() => monitor.pass(monitor.start, Number.NaN)).toThrow('undrawn')
  })
})

describe('the realised rate', () => {
  test('counts what is not known as not wrong at its lower end and as wrong at its upper one', () => {
    const outcomes = ['wrong', 'undecidable', 'open', 'not-wrong', 'not-wrong', 'not-wrong'] as const
    const found = realisedRate(follow(outcomes.map((outcome) => ({ outcome, undrawn: 0 }))))!
    expect(found).toMatchObject({ wrong: 1, draws: 6, rate: 1 / 6, rateAtMost: 1 / 2 })
    // SciPy: beta.ppf(.025, 1, 6), beta.ppf(.975, 4, 3)
    expect(found.interval.lower).toBeCloseTo(0.00421074451448947, 12)
    expect(found.interval.upper).toBeCloseTo(0.8818827512429748, 12)
  })

  test('is absent before the first draw, and its bounds before the first question', () => {
    expect(realisedRate(monitor.pass(monitor.start, 10))).toBeNull()
    expect(rateBounds(monitor.start, SETTINGS)).toBeNull()
    expect(rateBounds(monitor.pass(monitor.start, 10), SETTINGS)).toEqual({ lower: 0, upper: 1 })
  })

  test('an unlabelled draw moves the upper bound as a wrong one would, and leaves the lower one', () => {
    const base = monitor.pass(monitor.start, 3000)
    const bounds = (outcome: SpotCheckOutcome) => rateBounds(monitor.observe(base, outcome), SETTINGS)!
    expect(bounds('open').upper).toBe(bounds('wrong').upper)
    expect(bounds('undecidable').upper).toBe(bounds('wrong').upper)
    expect(bounds('open').lower).toBe(bounds('not-wrong').lower)
    expect(bounds('not-wrong').upper).toBeLessThan(bounds('open').upper)
  })
})
