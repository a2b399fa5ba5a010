import {
  clopperPearsonLower,
  clopperPearsonUpper,
  type Random,
  seededRandom,
  wrongRateLower,
  wrongRateUpper,
} from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { classSchema } from '../../src/contract/monitor.ts'
import { type ClassedSpotCheck, classReport, type PromisedClass } from '../../src/monitor/class-report.ts'
import { classReason } from '../../src/monitor/suspension-due.ts'
import { ARRIVED, type Kind, sampled } from './sampled.ts'

const SURE: PromisedClass = { name: 'round 1, unanimous', floor: 0.8, kinds: new Set([1, 5]), group: null }
const SPLIT: PromisedClass = { name: 'round 2, split', floor: 0.8, kinds: new Set([9]), group: null }
const CLASSES = [SURE, SPLIT]
const TIMES = { eta: 0.05, now: ARRIVED, undoMs: 0 }

function spotCheck(arrival: number, kind: Kind, debateKind = 1, group: string | null = null): ClassedSpotCheck {
  const { decision, ...about } = sampled(arrival, kind)
  return { ...about, decision: decision && { ...decision, debateKind, group } }
}

function reportOf(spotChecks: readonly ClassedSpotCheck[], classes = CLASSES) {
  return classReport({ ...TIMES, classes, spotChecks })
}

describe('the floor monitor', () => {
  test('has no figures for a class without a spot check, instead of 0', () => {
    const [sure, split] = reportOf([spotCheck(1, 'right'), spotCheck(2, 'deferred', 9)])
    expect(split).toMatchObject({ sampled: 0, labelled: 0, right: null, uniform: null, at: null })
    expect(split?.alarm).toMatchObject({ wealth: 1, counted: 0, isAlarm: false })
    expect(sure).toMatchObject({ sampled: 1, right: { count: 1, of: 1, share: 1 } })
    expect(reportOf([], [])).toEqual([])
  })

  test('counts what was acted on in a class, and takes the intervals of its definition', () => {
    const kinds: Kind[] = ['right', 'wrong', 'right', 'cannot-tell', 'right', 'right', 'deferred']
    const spotChecks = kinds.map((kind, at) => spotCheck(20 * at + 1, kind, at % 2 === 0 ? 1 : 5))
    const [sure] = reportOf([...spotChecks, spotCheck(500, 'wrong', 9), spotCheck(501, 'wrong', 2)])
    expect(sure).toMatchObject({ sampled: 6, labelled: 6, right: { count: 4, of: 6, share: 4 / 6 } })
    // One is wrong, and one that nobody could judge counts as wrong.
    expect(sure?.right?.lower).toBe(1 - clopperPearsonUpper(2, 6, 0.025))
    expect(sure?.right?.upper).toBe(1 - clopperPearsonLower(2, 6, 0.025))
    const stretch = { spotCheckRate: 1, questions: 6 }
    expect(sure?.uniform).toEqual({
      lower: 1 - wrongRateUpper([{ ...stretch, wrong: 2 }], { eta: 0.0125 }),
      upper: 1 - wrongRateLower([{ ...stretch, wrong: 2 }], { eta: 0.0125 }),
      // For both classes together: each of them fails with at most half of eta.
      level: 0.95,
    })
    expect(classSchema.parse(sure)).toMatchObject({ name: SURE.name, floor: 0.8 })
  })

  test('has the capital of its definition, written out, and alarms at C / eta', () => {
    const spotChecks = Array.from({ length: 40 }, (_, at) => spotCheck(at + 1, at % 2 === 0 ? 'wrong' : 'right'))
    const [sure] = reportOf(spotChecks)
    const exponents = [0, 1, 2, 3, 4].map((step) => 10 ** (step / 4 - 1))
    let largest = 1
    let first: number | null = null
    for (let n = 1, wrong = 0; n <= 40; n++) {
      if (n % 2 === 0) continue
      wrong++
      const terms = exponents.map((l) => Math.exp(l * wrong) / (1 + 0.2 * (Math.exp(l) - 1)) ** n)
      const mean = terms.reduce((sum, term) => sum + term, 0) / 5
      largest = Math.max(largest, mean)
      if (mean >= 2 / 0.05) first ??= n
    }
    expect(sure?.alarm.wealth).toBeCloseTo(largest, 8)
    expect(sure?.alarm.alarmAt).toBe(40)
    expect(sure?.at).toBe(first)
    expect(first).not.toBeNull()
    if (sure === undefined) throw new Error('no class')
    expect(classReason(sure)).toContain('the floor of the class "round 1, unanimous"')
    expect(classReason(sure)).toContain(`after ${first} of them`)
    expect(classReason(sure)).toContain('the chance that any of them ever raises this alarm is at most 0.05')
  })

  test('counts unlabelled spot checks as right for the alarm, and ends its figures before them', () => {
    const [open] = reportOf([spotCheck(1, 'right'), spotCheck(2, 'unlabelled'), spotCheck(3, 'wrong')])
    expect(open).toMatchObject({ sampled: 3, labelled: 2, right: { count: 1, of: 1 }, alarm: { counted: 3 } })
    const [debated] = reportOf([spotCheck(1, 'right'), spotCheck(2, 'undecided'), spotCheck(3, 'wrong')])
    expect(debated).toMatchObject({ sampled: 2, labelled: 2, right: { count: 1, of: 1 }, alarm: { counted: 2 } })
  })

  test('cannot be postponed by debates that are left open, each of which counts as right in every class', () => {
    const wrong = Array.from({ length: 40 }, (_, at) => spotCheck(at + 2, 'wrong'))
    const [all] = reportOf(wrong)
    const [left, other] = reportOf([spotCheck(1, 'undecided'), ...wrong])
    const [right] = reportOf([spotCheck(1, 'right'), ...wrong])
    expect(left?.alarm.isAlarm).toBe(true)
    expect(left?.alarm.wealth).toBe(right?.alarm.wealth)
    expect(left?.alarm.wealth).toBeLessThan(all?.alarm.wealth ?? 0)
    expect(other).toMatchObject({ sampled: 0, right: null, uniform: null, alarm: { isAlarm: false, wealth: 1 } })
  })

  test('counts only labelled spot checks in the public reason of a suspension', () => {
    const labelled = Array.from({ length: 40 }, (_, at) => spotCheck(2 * at + 2, 'wrong'))
    const mixed = labelled.flatMap((wrong, at) => (at < 2 ? [spotCheck(2 * at + 1, 'unlabelled'), wrong] : [wrong]))
    const [report] = reportOf(mixed)
    const alarmed = mixed.findIndex((_, at) => reportOf(mixed.slice(0, at + 1))[0]?.alarm.isAlarm)
    expect(report?.at).toBe(alarmed + 1 - 2)
  })

  test('counts a class in its own group if the certificate keeps its promise in each group', () => {
    const law = { ...SURE, name: 'law', group: 'law' }
    const [report] = reportOf(
      [spotCheck(1, 'wrong', 1, 'law'), spotCheck(2, 'right', 1, 'art'), spotCheck(3, 'right', 1)],
      [law],
    )
    expect(report).toMatchObject({ sampled: 1, right: { count: 0, of: 1 } })
  })
})

