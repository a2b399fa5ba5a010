import { describe, expect, test } from 'vitest'
import { calibrate, missingMonitor } from '../../src/index.ts'

const NEVER = { questions: 600, firstMissing: 0 }

describe('the monitor of missing confidences', () => {
  test('raises an alarm within five questions when agents stop stating what they stated in calibration', () => {
    const monitor = missingMonitor({ eta: 0.01, calibrated: NEVER })
    let state = monitor.start
    for (let question = 0; question < 5; question++) state = monitor.observe(state, 1)
    expect(state.alarm).not.toBeNull()
    expect(state.alarm).toBeLessThanOrEqual(5)
  })

  test('never moves while nothing is missing', () => {
    const monitor = missingMonitor({ eta: 0.05, calibrated: NEVER })
    let state = monitor.start
    for (let question = 0; question < 5000; question++) state = monitor.observe(state, 0)
    expect(state).toEqual({ questions: 5000, missing: 0, largestLogCapital: 0, alarm: null })
    expect(monitor.logCapital(state)).toBeLessThan(0)
  })

  test('takes the capital of its definition, written out', () => {
    const monitor = missingMonitor({ eta: 0.05, calibrated: { questions: 200, firstMissing: 10.4 } })
    const shares = [1, 0, 1 / 3, 2 / 3, 0, 1]
    const state = shares.reduce(monitor.observe, monitor.start)
    const exponents = [0.1, 10 ** -0.75, 10 ** -0.5, 10 ** -0.25, 1, 2, 4]
    const sum = shares.reduce((total, share) => total + share, 0)
    const terms = exponents.map((l) => Math.exp(l * sum) / (1 + monitor.limit * (Math.exp(l) - 1)) ** shares.length)
    const mean = terms.reduce((total, term) => total + term, 0) / exponents.length
    expect(Math.exp(monitor.logCapital(state))).toBeCloseTo(mean, 10)
  })

  test('has the exact binomial limit of Bentkus: e times the tail of the sum rounded up is half of eta', () => {
    const { limit } = missingMonitor({ eta: 0.05, calibrated: { questions: 40, firstMissing: 1.5 } })
    let tail = 0
    for (let count = 0, ways = 1; count <= 2; ways *= (40 - count) / (count + 1), count++) {
      tail += ways * limit ** count * (1 - limit) ** (40 - count)
    }
    expect(Math.E * tail).toBeCloseTo(0.025, 9)
    expect(missingMonitor({ eta: 0.05, calibrated: { questions: 0, firstMissing: 0 } }).limit).toBe(1)
  })

  test('continues bit for bit from its JSON and refuses what is no share', () => {
    const monitor = missingMonitor({ eta: 0.05, calibrated: NEVER })
    const state = monitor.observe(monitor.start, 1 / 3)
    expect(monitor.observe(JSON.parse(JSON.stringify(state)), 1)).toEqual(monitor.observe(state, 1))
    for (const share of [-0.1, 1.1, Number.NaN]) expect(() => monitor.observe(state, share)).toThrow('share')
    for (const firstMissing of [-1, 601, Number.NaN]) {
      expect(() => missingMonitor({ eta: 0.05, calibrated: { questions: 600, firstMissing } })).toThrow('firstMissing')
    }
  })
})

test('a certificate keeps how often the first round of its questions lacked a confidence, one run of each', () => {
  const turn = (agent: string, verbal: number | null) => ({
    agent,
    answer: 'A',
    conf: verbal === null ? null : { verbal },
  })
  const debates = Array.from({ length: 60 }, (_, at) => ({
    id: `d${at}`,
    ...(at < 2 ? { question_of: 'same' } : {}),
    options: { A: '', B: '' },
    gold: at % 4 === 0 ? 'B' : 'A',
    rounds: [
      [turn('x', at < 10 ? null : 0.8), turn('y', at === 5 ? null : 0.6)],
      [turn('x', null), turn('y', 0.7)],
    ],
  }))
  const { fingerprint } = calibrate(debates, {
    profile: 'total',
    beliefs: 'stated',
    budget: { beta: 0.3, delta: 0.05, epsilon: 0 },
  })
  // Nine questions (two of the ten rows ask the same) lack one of two, and one of them both.
  expect(fingerprint.turns).toEqual({ answered: 240, missing: 71, questions: 59, firstMissing: 5 })
})
