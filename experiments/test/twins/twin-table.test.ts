import { type ReadDebate, readDebates } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { isUnanimous } from '../../src/twins/aggregates.ts'
import { simulateTwin } from '../../src/twins/simulate-twin.ts'
import { TARGETS, TWIN_NAMES, type TwinName } from '../../src/twins/targets.ts'
import { ACCEPTED_GAP, meanRows, twinRows } from '../../src/twins/twin-table.ts'

/** Not a seed of the fit. */
const FRESH_SEED = 2027
const COUNT = 10_000
const debatesOf = (name: TwinName) =>
  readDebates(simulateTwin(name, { seed: FRESH_SEED, beliefs: 'soft', count: COUNT })).debates
const simulated = new Map(TWIN_NAMES.map((name) => [name, debatesOf(name)]))
/** A subgroup is a tenth of the sample, so half of its gap is chance. */
const ACCEPTED_GROUP_GAP = 0.03
/** Missed by more, on other seeds too, since the fit was stopped before it was met. */
const MISSED_GROUP = { quantity: 'error round T, engineering', accepted: 0.045 }
/** Shares of pairs by distance are missed by more than 2 points, since no step of stated confidences meets all of them. */
const ACCEPTED_PAIR_GAP = 0.06

describe.each(TWIN_NAMES)('%s', (name) => {
  const debates = simulated.get(name)!
  const rows = twinRows(name, debates)

  test('every published share but those of pairs is met within 2 points, and every mean round within .3', () => {
    const targets = rows.filter(({ isTarget, quantity }) => isTarget && !quantity.includes(','))
    const { confident, pairs } = TARGETS[name]
    expect(targets).toHaveLength(6 + (confident ? 1 : 0) + (pairs?.edges.length ?? 0))
    for (const { quantity, gap, unit } of targets) {
      const accepted = quantity.startsWith('pairs') ? ACCEPTED_PAIR_GAP : ACCEPTED_GAP[unit]
      expect(Math.abs(gap), `${quantity}: ${gap.toFixed(4)}`).toBeLessThanOrEqual(accepted)
    }
  })

  test('every published subgroup error is met within 3 points, but for one', () => {
    for (const { quantity, gap } of rows.filter((row) => row.quantity.includes(','))) {
      const accepted = quantity === MISSED_GROUP.quantity ? MISSED_GROUP.accepted : ACCEPTED_GROUP_GAP
      expect(Math.abs(gap), `${quantity}: ${gap.toFixed(4)}`).toBeLessThanOrEqual(accepted)
    }
  })

  test('the surer a unanimous panel, the more often it is right', () => {
    const cuts = [0.5, 0.7, 0.85, 0.95, Infinity]
    const accuracies = cuts.slice(1).map((high, bin) => accuracy(debates, { low: cuts[bin]!, high, isUnanimous: true }))
    expect(accuracies).toEqual(accuracies.toSorted((left, right) => left - right))
  })
})

// This pins a known flaw of the twins: an agent slips on clear questions too, while the other two are sure. In recorded
// debates two against one are right .53 to .68 of the time.
test.each(['mmlu-pro', 'bbh'] as const)('%s: two sure agents against one are right too often', (name) => {
  const debates = simulated.get(name)!
  const split = accuracy(debates, { low: 0.5, high: 0.7, isUnanimous: false })
  expect(split).toBeGreaterThan(0.85)
  expect(split).toBeGreaterThan(accuracy(debates, { low: 0.7, high: 0.85, isUnanimous: true }))
})

test('the mean over draws is taken quantity by quantity', () => {
  const rows = [0.5, 0.7].map((fitted) => [
    {
      twin: 'arc',
      title: 'ARC',
      quantity: 'acc',
      published: 0.5,
      fitted,
      gap: fitted - 0.5,
      unit: 'share',
      isTarget: true,
    } as const,
  ])
  const [mean] = meanRows(rows)
  expect(mean!.fitted).toBeCloseTo(0.6)
  expect(mean!.gap).toBeCloseTo(0.1)
})

interface States {
  /** p1 from `low` to below `high`. */
  readonly low: number
  readonly high: number
  readonly isUnanimous: boolean
}

/** Share right of such states, over all rounds. */
function accuracy(debates: readonly ReadDebate[], states: States): number {
  const right = debates.flatMap(({ record, rounds }) =>
    rounds.flatMap(({ p1, prediction }, round) => {
      const isInside = p1 >= states.low && p1 < states.high
      const isSuch = isUnanimous(record.rounds[round]!.votes) === states.isUnanimous
      return isInside && isSuch ? [prediction === record.gold] : []
    }),
  )
  return right.filter(Boolean).length / right.length
}
