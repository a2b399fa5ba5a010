import { expect, test } from 'vitest'
import { growRegions, isInside } from '../../src/audits/region-tree.ts'
import { seededRandom } from '../../src/random.ts'

const random = seededRandom(3)
const features = Array.from({ length: 600 }, () => Float64Array.of(random(), random(), random() < 0.5 ? 1 : 0))
/** Wrong in one corner. */
const isPoor = (row: Float64Array) => row[0]! > 0.7 && row[2] === 1
const labels = features.map((row) => (random() < (isPoor(row) ? 0.2 : 0.95) ? 1 : 0))

test('finds the corner in which labels are wrong', () => {
  const regions = growRegions(features, labels, { mostRegions: 6, fewestRows: 20 })
  const share = (rows: readonly number[]) => rows.filter((row) => labels[row] === 1).length / rows.length
  const worst = regions.reduce((a, b) => (share(b.rows) < share(a.rows) ? b : a))
  const poor = worst.rows.filter((row) => isPoor(features[row]!)).length
  expect(poor / worst.rows.length).toBeGreaterThan(0.9)
})

test('regions share no row, contain every row and are as large as requested', () => {
  const regions = growRegions(features, labels, { mostRegions: 8, fewestRows: 25 })
  expect(regions.length).toBeLessThanOrEqual(8)
  const rows = regions.flatMap((region) => region.rows)
  expect(rows.toSorted((a, b) => a - b)).toEqual(Array.from(features.keys()))
  for (const region of regions) {
    expect(region.rows.length).toBeGreaterThanOrEqual(25)
    expect(Array.from(features.keys()).filter((row) => isInside(region, features[row]!))).toEqual(
      region.rows.toSorted((a, b) => a - b),
    )
  }
})

test('does not cut where nothing can be distinguished', () => {
  const same = features.map(() => Float64Array.of(1, 1))
  expect(growRegions(same, labels, { mostRegions: 8, fewestRows: 10 })).toHaveLength(1)
  expect(growRegions(features, new Array(600).fill(1), { mostRegions: 8, fewestRows: 10 })).toHaveLength(1)
})
