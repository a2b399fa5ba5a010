import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cohenKappa } from '../../src/evaluation/kappa.ts'

/** Ratings of a table: row by the first rater, column by the second. */
function ratings(table: readonly (readonly number[])[]): [string, string][] {
  return table.flatMap((row, one) =>
    row.flatMap((count, other) => Array.from({ length: count }, (): [string, string] => [`r${one}`, `r${other}`])),
  )
}

describe('cohenKappa', () => {
  test.each([
    // Fleiss, Cohen and Everitt (1969), 200 items in three categories: .429.
    [
      [
        [106, 10, 4],
        [22, 28, 10],
        [2, 12, 6],
      ],
      0.225 / 0.525,
    ],
    // The three tables that textbooks compare, each verified by hand: .40, .1304, .2593.
    [
      [
        [20, 5],
        [10, 15],
      ],
      0.4,
    ],
    [
      [
        [45, 15],
        [25, 15],
      ],
      0.06 / 0.46,
    ],
    [
      [
        [25, 35],
        [5, 35],
      ],
      0.14 / 0.54,
    ],
  ])('gives the published value of a table', (table, expected) => {
    expect(cohenKappa(ratings(table))?.kappa).toBeCloseTo(expected, 12)
  })

  test('without items, or with one rating for all, there is none', () => {
    expect(cohenKappa([])).toBeNull()
    expect(cohenKappa(ratings([[7]]))).toBeNull()
    expect(cohenKappa([['a', 'a']])).toBeNull()
  })

  test('two who never agree on the only item are below chance, and the interval says how little is known', () => {
    expect(cohenKappa([['a', 'b']])).toMatchObject({ kappa: 0, lower: 0, items: 1, agreed: 0, byChance: 0 })
    expect(cohenKappa([['a', 'b']])?.upper).toBeGreaterThan(0.97)
  })

  test('refuses a confidence that is none', () => {
    for (const confidence of [0, 1, Number.NaN]) expect(() => cohenKappa([], confidence)).toThrow(/confidence/u)
  })

  test('is within its interval, at most 1, and the same for raters and ratings under other names', () => {
    const rating = fc.constantFrom('a', 'b', 'c')
    fc.assert(
      fc.property(fc.array(fc.tuple(rating, rating), { maxLength: 60 }), (all) => {
        const found = cohenKappa(all)
        const swapped = cohenKappa(all.map(([one, other]) => [`${other}!`, `${one}!`] as const))
        expect(swapped === null).toBe(found === null)
        if (found === null) return
        expect(found.kappa).toBeLessThanOrEqual(1)
        expect(found.lower).toBeLessThanOrEqual(found.kappa + 1e-12)
        expect(found.upper).toBeGreaterThanOrEqual(found.kappa - 1e-12)
        expect(found.kappa === 1).toBe(found.agreed === found.items)
        expect(swapped?.kappa).toBeCloseTo(found.kappa, 12)
      }),
    )
  })
})
