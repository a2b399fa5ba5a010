import { expect, test } from 'vitest'
import { beginningText, shortenedText, textColumns } from '../../src/text/text-columns.ts'

test('a long text is cut in the middle, or after its beginning, to so many columns', () => {
  expect(shortenedText('abcdefghij', 5)).toBe('ab…ij')
  expect(beginningText('abcdefghij', 5)).toBe('abcd…')
  expect([...beginningText(`a${'\u0301'.repeat(3000)}`, 5)]).toHaveLength(21)
  for (const text of ['', 'abcde']) expect([shortenedText(text, 5), beginningText(text, 5)]).toEqual([text, text])
})

test('wide letters are never cut in two', () => {
  for (const columns of [3, 4, 5, 6]) {
    for (const cut of [shortenedText, beginningText]) {
      expect(textColumns(cut('漢字漢字漢字', columns))).toBeLessThanOrEqual(columns)
    }
  }
})
