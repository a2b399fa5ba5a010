import { expect, test } from 'vitest'
import { ALARM_EXPONENTS, logCapital, UPPER_EXPONENTS } from '../../src/monitoring/log-capital.ts'
import { readReference, relativeError } from '../reference/read-reference.ts'

interface Recorded {
  readonly questions: number
  readonly wrong: number
  readonly r: number
  readonly alarm: number
  readonly upper: number
}

const { capitals, exponents } = readReference('monitoring.json')

test('the exponents are those of the reference', () => {
  for (const [at, value] of exponents.alarm.entries()) expect(ALARM_EXPONENTS[at]).toBeCloseTo(value, 14)
  for (const [at, value] of exponents.upper.entries()) expect(UPPER_EXPONENTS[at]).toBeCloseTo(value, 14)
})

test("capital is SciPy's logsumexp of the definition", () => {
  expect(capitals.length).toBe(40)
  for (const { alarm, upper, r, questions, wrong } of capitals as Recorded[]) {
    const counts = { asked: [{ spotCheckRate: 1, questions }], wrong }
    expect(relativeError(logCapital(ALARM_EXPONENTS, counts, r), alarm)).toBeLessThan(1e-10)
    expect(relativeError(logCapital(UPPER_EXPONENTS, counts, r), upper)).toBeLessThan(1e-10)
  }
})

test('by hand: one wrong question multiplies each part by e^l / (1 + r (e^l - 1))', () => {
  const parts = ALARM_EXPONENTS.map((l) => Math.exp(l) / (1 + 0.005 * (Math.exp(l) - 1)))
  const mean = parts.reduce((sum, part) => sum + part, 0) / parts.length
  expect(logCapital(ALARM_EXPONENTS, { asked: [{ spotCheckRate: 0.05, questions: 1 }], wrong: 1 }, 0.1)).toBeCloseTo(
    Math.log(mean),
    13,
  )
})

test('it neither overflows nor vanishes: a thousand wrong of a thousand, none of a billion', () => {
  expect(
    logCapital(ALARM_EXPONENTS, { asked: [{ spotCheckRate: 1, questions: 1000 }], wrong: 1000 }, 1e-9),
  ).toBeGreaterThan(900)
  expect(logCapital(ALARM_EXPONENTS, { asked: [{ spotCheckRate: 1, questions: 1e9 }], wrong: 0 }, 0.1)).toBeLessThan(
    -1e6,
  )
})

test('by hand: questions that were sampled with other probabilities divide by their own factors', () => {
  const asked = [
    { spotCheckRate: 0.05, questions: 3 },
    { spotCheckRate: 0.5, questions: 2 },
  ]
  const parts = ALARM_EXPONENTS.map(
    (l) => Math.exp(2 * l) / ((1 + 0.005 * (Math.exp(l) - 1)) ** 3 * (1 + 0.05 * (Math.exp(l) - 1)) ** 2),
  )
  const mean = parts.reduce((sum, part) => sum + part, 0) / parts.length
  expect(logCapital(ALARM_EXPONENTS, { asked, wrong: 2 }, 0.1)).toBeCloseTo(Math.log(mean), 12)
})
