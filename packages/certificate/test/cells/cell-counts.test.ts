import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { cellName, countCells, type FoundCell } from '../../src/cells/cell-counts.ts'
import { binOf, type CellDesign, EXCLUDED_BIN, looksOf } from '../../src/cells/cell-design.ts'
import type { CellPath, CellRows } from '../../src/cells/cell-rows.ts'
import { clopperPearsonLower } from '../../src/concentration/clopper-pearson.ts'

const LEVEL = 0.01
/** No bound reaches it, so nothing acts and nothing is vetoed. */
const NEVER = 2

/** Scores on a coarse grid, so many rows share a cell and some are exactly on a cut. */
const score = fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10)
const cuts = fc
  .uniqueArray(fc.integer({ min: 0, max: 10 }), { maxLength: 3 })
  .map((tenths) => tenths.sort((a, b) => a - b).map((cut) => cut / 10))
const drawn = fc.integer({ min: 1, max: 4 }).chain((rounds) => {
  const perRound = { minLength: rounds, maxLength: rounds }
  const bit = fc.constantFrom(0, 1)
  const path = { scores: fc.array(score, perRound), excluded: fc.array(bit, perRound) }
  const kinds = fc.array(fc.integer({ min: 0, max: 3 }), perRound)
  return fc.record({
    kind: fc.constantFrom<CellDesign['kind']>('path', 'nominate'),
    cuts: fc.array(cuts, perRound),
    rows: fc.array(fc.record({ ...path, kinds, labels: fc.array(bit, perRound) }), { maxLength: 60 }),
    queries: fc.array(fc.record({ ...path, kinds }), { minLength: 1, maxLength: 6 }),
  })
})

type Row = CellPath & { readonly labels: readonly number[] }

/** How many cuts a score reaches, in each of rounds 1..round; -1 where the round is excluded. */
function bins(design: CellDesign, { scores, excluded }: CellPath, round: number): number[] {
  return design.cuts
    .slice(0, round)
    .map((own, at) => (excluded[at] === 1 ? -1 : own.filter((cut) => scores[at]! >= cut).length))
}

/** Rows of a query's cell by the definition; null if the design does not test it. */
function slowCell(design: CellDesign, rows: readonly Row[], query: CellPath, round: number): Row[] | null {
  const own = bins(design, query, round)
  if (own.at(-1)! <= 0) return null
  const isNominatedHere = (found: readonly number[]) => found.findIndex((bin) => bin > 0) === round - 1
  if (design.kind === 'nominate' && !isNominatedHere(own)) return null
  return rows.filter((row) => bins(design, row, round).join() === own.join())
}

function countsOf(rows: readonly Row[], rounds: number): CellRows {
  const column = (pick: (row: Row) => ArrayLike<number>) => rows.flatMap((row) => Array.from(pick(row)))
  return {
    rows: rows.length,
    rounds,
    scores: Float64Array.from(column(({ scores }) => scores)),
    excluded: Uint8Array.from(column(({ excluded }) => excluded)),
    kinds: Uint16Array.from(column(({ kinds }) => kinds)),
    right: Uint8Array.from(column(({ labels }) => labels)),
  }
}

function cellOf(found: FoundCell) {
  return found.kind === 'cell' ? found.cell : null
}

test('a cell has the rows that went the same way, their successes in its round, and the exact bound from the two', () => {
  fc.assert(
    fc.property(drawn, ({ kind, cuts: perRound, rows, queries }) => {
      const design = { kind, cuts: perRound }
      const { find } = countCells(design, countsOf(rows, perRound.length), LEVEL, NEVER)
      for (const query of queries) {
        for (let round = 1; round <= perRound.length; round++) {
          const expected = slowCell(design, rows, query, round)
          const found = cellOf(find(query, round))
          if (expected === null) {
            expect(found).toBeNull()
            continue
          }
          const successes = expected.filter(({ labels }) => labels[round - 1] === 1).length
          const lower = expected.length === 0 ? 0 : clopperPearsonLower(successes, expected.length, LEVEL)
          expect(found).toMatchObject({ rows: expected.length, successes, lower })
        }
      }
    }),
    { numRuns: sized({ short: 400, full: 1000 }) },
  )
})

test('one walk along a debate gives the bounds that are found round by round', () => {
  fc.assert(
    fc.property(drawn, fc.constantFrom(0.05, 0.2, NEVER), ({ kind, cuts: perRound, rows, queries }, threshold) => {
      const cells = countCells({ kind, cuts: perRound }, countsOf(rows, perRound.length), LEVEL, threshold)
      for (const query of queries) {
        const along = new Float64Array(perRound.length).fill(Number.NaN)
        cells.lowerAlong(query, along, 0)
        const single = perRound.map((_, at) => {
          const found = cells.find(query, at + 1)
          return found.kind === 'cell' && !found.isVetoed && found.cell.rows > 0 ? found.cell.lower : Number.NaN
        })
        expect([...along]).toEqual(single)
      }
    }),
  )
})

test('the order of the rows does not matter', () => {
  fc.assert(
    fc.property(drawn, ({ kind, cuts: perRound, rows, queries }) => {
      const counted = (list: readonly Row[]) =>
        countCells({ kind, cuts: perRound }, countsOf(list, perRound.length), LEVEL, 0.1)
      const [one, other] = [counted(rows), counted(rows.toReversed())]
      expect(other.vetoed).toEqual(one.vetoed)
      for (const query of queries) {
        const [cell, same] = [one, other].map((cells) => cellOf(cells.find(query, perRound.length)))
        expect(same && [same.rows, same.successes, same.lower]).toEqual(cell && [cell.rows, cell.successes, cell.lower])
      }
    }),
  )
})

