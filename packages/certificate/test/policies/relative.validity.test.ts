import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { type Certificate, calibrate } from '../../src/certificate/calibrate.ts'
import { type ReadDebate, type ReadDebates, readDebates } from '../../src/certificate/read-debates.ts'
import { calibrateRelative } from '../../src/policies/calibrate-relative.ts'
import { seededRandom } from '../../src/random.ts'
import { allowed, failureRate, inWords } from '../validity/failure-rate.ts'
import { smallWorld } from './small-world.ts'
import { spokenDebate } from './spoken-debates.ts'

const WORLD = smallWorld(1, 24)
const DELTA = 0.05
const BUDGET = { beta: 0.5, delta: DELTA, epsilon: 0, total: { delta: DELTA, floor: 'none' as const } }
const SETS = sized({ short: 80, full: 1500 })

/** The world draws the same debates again and again, but a calibration set has its own names. */
function labelled(count: number, random: () => number): ReadDebates {
  return readDebates(
    WORLD.draw(count, random).debates.map((debate, at) =>
      spokenDebate(`q${at}`, 'A', [answerOf(debate), beliefOf(debate)]),
    ),
  )
}

const answerOf = ({ rounds }: ReadDebate) => (rounds[0]!.prediction === 0 ? 'A' : 'B')
const beliefOf = ({ rounds }: ReadDebate) => rounds[0]!.p1

function riskOf(certificate: Certificate): number {
  return WORLD.wrongActions({
    delta: null,
    epsilon: null,
    threshold: null,
    actsAt: (debate) => actsOn(certificate, debate),
  })
}

const rateOf = (failures: readonly number[]) =>
  failureRate(
    failures,
    failures.map(() => 1),
  )

function actsOn(certificate: Certificate, debate: ReadDebate): boolean {
  const assessed = certificate.assess(debate, 1)
  return assessed.kind === 'step' && assessed.step.lower !== null && assessed.step.lower >= assessed.step.threshold
}

describe('total with a beta that its pilot selects', () => {
  test('exceeds the selected beta for at most delta of the calibration sets', () => {
    const random = seededRandom(5)
    const found = Array.from({ length: SETS }, () => {
      const made = calibrateRelative(labelled(200, random), 0.5, { profile: 'total', budget: BUDGET })
      if (made.kind === 'defer') throw new Error('a given multiple defers nothing')
      return { risk: riskOf(made.certificate), beta: made.certificate.budget.beta }
    })
    const rate = rateOf(found.map(({ risk, beta }) => Number(risk > beta)))
    expect(rate.rate, inWords(rate)).toBeLessThanOrEqual(allowed(DELTA, rate))
    // Acting on nothing would be no proof of validity.
    expect(found.filter(({ risk }) => risk > 0).length).toBeGreaterThan(0.3 * SETS)
  })

  test('companion: a beta that is read off the counted labels is exceeded more often', () => {
    const random = seededRandom(5)
    const found = Array.from({ length: SETS }, () => {
      const { debates, reading } = labelled(200, random)
      const certificate = calibrate({ debates, reading }, { profile: 'total', budget: { ...BUDGET, beta: 0.2 } })
      const counted = certificate.split.neighbours.map((row) => debates[row]!)
      const wrong = counted.filter((debate) => actsOn(certificate, debate) && answerOf(debate) !== 'A').length
      return Number(riskOf(certificate) > wrong / counted.length)
    })
    const rate = rateOf(found)
    expect(rate.rate, inWords(rate)).toBeGreaterThan(allowed(DELTA, rate))
  })
})

describe('cells and paper with a beta that all labels select', () => {
  const PROFILES = [
    { profile: 'cells', choice: 0.6 },
    { profile: 'cells', choice: 'selected' },
    { profile: 'paper', choice: 0.9 },
    { profile: 'paper', choice: 'selected' },
  ] as const

  test.each(PROFILES)(
    '$profile, $choice: wrong actions are at most the mean of the selected betas',
    ({ profile, choice }) => {
      const random = seededRandom(9)
      const budget = { beta: 0.99, delta: 0.03, epsilon: 0 }
      // No epsilon is needed, since one round has no history. The paper's envelope is true in a world that rises with
      // belief.
      const local = profile === 'paper' ? { kFamily: [40, 80] } : {}
      const excess = Array.from({ length: sized({ short: 50, full: 600 }) }, () => {
        const made = calibrateRelative(labelled(300, random), choice, { profile, budget, ...local })
        return made.kind === 'defer' ? 0 : riskOf(made.certificate) - made.certificate.budget.beta
      })
      const rate = rateOf(excess)
      expect(rate.rate, inWords(rate)).toBeLessThanOrEqual(4 * rate.sigma)
    },
  )

  test('companion: the smallest training rate at which a rule acts is exceeded on average', () => {
    const random = seededRandom(9)
    const excess = Array.from({ length: 400 }, () => {
      const { debates } = labelled(60, random)
      // Acts above the belief whose training rate of wrong actions per action is smallest.
      let best = { rate: 1, from: 1, wrong: 0 }
      for (let from = 0.5; from < 0.97; from += 0.02) {
        const acted = debates.filter((debate) => beliefOf(debate) >= from)
        const wrong = acted.filter((debate) => answerOf(debate) !== 'A').length
        if (acted.length >= 5 && wrong / acted.length < best.rate) best = { rate: wrong / acted.length, from, wrong }
      }
      const risk = WORLD.wrongActions({
        delta: null,
        epsilon: null,
        threshold: null,
        actsAt: (debate) => beliefOf(debate) >= best.from,
      })
      return risk - best.wrong / debates.length
    })
    const rate = rateOf(excess)
    expect(rate.rate, inWords(rate)).toBeGreaterThan(4 * rate.sigma)
  })
})
