import {
  clopperPearsonLower,
  clopperPearsonUpper,
  monitorPower,
  wrongRateLower,
  wrongRateUpper,
} from '@quorate/certificate'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { monitorSchema } from '../../src/contract/monitor.ts'
import { type RiskInput, riskAlarm, riskReport } from '../../src/monitor/risk-report.ts'
import { spotCheckOutcome } from '../../src/monitor/spot-check-outcome.ts'
import { ARRIVED, type Kind, LABEL, sampled } from './sampled.ts'

const SETTINGS = { beta: 0.1, spotCheckRate: 0.05, eta: 0.05 }
const POWER = monitorPower(SETTINGS)
const BAND = { eta: SETTINGS.eta / 2 }
const at = (now: number) => ({ now, undoMs: 0 })

function reportOf(kinds: readonly Kind[], input: Partial<RiskInput> = {}) {
  const { since = 0 } = input
  const spotChecks = kinds.map((kind, at) => sampled(since + 20 * (at + 1), kind))
  return riskReport({ ...inputOf(since), spotChecks, arrivals: since + 20 * kinds.length, ...input }, POWER)
}

function inputOf(since: number): RiskInput {
  const rates = [{ from: since + 1, spotCheckRate: SETTINGS.spotCheckRate }]
  return { ...SETTINGS, spotChecks: [], rates, since, arrivals: since, now: ARRIVED, undoMs: 0, frozenAt: null }
}

describe('the outcome of a spot check', () => {
  test.each<[Kind, string]>([
    ['wrong', 'wrong'],
    ['right', 'not-wrong'],
    ['deferred', 'not-wrong'],
    ['cannot-tell', 'wrong'],
    ['bad-question', 'wrong'],
    ['unlabelled', 'open'],
    ['undecided', 'open'],
  ])('%s is %s', (kind, outcome) => {
    expect(spotCheckOutcome(sampled(1, kind), at(ARRIVED))).toBe(outcome)
  })

  test('a deferral is never wrong, whatever its label', () => {
    const label = { ...LABEL, gold: 'B', verdict: 'option' } as const
    expect(spotCheckOutcome({ ...sampled(1, 'deferred'), label }, at(ARRIVED))).toBe('not-wrong')
  })

  test('is abandoned a day after its last round without a decision, and counts again once decided', () => {
    const spotCheck = sampled(1, 'undecided')
    const day = 86_400_000
    expect(spotCheckOutcome(spotCheck, at(ARRIVED + day - 1))).toBe('open')
    expect(spotCheckOutcome(spotCheck, at(ARRIVED + day))).toBe('abandoned')
    const goesOn = { ...spotCheck, debatedAt: ARRIVED + day }
    expect(spotCheckOutcome(goesOn, at(ARRIVED + 2 * day - 1))).toBe('open')
    expect(spotCheckOutcome(goesOn, at(ARRIVED + 2 * day))).toBe('abandoned')
    expect(spotCheckOutcome({ ...sampled(1, 'right'), debatedAt: ARRIVED }, at(ARRIVED + 3 * day))).toBe('not-wrong')
    expect(spotCheckOutcome(sampled(1, 'unlabelled'), at(ARRIVED + 3 * day))).toBe('open')
  })

  test('is abandoned at once if its text was erased before it was asked', () => {
    expect(spotCheckOutcome({ ...sampled(1, 'undecided'), status: 'error' }, at(ARRIVED))).toBe('abandoned')
  })
})

