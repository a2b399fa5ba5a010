import { seededRandom } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { monitorSchema } from '../../src/contract/monitor.ts'
import { driftWatch } from '../../src/monitor/drift-watch.ts'

const random = seededRandom(3)
const reference = Array.from({ length: 500 }, random)
const watch = driftWatch({ eta: 0.05, reference, seed: 7 })

const debates = (count: number, score: () => number | null) =>
  Array.from({ length: count }, (_, at) => ({ runId: 'r', questionId: `q${at}`, score: score() }))

test('sees debates that look otherwise, and none in those that look alike', () => {
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
