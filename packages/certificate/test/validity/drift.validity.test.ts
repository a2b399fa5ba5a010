import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { betOnRank, FULL_STAKES } from '../../src/audits/conformal-martingale.ts'
import { driftMonitor } from '../../src/monitoring/drift-monitor.ts'
import { type Random, seededRandom } from '../../src/random.ts'
import { allowed, inWords, streamRate } from './failure-rate.ts'

const ETA = 0.05
const ARRIVALS = 1000
const STREAMS = sized({ short: 200, full: 500 })

type Scores = (random: Random) => number

const POPULATIONS: Readonly<Record<string, Scores>> = {
  'spread evenly': (random) => random(),
  'three votes: all agree, two against one, none': (random) =>
    [1, 1, 1, 2 / 3, 2 / 3, 1 / 3][Math.floor(6 * random())]!,
  'nearly all in one bin': (random) => (random() < 0.97 ? 1 : random()),
}

describe.each(Object.entries(POPULATIONS))('scores %s', (_, scores) => {
  test.each([0, 40, 500])('raise at most eta false alarms, with %d reference rows', (rows) => {
    const found = streamRate(STREAMS, 3, (random) => alarm({ before: scores, after: scores, rows }, random) !== null)
    expect(found.rate, inWords(found)).toBeLessThanOrEqual(allowed(ETA, found))
  })
})

describe('a shift', () => {
  const votes = POPULATIONS['three votes: all agree, two against one, none']!
  const harder: Scores = (random) => [1, 1, 2 / 3, 2 / 3, 1 / 3, 1 / 3][Math.floor(6 * random())]!

  test('of a sixth of the questions, from the first arrival on, is seen within 300 arrivals by half of the streams', () => {
    const delays = medianDelay({ before: votes, after: harder, rows: 1000 })
    expect(delays).toBeLessThan(300)
  })

  test('by half a standard deviation is seen within 200 arrivals by half of the streams', () => {
    const lower: Scores = (random) => Math.max(0, random() - 0.5 / Math.sqrt(12))
    expect(medianDelay({ before: (random) => random(), after: lower, rows: 1000 })).toBeLessThan(200)
  })
})

describe('companions that must fail', () => {
  test('ranks among the reference rows alone, which share the luck of those rows', () => {
    const found = streamRate(sized({ short: 200, full: 400 }), 5, (random) => {
      const reference = Array.from({ length: 40 }, random)
      const stakes = FULL_STAKES.map((stake) => [...stake])
      return Array.from({ length: ARRIVALS }, random).some((score) => {
        const larger = reference.filter((other) => other > score).length
        return betOnRank(stakes, (larger + random()) / (reference.length + 1)) >= 1 / ETA
      })
    })
    expect(found.rate, inWords(found)).toBeGreaterThan(allowed(ETA, found))
  })

  test('scores of debates that reached round 2 against reference rows that all did', () => {
    // Agreement in round 2 goes with agreement in round 1, and those who agreed at once were acted on.
    const late = (random: Random, isRunning: (first: number) => boolean): number => {
      const first = random()
      return isRunning(first) ? 0.5 * first + 0.5 * random() : late(random, isRunning)
    }
    const before: Scores = (random) => late(random, () => true)
    const after: Scores = (random) => late(random, (first) => first < 0.7)
    const found = streamRate(
      sized({ short: 40, full: 100 }),
      6,
      (random) => alarm({ before, after, rows: 500 }, random) !== null,
    )
    expect(found.rate, inWords(found)).toBeGreaterThan(allowed(ETA, found))
  })
})

interface Stream {
  readonly before: Scores
  readonly after: Scores
  readonly rows: number
}

function alarm({ before, after, rows }: Stream, random: Random): number | null {
  const monitor = driftMonitor({ eta: ETA })
  let state = monitor.start(Array.from({ length: rows }, () => before(random)))
  for (let at = 0; at < ARRIVALS && state.alarm === null; at++) state = monitor.observe(state, after(random), random())
  return state.alarm
}

function medianDelay(stream: Stream): number {
  const random = seededRandom(12)
  const delays = Array.from({ length: 201 }, () => alarm(stream, random) ?? ARRIVALS)
  return delays.sort((a, b) => a - b)[100]!
}