test('every debate is nominated at most once', () => {
  fc.assert(
    fc.property(drawn, ({ cuts: perRound, rows, queries }) => {
      const { find } = countCells({ kind: 'nominate', cuts: perRound }, countsOf(rows, perRound.length), LEVEL, NEVER)
      for (const query of queries) {
        const looks = perRound.filter((_, at) => find(query, at + 1).kind === 'cell')
        expect(looks.length).toBeLessThanOrEqual(1)
      }
    }),
  )
})

describe('what never acts', () => {
  const path = (scores: readonly number[], excluded = scores.map(() => 0)): CellPath => ({
    scores,
    excluded,
    kinds: scores.map(() => 0),
  })
  const rows = (count: number, own: CellPath, labels: readonly number[]): Row[] =>
    Array.from({ length: count }, () => ({ ...own, labels }))

  test('bin 0, however many of its rows are right', () => {
    const design: CellDesign = { kind: 'path', cuts: [[0.9]] }
    const { find, largestAt } = countCells(design, countsOf(rows(500, path([0.5]), [1]), 1), LEVEL, 0.8)
    expect(find(path([0.5]), 1)).toEqual({ kind: 'open' })
    expect(largestAt(1)).toBe(-Infinity)
  })

  test('an excluded round, which is a branch of its own: debates that come from it are judged by such debates', () => {
    const design: CellDesign = { kind: 'path', cuts: [[0.9], [0.9]] }
    const easy = rows(400, path([0.95, 0.95]), [1, 1])
    const tied = rows(100, path([0.95, 0.95], [1, 0]), [0, 0])
    const { find } = countCells(design, countsOf([...easy, ...tied], 2), LEVEL, 0.8)
    expect(find(path([0.95, 0.95], [1, 0]), 1)).toEqual({ kind: 'open' })
    expect(find(path([0.95, 0.95], [1, 0]), 2)).toMatchObject({ cell: { rows: 100, successes: 0 } })
    expect(find(path([0.95, 0.95]), 2)).toMatchObject({ cell: { rows: 400, successes: 400 } })
    expect(cellName(design, path([0.95, 0.95], [1, 0]), 2)).toBe('excluded > 1/1')
  })
})

describe('the veto of kinds', () => {
  const design: CellDesign = { kind: 'path', cuts: [[0.9], [0.9]] }
  const debate = (kind: number, labels: readonly number[]): Row => ({
    scores: [0.95, 0.95],
    excluded: [0, 0],
    kinds: [kind, 10],
    labels,
  })
  const many = (count: number, kind: number, labels: readonly number[]) =>
    Array.from({ length: count }, () => debate(kind, labels))
  const good = many(400, 0, [1, 1])

  test('defers a kind with 20 rows below the threshold for good, and no later round acts', () => {
    const bad = [...many(12, 1, [1, 1]), ...many(8, 1, [0, 1])]
    const { find, lowerAlong, vetoed } = countCells(design, countsOf([...good, ...bad], 2), LEVEL, 0.8)
    expect(vetoed).toEqual([{ kind: 1, rows: 20, right: 12 }])
    // The cell keeps all of its rows: it is tested first and never counted again.
    expect(find(debate(1, []), 1)).toMatchObject({ kind: 'cell', isVetoed: true, cell: { rows: 420, successes: 412 } })
    expect(find(debate(0, []), 1)).toMatchObject({ kind: 'cell', isVetoed: false, cell: { rows: 420 } })
    expect(find(debate(1, []), 2)).toEqual({ kind: 'vetoed-before' })
    const along = new Float64Array(2).fill(Number.NaN)
    lowerAlong(debate(1, []), along, 0)
    expect([...along]).toEqual([Number.NaN, Number.NaN])
  })

  test('leaves a kind of 19 rows, and one that is right often enough', () => {
    const few = many(19, 1, [0, 1])
    const fair = [...many(17, 2, [1, 1]), ...many(3, 2, [0, 1])]
    const { vetoed, find } = countCells(design, countsOf([...good, ...few, ...fair], 2), LEVEL, 0.8)
    expect(vetoed).toEqual([])
    expect(find(debate(1, []), 1)).toMatchObject({ isVetoed: false })
  })

  test('looks only at rows that are acted on', () => {
    const low: Row[] = Array.from({ length: 50 }, () => ({ ...debate(1, [0, 0]), scores: [0.5, 0.5] }))
    expect(countCells(design, countsOf([...good, ...low], 2), LEVEL, 0.8).vetoed).toEqual([])
  })
})

describe('binOf', () => {
  test('counts the cuts that a score reaches; on the cut is above it', () => {
    expect([0.1, 0.5, 0.7, 0.8, 1].map((at) => binOf([0.5, 0.8], at, 0))).toEqual([0, 1, 1, 2, 2])
  })

  test('an excluded round has a bin of its own, whatever its score', () => {
    expect(binOf([0, 0.5], 0.9, 1)).toBe(EXCLUDED_BIN)
  })
})

test('delta is shared by the rounds of a path; a nomination is one look', () => {
  expect(looksOf({ kind: 'path', cuts: [[], [0.5], [0.5, 0.6]] })).toBe(3)
  expect(looksOf({ kind: 'nominate', cuts: [[], [0.5], [0.5, 0.6]] })).toBe(1)
})
