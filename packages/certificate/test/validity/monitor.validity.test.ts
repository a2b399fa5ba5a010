import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { clopperPearsonLower, clopperPearsonUpper } from '../../src/concentration/clopper-pearson.ts'
import { ALARM_EXPONENTS, logCapital, questionsOf, UPPER_EXPONENTS } from '../../src/monitoring/log-capital.ts'
import { monitorPower } from '../../src/monitoring/monitor-power.ts'
import { missOf, wrongRateLower, wrongRateUpper } from '../../src/monitoring/rate-bounds.ts'
import { type RiskState, riskMonitor } from '../../src/monitoring/risk-monitor.ts'
import { type Random, seededRandom } from '../../src/random.ts'
import { allowed, inWords, streamRate } from './failure-rate.ts'

/** A setting whose figures are known from an independent simulation. */
const SETTINGS = { beta: 0.1, spotCheckRate: 0.05, eta: 0.05 }
const HORIZON = 20_000
const STREAMS = sized({ short: 300, full: 4000 })
/** A median is compared with a known number, so its error must be small. */
const DELAYS = 4000

/** True wrong-action rate of each question, given how many were sampled, acted on and wrong before it. */
type Rate = (question: number, wrong: number) => number

const WITHIN_BUDGET: Readonly<Record<string, Rate>> = {
  'exactly beta': () => 0.1,
  'half of beta': () => 0.05,
  'none, then twice beta for as long': (question) => (question % 4000 < 2000 ? 0 : 0.2),
  'wholly wrong every tenth question': (question) => (question % 10 === 9 ? 1 : 0),
  'beta until something wrong was seen often, then none': (_, wrong) => (wrong < 12 ? 0.1 : 0),
}

describe('the risk monitor', () => {
  test.each(Object.entries(WITHIN_BUDGET))('alarms at most eta of the time at a rate of %s', (_, rate) => {
    const found = streamRate(sized({ short: 400, full: 1000 }), 17, (random) => alarmAt(rate, 10_000, random) !== null)
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(SETTINGS.eta, found))
  })

  test("raises false alarms as often as an independent simulation and monitorPower: about .024, never more than eta's .05", () => {
    const { falseAlarm, horizon } = monitorPower(SETTINGS)
    expect(horizon).toBe(HORIZON)
    const found = streamRate(STREAMS, 23, (random) => steadyAlarm(0.1, HORIZON, random) !== null)
    expect(Math.abs(found.rate - falseAlarm), inWords(found)).toBeLessThan(4 * found.sigma)
    // Neither the grid nor the horizon of that simulation is known.
    expect(Math.abs(found.rate - 0.024), inWords(found)).toBeLessThan(4 * found.sigma)
  })

  test.each([
    [0.15, 5775],
    [0.2, 1624],
    [0.3, 610],
  ])('at a true rate of %d has the median delay of an independent simulation, %d, within 5 %', (rate, printed) => {
    const random = seededRandom(31)
    const delays = Array.from({ length: DELAYS }, () => steadyAlarm(rate, 100_000, random) ?? 100_000)
    const median = delays.sort((a, b) => a - b)[DELAYS / 2]!
    expect(Math.abs(median / printed - 1)).toBeLessThan(0.05)
    const line = monitorPower(SETTINGS).delays.find((delay) => Math.abs(delay.rate - rate) < 1e-9)
    expect(Math.abs(median / line!.median! - 1)).toBeLessThan(0.05)
  })

  test('alarms at most eta of the time where questions are sampled with different probabilities', () => {
    const found = streamRate(sized({ short: 400, full: 1000 }), 41, (random) =>
      mixedAlarm(random, (spotCheckRate) => spotCheckRate),
    )
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(SETTINGS.eta, found))
    expect(found.rate, 'not so careful that it says nothing').toBeGreaterThan(0)
  })

  test.each([0.02, 0.1, 0.4])('its upper bound is ever below a rate of %d at most eta of the time', (rate) => {
    const found = streamRate(sized({ short: 120, full: 400 }), 5, (random) => {
      // The bound falls until the next wrong one: just before it is the worst moment.
      return wrongQuestions(rate, 2000 / rate, random).some(
        (question, wrong) => wrongRateUpper([{ ...unsampled(question - 1), wrong }], SETTINGS) < rate,
      )
    })
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(SETTINGS.eta, found))
    expect(found.rate, 'not so careful that it says nothing').toBeGreaterThan(0)
  })
})

/** p changes together with the rate, as when people check more if something is wrong, or less if all is well. */
const CHANGED = {
  'looked at closer when it got worse': [
    { spotCheckRate: 0.05, rate: 0.02, questions: 20_000 },
    { spotCheckRate: 0.5, rate: 0.25, questions: 1500 },
  ],
  'looked at less when it got worse': [
    { spotCheckRate: 0.5, rate: 0.02, questions: 3000 },
    { spotCheckRate: 0.02, rate: 0.3, questions: 6000 },
  ],
}

