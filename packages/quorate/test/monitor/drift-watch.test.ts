import { seededRandom } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { monitorSchema } from '../../src/contract/monitor.ts'
import { driftWatch } from '../../src/monitor/drift-watch.ts'

const random = seededRandom(3)
const reference = Array.from({ length: 500 }, random)
const watch = driftWatch({ eta: 0.05, reference, seed: 7 })

const debates = (count: number, score: () => number | null) =>
  Array.from({ length: count }, (_, at) => ({ runId: 'r', questionId: `q${at}`, score: score() }))

test('raises an alarm for debates that differ, and none for those that resemble the reference', () => {
  const alike = watch.view(watch.observe(watch.start, debates(400, random)))
  expect(alike).toMatchObject({ isAlarm: false, at: null, counted: 400, alarmAt: 20 })
  const harder = watch.view(
    watch.observe(
      watch.start,
      debates(400, () => random() ** 2),
    ),
  )
  expect(harder.isAlarm).toBe(true)
  expect(harder.wealth).toBeGreaterThanOrEqual(20)
})

test('is the same in two parts through stored JSON as at once', () => {
  const all = debates(100, random)
  const stored = JSON.parse(JSON.stringify(watch.observe(watch.start, all.slice(0, 37))))
  expect(watch.observe(stored, all.slice(37))).toStrictEqual(watch.observe(watch.start, all))
})

test('does not count debates without a score', () => {
  expect(
    watch.view(
      watch.observe(
        watch.start,
        debates(5, () => null),
      ),
    ),
  ).toMatchObject({ counted: 0, wealth: 1 })
})

test('ranks equal scores by the seed and the name of the debate alone', () => {
  const lumpy = debates(50, () => 0.5)
  const other = driftWatch({ eta: 0.05, reference, seed: 8 })
  expect(watch.observe(watch.start, lumpy)).toStrictEqual(watch.observe(watch.start, lumpy))
  expect(other.observe(other.start, lumpy).capital).not.toBe(watch.observe(watch.start, lumpy).capital)
})

test('fits the contract', () => {
  expect(() => monitorSchema.shape.drift.parse(watch.view(watch.start))).not.toThrow()
})

describe('missing confidences', () => {
  const stated = driftWatch({ eta: 0.05, reference, seed: 7, calibrated: { questions: 500, firstMissing: 10 } })
  const withMissing = (count: number, missing: (at: number) => number | null) =>
    Array.from({ length: count }, (_, at) => ({ runId: 'r', questionId: `q${at}`, score: null, missing: missing(at) }))

  test('raise an alarm of their own where they are more frequent than in calibration', () => {
    const report = stated.view(
      stated.observe(
        stated.start,
        withMissing(20, () => 1),
      ),
    )
    expect(report).toMatchObject({ isAlarm: false, counted: 0, missing: { isAlarm: true, counted: 20, share: 1 } })
    expect(report.missing.at).toBeLessThan(10)
    expect(report.missing.limit).toBeGreaterThan(0.02)
    expect(report.missing.limit).toBeLessThan(0.06)
  })

  test('raise none where they are as frequent, nor where nothing is known of the calibration', () => {
    const alike = withMissing(2000, (at) => (at % 50 === 0 ? 1 : 0))
    expect(stated.view(stated.observe(stated.start, alike)).missing).toMatchObject({ isAlarm: false, counted: 2000 })
    const report = watch.view(
      watch.observe(
        watch.start,
        withMissing(500, () => 1),
      ),
    )
    expect(report.missing).toMatchObject({ isAlarm: false, limit: null })
  })

  test('are not counted where nobody answered, and continue through stored JSON', () => {
    const some = withMissing(30, (at) => (at % 3 === 0 ? null : 1 / 3))
    const whole = stated.observe(stated.start, some)
    expect(stated.view(whole).missing.counted).toBe(20)
    const stored = JSON.parse(JSON.stringify(stated.observe(stated.start, some.slice(0, 11))))
    expect(stated.observe(stored, some.slice(11))).toStrictEqual(whole)
  })
})
