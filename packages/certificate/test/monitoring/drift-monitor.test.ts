import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conformalRanks, largestCapital } from '../../src/audits/conformal-martingale.ts'
import { CertificateError } from '../../src/certificate-error.ts'
import { type DriftState, driftMonitor } from '../../src/monitoring/drift-monitor.ts'
import { seededRandom } from '../../src/random.ts'
import { readReference, relativeError } from '../reference/read-reference.ts'

interface Recorded {
  readonly reference: readonly number[]
  readonly bins: number
  readonly scores: readonly number[]
  readonly draws: readonly number[]
  readonly capital: readonly number[]
}

const recorded: readonly Recorded[] = readReference('monitoring.json').drift

describe('driftMonitor', () => {
  test.each(recorded)('has the capital of the definition after every arrival, with $bins bins', (expected) => {
    const { observe, start } = driftMonitor({ eta: 0.05, bins: expected.bins })
    let state = start(expected.reference)
    for (const [at, score] of expected.scores.entries()) {
      state = observe(state, score, expected.draws[at]!)
      expect(relativeError(state.capital, expected.capital[at]!)).toBeLessThan(1e-10)
    }
    const first = expected.capital.findIndex((capital) => capital >= 20)
    expect(state.alarm).toBe(first < 0 ? null : first + 1)
    expect(state.arrivals).toBe(122)
  })

  test('without reference rows it is the audit of the same values', () => {
    const random = seededRandom(3)
    const values = Float64Array.from({ length: 400 }, (_, at) => Math.floor((at < 200 ? 20 : 15) * random()) / 20)
    const draws = Array.from({ length: 400 }, random)
    let next = 0
    const audited = largestCapital(conformalRanks(values, () => draws[next++]!))
    const { observe, start } = driftMonitor({ eta: 0.05, bins: 20 })
    const last = values.reduce((state, value, at) => observe(state, value + 1e-9, draws[at]!), start())
    expect(last.largestCapital).toBe(audited)
  })

  test('continues bit for bit from stored JSON, wherever it is cut', () => {
    const { observe, start } = driftMonitor({ eta: 0.05, bins: 8 })
    const unit = fc.double({ min: 0, max: 0.999999, noNaN: true })
    fc.assert(
      fc.property(fc.array(fc.tuple(unit, unit), { maxLength: 60 }), fc.nat(60), (arrivals, cut) => {
        const follow = (from: DriftState, part: typeof arrivals) =>
          part.reduce((state, [score, draw]) => observe(state, score, draw), from)
        const stored: DriftState = JSON.parse(JSON.stringify(follow(start([0.5, 0.7]), arrivals.slice(0, cut))))
        expect(follow(stored, arrivals.slice(cut))).toStrictEqual(follow(start([0.5, 0.7]), arrivals))
      }),
    )
  })

  test('stops betting once the test is settled, and continues to count', () => {
    const { observe, start } = driftMonitor({ eta: 0.05 })
    let state = start(new Array(3000).fill(0.9))
    for (let at = 0; at < 500; at++) state = observe(state, 0.1, 0.5)
    expect(state).toMatchObject({ largestCapital: 1e12, arrivals: 500 })
    expect(state.alarm).toBeLessThan(20)
    expect(Number.isFinite(state.capital)).toBe(true)
  })

  test('refuses scores and draws outside their ranges, and a state of other bins', () => {
    const { observe, start } = driftMonitor({ eta: 0.05 })
    for (const score of [-0.1, 1.1, Number.NaN]) expect(() => observe(start(), score, 0.5)).toThrow(CertificateError)
    for (const draw of [-0.1, 1, Number.NaN]) expect(() => observe(start(), 0.5, draw)).toThrow('draw')
    expect(() => start([0.5, 2])).toThrow('reference[1]')
    expect(() => observe(driftMonitor({ eta: 0.05, bins: 3 }).start(), 0.5, 0.5)).toThrow('state.counts')
    for (const eta of [0, 1, Number.NaN]) expect(() => driftMonitor({ eta })).toThrow('eta')
    for (const bins of [1, 2.5, 1e6]) expect(() => driftMonitor({ eta: 0.05, bins })).toThrow('bins')
  })
})