describe.each(Object.entries(CHANGED))('bounds of a stream that was %s', (_, stretches) => {
  const questions = stretches.reduce((sum, stretch) => sum + stretch.questions, 0)
  const truth = stretches.reduce((sum, { rate, questions: asked }) => sum + (rate * asked) / questions, 0)
  const seen = (random: Random) =>
    stretches.map(({ spotCheckRate, rate, questions: asked }) => {
      let wrong = 0
      for (let question = 0; question < asked; question++) if (random() < spotCheckRate * rate) wrong++
      return { spotCheckRate, questions: asked, wrong }
    })

  test('hold the average over questions at the end', () => {
    const found = streamRate(200, 51, (random) => {
      const counts = seen(random)
      return wrongRateLower(counts, SETTINGS) > truth || wrongRateUpper(counts, SETTINGS) < truth
    })
    const miss = 2 * missOf(stretches, SETTINGS)
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(miss, found))
  })

  test('must fail if one rate is taken for all of them', () => {
    const found = streamRate(200, 52, (random) => {
      const asked = seen(random)
      const wrong = asked.reduce((sum, stretch) => sum + stretch.wrong, 0)
      // The least and the greatest rate that pooled capital does not exclude.
      const isExcluded = (exponents: typeof ALARM_EXPONENTS) =>
        logCapital(exponents, { asked, wrong }, truth) >= -Math.log(SETTINGS.eta)
      return isExcluded(ALARM_EXPONENTS) || isExcluded(UPPER_EXPONENTS)
    })
    expect(found.rate, inWords(found)).toBeGreaterThan(allowed(2 * SETTINGS.eta, found))
  })
})

describe('companions that must fail', () => {
  test('one probability for questions that were sampled with others', () => {
    const found = streamRate(300, 42, (random) => mixedAlarm(random, () => SETTINGS.spotCheckRate))
    expect(found.rate, inWords(found)).toBeGreaterThan(allowed(SETTINGS.eta, found))
  })

  test('a test for one moment, checked after every draw', () => {
    const found = streamRate(sized({ short: 250, full: 1000 }), 7, (random) =>
      sampledOf(0.1, 1000, random).some(
        ({ wrong, sampled }) => clopperPearsonLower(wrong, sampled, SETTINGS.eta) > 0.1,
      ),
    )
    expect(found.rate, inWords(found)).toBeGreaterThan(allowed(SETTINGS.eta, found))
  })

  test('an upper bound for one moment, checked after every draw', () => {
    const found = streamRate(sized({ short: 250, full: 1000 }), 8, (random) =>
      sampledOf(0.1, 1000, random).some(
        ({ wrong, sampled }) => clopperPearsonUpper(wrong, sampled, SETTINGS.eta) < 0.1,
      ),
    )
    expect(found.rate, inWords(found)).toBeGreaterThan(allowed(SETTINGS.eta, found))
  })

  test('counting only what is labelled, when reviewers say "wrong" sooner than "right"', () => {
    const monitor = riskMonitor(SETTINGS)
    const found = streamRate(500, 9, (random) => {
      let state: RiskState = monitor.start
      // Only half of the right ones have a label. The others are left out completely.
      for (let draw = 0; draw < 1000 && state.alarm === null; draw++) {
        if (random() < 0.1) state = monitor.observe(state, 'wrong', 1)
        else if (random() < 0.5) state = monitor.observe(state, 'not-wrong', 1)
      }
      return state.alarm !== null
    })
    expect(found.rate, inWords(found)).toBeGreaterThan(allowed(SETTINGS.eta, found))
  })
})

function unsampled(questions: number) {
  return { spotCheckRate: SETTINGS.spotCheckRate, questions }
}

/** Questions of two streams, one sampled forty times as often, at a rate of exactly beta; `rateOf` is what is told. */
function mixedAlarm(random: Random, rateOf: (spotCheckRate: number) => number): boolean {
  const monitor = riskMonitor(SETTINGS)
  let state = monitor.start
  for (let question = 0; question < 3000 && state.alarm === null; question++) {
    const spotCheckRate = question % 2 === 0 ? 0.01 : 0.4
    const isWrong = random() < spotCheckRate && random() < SETTINGS.beta
    const reported = rateOf(spotCheckRate)
    state = isWrong
      ? monitor.observe(state, 'wrong', reported)
      : monitor.pass(state, { spotCheckRate: reported, questions: 1 })
  }
  return state.alarm !== null
}

/** Question by question: the draw of the spot check, then whether it was acted on and wrong. */
function alarmAt(rate: Rate, questions: number, random: Random): number | null {
  const monitor = riskMonitor(SETTINGS)
  let state = monitor.start
  // Only a wrong question can raise the alarm, so those before it are passed together.
  let passed = 0
  for (let question = 0; question < questions && state.alarm === null; question++) {
    const isWrong = random() < SETTINGS.spotCheckRate && random() < rate(question, state.wrong)
    if (!isWrong) passed++
    else {
      state = monitor.observe(monitor.pass(state, unsampled(passed)), 'wrong', SETTINGS.spotCheckRate)
      passed = 0
    }
  }
  return state.alarm?.questions ?? null
}

function steadyAlarm(rate: number, questions: number, random: Random): number | null {
  const monitor = riskMonitor(SETTINGS)
  let state = monitor.start
  for (let next = gap(rate, random); questionsOf(state) + next <= questions; next = gap(rate, random)) {
    state = monitor.observe(monitor.pass(state, unsampled(next - 1)), 'wrong', SETTINGS.spotCheckRate)
    if (state.alarm) return state.alarm.questions
  }
  return null
}

/** Numbers from 1 of the questions that were sampled, acted on and wrong. */
function wrongQuestions(rate: number, questions: number, random: Random): number[] {
  const found: number[] = []
  for (let at = gap(rate, random); at <= questions; at += gap(rate, random)) found.push(at)
  return found
}

/** Questions until the next one that is sampled, acted on and wrong: geometric. */
function gap(rate: number, random: Random): number {
  return 1 + Math.floor(Math.log1p(-random()) / Math.log1p(-rate * SETTINGS.spotCheckRate))
}

function sampledOf(rate: number, count: number, random: Random): { wrong: number; sampled: number }[] {
  let wrong = 0
  return Array.from({ length: count }, (_, at) => {
    if (random() < rate) wrong++
    return { wrong, sampled: at + 1 }
  })
}
