import { describe, expect, test } from 'vitest'
import type { ReportData } from '../../src/page/report-data.ts'
import { exampleReport } from './example-report.ts'

const cells = exampleReport('cells')
const paper = exampleReport('paper', { beta: 0.4 })
const tight = exampleReport('tight', { beta: 0.3 })

describe.each([
  ['cells', cells],
  ['paper', paper],
  ['tight', tight],
])('a report on %s', (profile, data: ReportData) => {
  test('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(data))).toEqual(data)
  })

  test('certifies on one half what it tests on the other', () => {
    expect(data.heldOut.calibration + data.heldOut.debates).toBe(1200)
    expect(data.heldOut.acted).toBeGreaterThan(0)
    expect(data.profile).toBe(profile)
  })

  test('counts every held-out debate that has a bound in one bin, and equal bounds in the same', () => {
    const { bins } = data.heldOut.certified
    expect(bins.length).toBeGreaterThan(0)
    expect(bins.reduce((sum, { n }) => sum + n, 0)).toBeLessThanOrEqual(data.heldOut.debates)
    expect(bins.map(({ bound }) => bound)).toEqual(bins.map(({ bound }) => bound).toSorted((a, b) => a - b))
    for (const { low, right, high } of bins) expect(low <= right && right <= high).toBe(true)
  })

  test('explains debates whose last bound agrees with the decision', () => {
    const { threshold, debates } = data.heldOut.waterfall
    expect(debates.length).toBeGreaterThan(1)
    for (const { decision, rows } of debates) {
      const last = rows.flatMap(({ lower }) => lower ?? []).at(-1) ?? 0
      expect(last >= threshold).toBe(decision === 'act')
      expect(rows.slice(0, -1).every(({ lower }) => lower === null || lower < threshold)).toBe(true)
    }
  })

  test('loses no running debate between rounds', () => {
    const { spreads } = data.heldOut.paths
    const deferring = spreads.filter(({ kind }) => kind === 'defer').map(({ n }) => n)
    expect(Math.max(...deferring)).toBeLessThanOrEqual(data.heldOut.debates - data.heldOut.acted)
    for (const { quantiles } of spreads) expect(quantiles).toEqual(quantiles.toSorted((a, b) => a - b))
  })

  test('shows its own policy at every budget, ordered by beta', () => {
    const betas = data.path.map(({ beta }) => beta)
    expect(betas).toContain(data.budget.beta)
    expect(betas).toEqual(betas.toSorted((a, b) => a - b))
  })
})

test('cells are shown with their counts', () => {
  const { space, debates } = cells.heldOut
  if (space?.kind !== 'cells') throw new Error('expected cells')
  // A debate whose score reaches no cut, or whose round is excluded, has no cell.
  const inCells = space.cells.rounds[0]?.heldOut ?? 0
  expect(inCells).toBeGreaterThan(debates / 2)
  expect(inCells).toBeLessThanOrEqual(debates)
  for (const { cells: found } of space.cells.rounds) {
    for (const { rows, successes, lower } of found) expect(lower).toBeLessThan(successes / rows + 1e-12)
  }
})

test('the paper state is a plane whose acting debates lie in its region', () => {
  const { space } = paper.heldOut
  if (space?.kind !== 'plane') throw new Error('expected a plane')
  expect(space.plane.rounds.some(({ region }) => region.length > 0)).toBe(true)
  for (const { points } of space.plane.rounds) {
    for (const { x, y } of points) expect(x >= 0 && x <= 1 && y >= 0 && y <= 1).toBe(true)
  }
})

test('caveats name what was left out and what acting on everything costs', () => {
  expect(cells.caveats.join(' ')).toContain('2 debates of the file have no label')
  expect(cells.caveats.join(' ')).toContain('Acting on everything after the last round is wrong on')
  expect(exampleReport('paper', { beta: 0.031, count: 300 }).caveats.join(' ')).toContain('nothing can be certified')
})
