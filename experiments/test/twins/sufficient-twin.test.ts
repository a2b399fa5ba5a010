import { type ReadDebate, readDebates } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { isUnanimous } from '../../src/twins/aggregates.ts'
import { sufficientChance, sufficientTwin } from '../../src/twins/sufficient-twin.ts'

const COUNT = 10_000
const drawn = sufficientTwin({ seed: 3, count: COUNT })
const { debates } = readDebates(drawn.map(({ debate }) => debate))

test('the chance of each round is the stated function of its p1', () => {
  const gaps = debates.flatMap(({ rounds }, row) =>
    rounds.map(({ p1 }, round) => Math.abs(drawn[row]!.chances[round]! - sufficientChance(p1))),
  )
  expect(gaps.filter((gap) => gap > 1e-9)).toEqual([])
})

test('whatever the history, answers are right as often as the current state says', () => {
  const histories: Readonly<Record<string, (debate: ReadDebate, round: number) => boolean>> = {
    all: () => true,
    'unanimous in round 1': ({ record }) => isUnanimous(record.rounds[0]!.votes),
    'unanimous now and not before': ({ record }, round) =>
      round > 0 && record.rounds.slice(0, round + 1).findIndex(({ votes }) => isUnanimous(votes)) === round,
    'never unanimous so far': ({ record }, round) =>
      !record.rounds.slice(0, round + 1).some(({ votes }) => isUnanimous(votes)),
    'just changed': ({ rounds }, round) => rounds[round]!.hasChanged,
    'surer than a round before': ({ rounds }, round) => round > 0 && rounds[round]!.p1 > rounds[round - 1]!.p1,
    'less sure than a round before': ({ rounds }, round) => round > 0 && rounds[round]!.p1 < rounds[round - 1]!.p1,
    'never sure before': ({ rounds }, round) => rounds.slice(0, round).every(({ p1 }) => p1 < 0.8),
  }
  for (const [history, holds] of Object.entries(histories)) {
    for (const round of [0, 1, 2, 3]) {
      for (const [low, high] of [
        [0.4, 0.65],
        [0.65, 0.85],
        [0.85, 1.01],
      ] as const) {
        const rows = debates.flatMap((debate, row) => {
          const { p1 } = debate.rounds[round]!
          return p1 >= low && p1 < high && holds(debate, round) ? [row] : []
        })
        expect(Math.abs(surplus(rows, round)), `${history}, round ${round + 1}, p1 from ${low}`).toBeLessThan(4.5)
      }
    }
  }
})

test('histories differ at the same state: some agree at once, some late, and predictions change', () => {
  const first = debates.map(({ record }) => record.rounds.findIndex(({ votes }) => isUnanimous(votes)))
  for (const round of [0, 1, 2]) expect(first.filter((found) => found === round).length).toBeGreaterThan(100)
  expect(debates.filter(({ rounds }) => rounds.some(({ hasChanged }) => hasChanged)).length).toBeGreaterThan(100)
})

test('the same seed draws the same debates', () => {
  expect(sufficientTwin({ seed: 3, count: 20 })).toEqual(drawn.slice(0, 20))
})

/** Right answers beyond those expected, in standard errors; 0 for no rows. */
function surplus(rows: readonly number[], round: number): number {
  let [sum, variance] = [0, 0]
  for (const row of rows) {
    const { record, rounds } = debates[row]!
    const chance = drawn[row]!.chances[round]!
    sum += Number(rounds[round]!.prediction === record.gold) - chance
    variance += chance * (1 - chance)
  }
  return rows.length === 0 ? 0 : sum / Math.sqrt(variance)
}
