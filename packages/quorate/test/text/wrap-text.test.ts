import { array, integer, property, string, assert as verify } from 'fast-check'
import { expect, test } from 'vitest'
import { textColumns } from '../../src/text/text-columns.ts'
import { hangingText, wrapText } from '../../src/text/wrap-text.ts'

test('lines break at spaces, and long words where they must', () => {
  expect(wrapText('the panel waits for unanimity', 9)).toEqual(['the panel', 'waits for', 'unanimity'])
  expect(wrapText('a deliberation', 6)).toEqual(['a', 'delibe', 'ration'])
})

test('later lines stand under the first word', () => {
  expect(hangingText('Note  ', 'one two three', 13)).toEqual(['Note  one two', '      three'])
})

test('no line is wider than asked for and no letter is lost', () => {
  verify(
    property(array(string({ minLength: 1, unit: 'grapheme' })), integer({ min: 4, max: 60 }), (words, columns) => {
      const text = words.join(' ')
      const lines = wrapText(text, columns)
      for (const line of lines) expect(textColumns(line)).toBeLessThanOrEqual(columns)
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
    }),
  )
})

test('colour takes no column, East Asian letters two, combining marks none', () => {
  expect(textColumns('\u001b[31mred\u001b[0m')).toBe(3)
  expect(textColumns('東京')).toBe(4)
  expect(textColumns('e\u0301')).toBe(1)
})
