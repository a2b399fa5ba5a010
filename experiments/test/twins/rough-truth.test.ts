import { readPanels } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { ROUGH_CHANCES, roughChance, roughTruth } from '../../src/twins/rough-truth.ts'

const COUNT = 4000
const drawn = roughTruth({ seed: 4, count: COUNT })
const { panels } = readPanels(drawn.map(({ debate }) => debate))

test('the band of p1 tells the chance in every round, and answers are right as often', () => {
  for (const [row, { rounds }] of panels.entries()) {
    for (const { p1 } of rounds) expect(roughChance(p1)).toBe(drawn[row]!.chance)
  }
  for (const chance of Object.values(ROUGH_CHANCES)) {
    const rows = panels.filter((_, row) => drawn[row]!.chance === chance)
    const right = rows.filter(({ record, rounds }) => rounds[0]!.prediction === record.gold).length
    expect(Math.abs(right / rows.length - chance)).toBeLessThan(5 * Math.sqrt((chance * (1 - chance)) / rows.length))
  }
})

test('128 neighbours among 1,000 rows mix good and poor bands wherever the query is', () => {
  const rows = panels.slice(0, 1000).map(({ rounds }, row) => ({ p1: rounds[0]!.p1, chance: drawn[row]!.chance }))
  for (const query of [0.5, 0.6, 0.75, 0.9, 1]) {
    const near = rows.toSorted((a, b) => Math.abs(a.p1 - query) - Math.abs(b.p1 - query)).slice(0, 128)
    const good = near.filter(({ chance }) => chance === ROUGH_CHANCES.good).length / near.length
    expect(good).toBeGreaterThan(0.25)
    expect(good).toBeLessThan(0.75)
  }
})

test('an odd number of bands is refused, the same seed draws the same debates', () => {
  expect(() => roughTruth({ seed: 4, count: 1, bands: 31 })).toThrow('bands')
  expect(roughTruth({ seed: 4, count: 20 })).toEqual(drawn.slice(0, 20))
})