describe('the report', () => {
  test('has the rate of the spot checks before the oldest open one, with both kinds of bounds', () => {
    const { spotChecks } = reportOf(['right', 'wrong', 'deferred', 'cannot-tell', 'unlabelled', 'wrong', 'right'])
    expect(spotChecks).toMatchObject({ sampled: 7, labelled: 5, abandoned: 0, settled: 99 })
    expect(spotChecks.wrong).toEqual({
      count: 2,
      of: 4,
      share: 0.5,
      lower: clopperPearsonLower(2, 4, 0.025),
      upper: clopperPearsonUpper(2, 4, 0.025),
    })
    expect(spotChecks.uniform).toEqual({
      rate: 0.5,
      lower: wrongRateLower([{ spotCheckRate: 0.05, questions: 99, wrong: 2 }], BAND),
      upper: wrongRateUpper([{ spotCheckRate: 0.05, questions: 99, wrong: 2 }], BAND),
      level: 0.95,
    })
  })

  test('has the rate if every open spot check is wrong, and how long the oldest has waited', () => {
    const kinds: Kind[] = ['unlabelled', 'wrong', 'right', 'cannot-tell', 'undecided', 'right', 'deferred', 'right']
    const { spotChecks } = reportOf(kinds)
    expect(spotChecks.wrong).toBeNull()
    expect(spotChecks.openSpotChecks).toEqual({ count: 2, oldestAt: ARRIVED })
    expect(spotChecks.upperWithOpen).toEqual({
      count: 4,
      of: 8,
      share: 0.5,
      lower: clopperPearsonLower(2, 8, 0.025),
      upper: clopperPearsonUpper(4, 8, 0.025),
    })
    expect(reportOf(['right']).spotChecks).toMatchObject({ openSpotChecks: { count: 0, oldestAt: null } })
  })

  test('is not too low because of late labels once open spot checks are included', () => {
    // A tenth is wrong, and none of these is labelled.
    const kinds = Array.from({ length: 100 }, (_, at): Kind => (at % 10 === 9 ? 'unlabelled' : 'right'))
    const { spotChecks } = reportOf(kinds)
    expect(spotChecks.wrong).toMatchObject({ count: 0, of: 9 })
    expect(spotChecks.upperWithOpen?.share).toBe(0.1)
  })

  test('counts each question with the probability that it was sampled with', () => {
    const rates = [
      { from: 1, spotCheckRate: 0.05 },
      { from: 41, spotCheckRate: 0.5 },
      { from: 61, spotCheckRate: 0.05 },
    ]
    const { spotChecks, alarm } = reportOf(['right', 'wrong', 'wrong', 'right'], { rates })
    const stretches = [
      { spotCheckRate: 0.05, questions: 60, wrong: 1 },
      { spotCheckRate: 0.5, questions: 20, wrong: 1 },
    ]
    expect(spotChecks.uniform?.lower).toBeCloseTo(wrongRateLower(stretches, BAND), 12)
    expect(spotChecks.uniform?.upper).toBeCloseTo(wrongRateUpper(stretches, BAND), 12)
    expect(spotChecks.uniform?.level).toBeCloseTo(0.925, 12)
    // Among 60 questions a third of the spot checks is wrong, and among 20 the only one.
    expect(spotChecks.uniform?.rate).toBeCloseTo((60 / 3 + 20) / 80, 12)
    expect(alarm.counted).toBe(80)
    expect(alarm.wealth).toBeLessThan(reportOf(['right', 'wrong', 'wrong', 'right']).alarm.wealth)
  })

  test('counts a label of a review once that can no longer be undone, and an imported one at once', () => {
    const undoMs = 10_000
    const before = { now: ARRIVED + undoMs - 1, undoMs }
    const kinds: Kind[] = ['right', 'wrong', 'cannot-tell', 'deferred']
    const early = reportOf(kinds, before)
    expect(early).toEqual({
      ...reportOf(['unlabelled', 'unlabelled', 'unlabelled', 'deferred']),
      alarm: early.alarm,
    })
    expect(early.spotChecks).toMatchObject({ labelled: 0, wrong: null, openSpotChecks: { count: 3 } })
    expect(early.alarm.wealth).toBe(1)
    expect(reportOf(kinds, { ...before, now: ARRIVED + undoMs })).toEqual(reportOf(kinds))
    const imported = {
      ...sampled(1, 'wrong'),
      label: { ...LABEL, source: 'import', gold: 'B', verdict: 'option' },
    } as const
    expect(spotCheckOutcome(imported, before)).toBe('wrong')
  })

  test('has the same alarm for a certificate that is not active', () => {
    const kinds: Kind[] = ['unlabelled', ...new Array<Kind>(12).fill('wrong'), 'right']
    const spotChecks = kinds.map((kind, index) => sampled(20 * (index + 1), kind))
    const input = { ...inputOf(0), spotChecks, arrivals: 300 }
    expect(riskReport(input, POWER).alarm).toMatchObject(riskAlarm(input))
    expect(riskAlarm(input).isAlarm).toBe(true)
  })

  test('prints bounds that hold together with the printed level: half of eta each', () => {
    const { uniform } = reportOf(new Array<Kind>(80).fill('right').fill('wrong', 40, 48)).spotChecks
    const counts = [{ spotCheckRate: 0.05, questions: 1600, wrong: 8 }]
    expect(uniform).toEqual({
      rate: 0.1,
      level: 0.95,
      lower: wrongRateLower(counts, { eta: 0.025 }),
      upper: wrongRateUpper(counts, { eta: 0.025 }),
    })
  })

  test('skips questions that a suspension deferred: neither they nor their spot checks count', () => {
    const kinds: Kind[] = ['right', 'wrong', 'deferred', 'deferred', 'right']
    const rates = [
      { from: 1, spotCheckRate: 0.05 },
      { from: 41, spotCheckRate: 0 },
      { from: 81, spotCheckRate: 0.05 },
    ]
    const { spotChecks, alarm } = reportOf(kinds, { rates })
    expect(spotChecks).toMatchObject({ sampled: 3, settled: 60, wrong: { count: 1, of: 3 } })
    expect(alarm.counted).toBe(60)
    expect(spotChecks.uniform).toEqual(reportOf(['right', 'wrong', 'right']).spotChecks.uniform)
  })

  test('counts questions that came after the last spot check', () => {
    const { spotChecks, alarm } = reportOf(['right', 'wrong'], { arrivals: 5000 })
    expect(spotChecks.settled).toBe(5000)
    expect(alarm.counted).toBe(5000)
    expect(spotChecks.uniform?.upper).toBeLessThan(0.05)
  })

  test('knows nothing before the first question, and no rate before the first spot check', () => {
    expect(reportOf([]).spotChecks).toMatchObject({ sampled: 0, wrong: null, uniform: null, history: [] })
    expect(reportOf([], { arrivals: 10 }).spotChecks).toMatchObject({
      wrong: null,
      uniform: { rate: null, lower: 0, upper: 1 },
    })
  })

  test('restarts after a release: what came before does not count', () => {
    const fresh = reportOf(['wrong', 'right'])
    const restarted = reportOf(['wrong', 'right'], { since: 9000 })
    expect(restarted).toEqual(fresh)
  })

  test('raises the alarm at the spot check that reached the threshold, and keeps it', () => {
    const { alarm } = reportOf([...new Array<Kind>(12).fill('wrong'), ...new Array<Kind>(400).fill('right')])
    expect(alarm.isAlarm).toBe(true)
    expect(alarm.at).toEqual({ arrival: 120, sampled: 6 })
    expect(alarm.wealth).toBeGreaterThan(alarm.alarmAt)
    expect(alarm.now).toBeLessThan(1)
  })

  test('raises the alarm even if one label never arrives', () => {
    const kinds: Kind[] = ['unlabelled', ...new Array<Kind>(12).fill('wrong')]
    const { alarm, spotChecks } = reportOf(kinds)
    expect(spotChecks).toMatchObject({ settled: 19, wrong: null })
    expect(alarm.isAlarm).toBe(true)
  })

  test('raises no alarm for unknown outcomes', () => {
    for (const kind of ['unlabelled', 'undecided'] as const) {
      expect(reportOf(new Array<Kind>(60).fill(kind)).alarm).toMatchObject({ isAlarm: false, wealth: 1 })
    }
  })

  test('raises the same alarm for actions that nobody could judge as for wrong ones, as calibration counts them', () => {
    const { alarm } = reportOf(new Array<Kind>(12).fill('wrong'))
    expect(alarm.isAlarm).toBe(true)
    for (const kind of ['cannot-tell', 'bad-question'] as const) {
      expect(reportOf(new Array<Kind>(12).fill(kind)).alarm).toEqual(alarm)
    }
  })

  test('has an alarm exactly if wealth has reached the threshold, whatever the order of labels', () => {
    const kind = fc.constantFrom<Kind>('wrong', 'wrong', 'right', 'deferred', 'cannot-tell', 'unlabelled')
    fc.assert(
      fc.property(fc.array(kind, { maxLength: 60 }), fc.nat(59), (kinds, at) => {
        const { alarm } = reportOf(kinds)
        expect(alarm.isAlarm).toBe(alarm.wealth >= alarm.alarmAt)
        // One more label can only help the alarm.
        if (kinds[at] === 'unlabelled') {
          const later = reportOf(kinds.with(at, 'wrong')).alarm
          expect(later.wealth).toBeGreaterThanOrEqual(alarm.wealth)
        }
      }),
    )
  })

  test('has a history of at most a hundred points that ends at the last settled spot check', () => {
    const { spotChecks } = reportOf(Array.from({ length: 1234 }, (_, at): Kind => (at % 9 === 0 ? 'wrong' : 'right')))
    expect(spotChecks.history.length).toBeGreaterThan(50)
    expect(spotChecks.history.length).toBeLessThanOrEqual(100)
    expect(spotChecks.history.at(-1)).toMatchObject({ sampled: 1234, rate: spotChecks.wrong?.share })
    for (const { rate, lower, upper } of spotChecks.history) {
      expect(lower).toBeLessThanOrEqual(rate)
      expect(upper).toBeGreaterThanOrEqual(rate)
    }
  })

  test('fits the contract', () => {
    const { spotChecks, alarm } = reportOf(['right', 'wrong', 'unlabelled'])
    const parts = monitorSchema.pick({ spotChecks: true, alarm: true })
    expect(parts.parse({ spotChecks, alarm })).toMatchObject({ spotChecks: { sampled: 3 }, alarm: { eta: 0.05 } })
    const off = reportOf([], { spotCheckRate: 0, arrivals: 50 })
    expect(() => parts.parse(off)).not.toThrow()
  })

  test.each([
    ['out of order', [sampled(20, 'right'), sampled(10, 'right')]],
    ['twice the same', [sampled(20, 'right'), sampled(20, 'right')]],
    ['of before the start', [sampled(5, 'right')]],
    ['of after the last arrival', [sampled(500, 'right')]],
    ['not numbered', [sampled(Number.NaN, 'right')]],
  ])('refuses spot checks %s', (_, spotChecks) => {
    expect(() => riskReport({ ...inputOf(5), spotChecks, arrivals: 100 })).toThrow('riskReport: spotChecks')
  })
})

describe('the power of the alarm', () => {
  test('is computed unless given', () => {
    const input = inputOf(0)
    expect(riskReport(input)).toEqual(riskReport(input, POWER))
  })

  test('has the median number of questions until an alarm, and the probability of a false one', () => {
    const { power, falseAlarm, horizon } = reportOf([]).alarm
    const delays = power.map(({ rate, medianDelay }) => [Number(rate.toPrecision(3)), medianDelay])
    expect(delays).toEqual([
      [0.15, 5642],
      [0.2, 1667],
      [0.3, 598],
    ])
    expect(falseAlarm).toBeCloseTo(0.027, 3)
    expect(horizon).toBe(20_000)
  })

  test('has no horizon when no question is sampled', () => {
    expect(reportOf([], { spotCheckRate: 0 }).alarm.horizon).toBeNull()
  })
})
