import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countCells } from '../../src/cells/cell-counts.ts'
import { binOf, type CellDesign, looksOf } from '../../src/cells/cell-design.ts'
import { clopperPearsonLower } from '../../src/concentration/clopper-pearson.ts'

/** Scores on a coarse grid, so that many rows share a cell and some stand exactly on a cut. */
const score = fc.oneof(
  fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
  fc.constant(Number.NaN),
)
const cuts = fc
  .uniqueArray(fc.integer({ min: 0, max: 10 }), { maxLength: 3 })
  .map((tenths) => tenths.sort((a, b) => a - b).map((cut) => cut / 10))
const drawn = fc.integer({ min: 1, max: 4 }).chain((rounds) => {
  const perRound = { minLength: rounds, maxLength: rounds }
  return fc.record({
    kind: fc.constantFrom<CellDesign['kind']>('path', 'nominate'),
    cuts: fc.array(cuts, perRound),
    rows: fc.array(
      fc.record({ scores: fc.array(score, perRound), labels: fc.array(fc.constantFrom(0, 1), perRound) }),
      { maxLength: 40 },
    ),
    queries: fc.array(fc.array(score, perRound), { minLength: 1, maxLength: 6 }),
  })
})

type Row = { readonly scores: readonly number[]; readonly labels: readonly number[] }

/** How many cuts a score reaches, in each of rounds 1..round. */
function bins(design: CellDesign, scores: readonly number[], round: number): number[] {
  return design.cuts.slice(0, round).map((own, at) => own.filter((cut) => scores[at]! >= cut).length)
}

/** Rows of a query's cell by the definition; null where the design does not look. */
function slowCell(design: CellDesign, rows: readonly Row[], query: readonly number[], round: number): Row[] | null {
  const own = bins(design, query, round)
  const isNominatedHere = (found: readonly number[]) => found.findIndex((bin) => bin > 0) === round - 1
  if (design.kind === 'nominate' && !isNominatedHere(own)) return null
  return rows.filter(({ scores }) => {
    const theirs = bins(design, scores, round)
    if (design.kind === 'path') return theirs.join() === own.join()
    return isNominatedHere(theirs) && theirs.at(-1) === own.at(-1)
  })
}

function countsOf(rows: readonly Row[], rounds: number) {
  return {
    rows: rows.length,
    rounds,
    scores: Float64Array.from(rows.flatMap(({ scores }) => scores)),
    correct: Uint8Array.from(rows.flatMap(({ labels }) => labels)),
  }
}

test('a cell has the rows that went the same way, their successes in its round, and the exact bound from the two', () => {
  fc.assert(
    fc.property(drawn, ({ kind, cuts: perRound, rows, queries }) => {
      const design = { kind, cuts: perRound }
      const { find } = countCells(design, countsOf(rows, perRound.length), 0.01)
      for (const query of queries) {
        for (let round = 1; round <= perRound.length; round++) {
          const expected = slowCell(design, rows, query, round)
          const found = find(query, round)
          if (expected === null) {
            expect(found).toBeNull()
            continue
          }
          const successes = expected.filter(({ labels }) => labels[round - 1] === 1).length
          const lower = expected.length === 0 ? 0 : clopperPearsonLower(successes, expected.length, 0.01)
          expect(found).toMatchObject({ rows: expected.length, successes, lower })
        }
      }
    }),
    { numRuns: 1000 },
  )
})

test('the order of the rows does not matter', () => {
  fc.assert(
    fc.property(drawn, ({ kind, cuts: perRound, rows, queries }) => {
      const design = { kind, cuts: perRound }
      const [find, other] = [rows, rows.toReversed()].map((list) =>
        countCells(design, countsOf(list, perRound.length), 0.01),
      )
      for (const query of queries) {
        const { rows: count, successes, lower } = find!.find(query, perRound.length) ?? {}
        const same = other!.find(query, perRound.length)
        expect(same ? [same.rows, same.successes, same.lower] : [undefined, undefined, undefined]).toEqual([
          count,
          successes,
          lower,
        ])
      }
    }),
  )
})

test('every debate is nominated at most once', () => {
  fc.assert(
    fc.property(drawn, ({ cuts: perRound, rows, queries }) => {
      const { find } = countCells({ kind: 'nominate', cuts: perRound }, countsOf(rows, perRound.length), 0.01)
      for (const query of queries) {
        const looks = perRound.filter((_, at) => find(query, at + 1) !== null)
        expect(looks.length).toBeLessThanOrEqual(1)
      }
    }),
  )
})

describe('binOf', () => {
  test('counts the cuts that a score reaches; on the cut is above it', () => {
    expect([0.1, 0.5, 0.7, 0.8, 1].map((at) => binOf([0.5, 0.8], at))).toEqual([0, 1, 1, 2, 2])
  })

  test('no score reaches nothing', () => {
    expect(binOf([0, 0.5], Number.NaN)).toBe(0)
  })
})

test('delta is shared by the rounds of a path; a nomination is one look', () => {
  expect(looksOf({ kind: 'path', cuts: [[], [0.5], [0.5, 0.6]] })).toBe(3)
  expect(looksOf({ kind: 'nominate', cuts: [[], [0.5], [0.5, 0.6]] })).toBe(1)
})
