import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvLine, withoutEscape } from '../../src/text/csv-text.ts'

/** The first characters that a spreadsheet runs, full-width ones too. */
const FIRST = ['=', '+', '-', '@', '\t', '\r', '\n', '\uff1d', '\uff0b', '\uff0d', '\uff20']

describe('a row of CSV', () => {
  test.each(FIRST)('has a mark before a cell that begins with %j, which a reader removes', (first) => {
    const [[cell = ''] = []]: string[][] = parse(csvLine([`${first}1+1`, 'x']))
    expect(cell).toBe(`'${first}1+1`)
    expect(withoutEscape(cell)).toBe(`${first}1+1`)
  })

  test('comes back whole, cell by cell', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.tuple(fc.constantFrom(...FIRST), fc.string()).map((parts) => parts.join('')),
    )
    const cells = fc.array(
      cell.filter((text) => !text.startsWith("'")),
      { minLength: 2, maxLength: 5 },
    )
    fc.assert(
      fc.property(cells, (written) => {
        const [read = []]: string[][] = parse(csvLine(written), { skip_empty_lines: false })
        expect(read.map(withoutEscape)).toEqual(written)
      }),
    )
  })
})
