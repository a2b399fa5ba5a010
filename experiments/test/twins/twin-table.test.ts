import { type ReadPanel, readPanels } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { simulateTwin } from '../../src/twins/simulate-twin.ts'
import { TWIN_NAMES } from '../../src/twins/targets.ts'
import { ACCEPTED_GAP, twinRows } from '../../src/twins/twin-table.ts'

/** Not a seed of the fit. */
const FRESH_SEED = 2027
const COUNT = 10_000
/** A subgroup holds a tenth of the sample: half its gap is chance. */
const ACCEPTED_GROUP_GAP = 0.03

describe.each(TWIN_NAMES)('%s', (name) => {
  const { panels } = readPanels(simulateTwin(name, { seed: FRESH_SEED, beliefs: 'soft', count: COUNT }))
  const rows = twinRows(name, panels)

  test('every published share is met within 2 points and every mean round within .3', () => {
    const targets = rows.filter(({ isTarget, quantity }) => isTarget && !quantity.includes(','))
    expect(targets).toHaveLength(6)
    for (const { quantity, gap, unit } of targets) {
      expect(Math.abs(gap), `${quantity}: ${gap.toFixed(4)}`).toBeLessThanOrEqual(ACCEPTED_GAP[unit])
    }
  })

  test('every published subgroup error is met within 3 points', () => {
    for (const { quantity, gap } of rows.filter((row) => row.quantity.includes(','))) {
      expect(Math.abs(gap), `${quantity}: ${gap.toFixed(4)}`).toBeLessThanOrEqual(ACCEPTED_GROUP_GAP)
    }
  })

  test('the surer the panel, the more often it is right', () => {
    const accuracies = accuracyByBin(panels, [0.5, 0.7, 0.85, 0.95])
    expect(accuracies).toEqual(accuracies.toSorted((left, right) => left - right))
  })
})

/** Share right over all rounds of the states below, between and above the cuts. */
function accuracyByBin(panels: readonly ReadPanel[], cuts: readonly number[]): number[] {
  const states = panels.flatMap(({ record, rounds }) =>
    rounds.map(({ p1, prediction }) => ({ p1, isRight: prediction === record.gold })),
  )
  return [0, ...cuts].map((low, bin) => {
    const inside = states.filter(({ p1 }) => p1 >= low && p1 < (cuts[bin] ?? Infinity))
    return inside.filter(({ isRight }) => isRight).length / inside.length
  })
}