describe('over many streams', () => {
  const STREAMS = sized({ short: 500, full: 2000 })
  const classes = [SURE, SPLIT, { ...SPLIT, name: 'third', kinds: new Set([12]) }]
  const kindOf = [1, 9, 12]

  function stream(random: Random, right: number, length: number): readonly ClassedSpotCheck[] {
    return Array.from({ length }, (_, at) =>
      spotCheck(at + 1, random() < right ? 'right' : 'wrong', kindOf[Math.floor(3 * random())]),
    )
  }

  function shareOf(fails: (random: Random) => boolean): { readonly rate: number; readonly most: number } {
    const random = seededRandom(61)
    let failed = 0
    for (let at = 0; at < STREAMS; at++) if (fails(random)) failed++
    const rate = failed / STREAMS
    return { rate, most: 0.05 + 4 * Math.sqrt((rate * (1 - rate)) / STREAMS) }
  }

  test('at most eta ever alarm in any class if every class is right exactly as often as its floor', () => {
    const { rate, most } = shareOf((random) =>
      reportOf(stream(random, 0.8, 300), classes).some(({ alarm }) => alarm.isAlarm),
    )
    expect(rate).toBeLessThanOrEqual(most)
  })

  test('nearly all alarm if the classes are right in six of ten', () => {
    const { rate } = shareOf((random) => reportOf(stream(random, 0.6, 300), classes).some(({ alarm }) => alarm.isAlarm))
    expect(rate).toBeGreaterThan(0.95)
  })

  test('companion that must fail: an interval for a single moment, checked after every spot check', () => {
    const { rate, most } = shareOf((random) => {
      let right = 0
      for (let of = 1; of <= 300; of++) {
        if (random() < 0.8) right++
        if (clopperPearsonUpper(right, of, 0.05) < 0.8) return true
      }
      return false
    })
    expect(rate).toBeGreaterThan(most)
  })
})
