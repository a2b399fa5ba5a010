import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { logCapital } from '../../src/monitoring/log-capital.ts'
import { missingMonitor } from '../../src/monitoring/missing-monitor.ts'
import type { Random } from '../../src/random.ts'
import { allowed, inWords, streamRate } from './failure-rate.ts'

const ETA = 0.05
const STREAM = 2000
const STREAMS = sized({ short: 150, full: 2000 })

/** Share of the answered turns of a first round that lack a confidence. */
type Shares = (random: Random) => number

const ALIKE: Readonly<Record<string, Shares>> = {
  'one agent of three forgets it now and then': (random) => (random() < 0.2 ? 1 / 3 : 0),
  'all or none, one question of twenty': (random) => (random() < 0.05 ? 1 : 0),
  'each of three agents half of the time': (random) => [0, 0, 0].filter(() => random() < 0.5).length / 3,
  'hardly ever': (random) => (random() < 0.002 ? 1 : 0),
}

describe.each(Object.entries(ALIKE))('where calibration and stream are alike: %s', (_, shares) => {
  test.each([40, 500])('at most eta of the streams ever alarm, %d questions calibrated', (questions) => {
    const found = streamRate(STREAMS, 41, (random) => isAlarm({ before: shares, after: shares, questions }, random))
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(ETA, found))
  })
})

describe('a raised share', () => {
  test.each([
    [
      'three times as often',
      ALIKE['all or none, one question of twenty']!,
      (random: Random) => (random() < 0.15 ? 1 : 0),
    ],
    ['one of three agents stops', () => 0, () => 1 / 3],
    ['nobody states one any more', (random: Random) => (random() < 0.2 ? 1 / 3 : 0), () => 1],
  ] as const)('alarms in nearly every stream: %s', (_, before, after) => {
    const found = streamRate(sized({ short: 40, full: 300 }), 43, (random) =>
      isAlarm({ before, after, questions: 500 }, random),
    )
    expect(found.rate, inWords(found)).toBeGreaterThan(0.95)
  })
})

test('companion that must fail: the calibrated share taken as known exactly', () => {
  const shares = ALIKE['all or none, one question of twenty']!
  const found = streamRate(STREAMS, 47, (random) => {
    const calibrated = sumOf(shares, 40, random) / 40
    let missing = 0
    for (let question = 1; question <= STREAM; question++) {
      missing += shares(random)
      const counts = { asked: [{ spotCheckRate: 1, questions: question }], wrong: missing }
      if (logCapital([0.1, 0.3, 1, 2, 4], counts, calibrated) >= -Math.log(ETA)) return true
    }
    return false
  })
  expect(found.rate, inWords(found)).toBeGreaterThan(allowed(ETA, found))
})

interface Stream {
  readonly before: Shares
  readonly after: Shares
  readonly questions: number
}

function isAlarm({ before, after, questions }: Stream, random: Random): boolean {
  const firstMissing = Math.min(questions, sumOf(before, questions, random))
  const monitor = missingMonitor({ eta: ETA, calibrated: { questions, firstMissing } })
  let state = monitor.start
  for (let at = 0; at < STREAM && state.alarm === null; at++) state = monitor.observe(state, after(random))
  return state.alarm !== null
}

function sumOf(shares: Shares, count: number, random: Random): number {
  let sum = 0
  for (let at = 0; at < count; at++) sum += shares(random)
  return sum
}
