import { describe, expect, test } from 'vitest'
import { driftMonitor } from '../../src/monitoring/drift-monitor.ts'
import { firstRoundScores } from '../../src/monitoring/first-round-scores.ts'
import { seededRandom } from '../../src/random.ts'
import { CERTIFICATES, FRESH } from '../certificate/saved-certificates.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'

const { 'from states': fromStates, ...others } = CERTIFICATES

describe.each(Object.entries(others))('%s', (_, certificate) => {
  const { reference, scoreOf } = firstRoundScores(certificate)

  test('has one reference score for each neighbour row, in [0, 1]', () => {
    expect(reference.length).toBe(certificate.split.neighbours.length)
    expect(reference.every((score) => score >= 0 && score <= 1)).toBe(true)
    expect(new Set(reference).size).toBeGreaterThan(1)
  })

  test('scores new debates on the same scale, whatever their later rounds', () => {
    for (const debate of FRESH) {
      const score = scoreOf(debate)
      expect(score === null || (score >= 0 && score <= 1)).toBe(true)
      expect(scoreOf({ ...debate, rounds: debate.rounds.slice(0, 1) })).toBe(score)
    }
    expect(FRESH.some((debate) => scoreOf(debate) !== null)).toBe(true)
  })

  test('has no score for a debate of another panel', () => {
    const [other] = simulatedDebates({ count: 1, seed: 3, agents: ['someone', 'else'] })
    expect(scoreOf(other!)).toBeNull()
  })
})

test('a debate of a calibration row has the score that the reference has for it', () => {
  const certificate = CERTIFICATES['path cells']
  const debates = simulatedDebates({
    count: 820,
    seed: 21,
    agents: ['__proto__', 'constructor', 'x'],
    options: ['__proto__', 'constructor', 'x'],
    groups: ['__proto__', 'law', null],
  })
  const { reference, scoreOf } = firstRoundScores(certificate)
  for (const [at, row] of certificate.split.neighbours.slice(0, 50).entries()) {
    expect(scoreOf(debates[row]!)).toBeCloseTo(reference[at]!, 10)
  }
})

test('new debates from the same population raise no alarm; harder ones do, and so do missing confidences', () => {
  const certificate = CERTIFICATES['path cells']
  const { reference, scoreOf } = firstRoundScores(certificate)
  const monitor = driftMonitor({ eta: 0.05 })
  const names = ['__proto__', 'constructor', 'x']
  const alike = simulatedDebates({ count: 600, seed: 77, agents: names, options: names, groups: ['law', null] })
  // Half of the debates lose their agreement.
  const harder = alike.map((debate, at) =>
    at % 2 === 0
      ? debate
      : {
          ...debate,
          rounds: debate.rounds.map((turns) => turns.map((turn, who) => ({ ...turn, answer: names[who]! }))),
        },
  )
  const follow = (debates: typeof alike) => {
    const random = seededRandom(5)
    return debates.reduce(
      (state, debate) => monitor.observe(state, scoreOf(debate)!, random()),
      monitor.start(reference),
    )
  }
  // In a third of the debates no agent states a confidence any more.
  const unsaid = alike.map((debate, at) =>
    at % 3 === 0
      ? { ...debate, rounds: debate.rounds.map((turns) => turns.map(({ agent, answer }) => ({ agent, answer }))) }
      : debate,
  )
  expect(follow(alike).alarm).toBeNull()
  expect(follow(unsaid).alarm).toBeLessThan(300)
  expect(follow(harder).alarm).toBeLessThan(300)
})

test('a certificate that was fitted from states reads no debates', () => {
  expect(() => firstRoundScores(fromStates)).toThrow('calibrate()')
})
