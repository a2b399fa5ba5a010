import { property, string, assert as verify } from 'fast-check'
import { expect, test } from 'vitest'
import { plainText, withoutControls } from '../../src/text/plain-text.ts'

test.each([
  ['colour', '\u001b[31mred\u001b[0m', 'red'],
  ['a window title', '\u001b]0;owned\u0007text', 'text'],
  ['a link', '\u001b]8;;https://example.org\u0007click\u001b]8;;\u0007', 'click'],
  ['cursor movement and clearing', 'a\u001b[2J\u001b[Hb', 'ab'],
  ['an eight-bit escape', 'a\u009b31mb', 'ab'],
  ['a bell, a backspace, a delete', 'a\u0007b\u0008c\u007fd', 'abcd'],
  ['text direction', 'a\u202etxt.exe', 'atxt.exe'],
  ['line breaks', 'one\r\ntwo\u2028three\tfour', 'one two three four'],
])('%s is taken out', (_, hostile, plain) => {
  expect(plainText(hostile)).toBe(plain)
})

test('letters of all scripts stay', () => {
  expect(plainText('Straße, 東京, Ελλάδα, naïve 👍')).toBe('Straße, 東京, Ελλάδα, naïve 👍')
})

test('no text leaves a control, format or line-breaking character behind', () => {
  verify(
    property(string({ unit: 'binary' }), (text) => {
      expect(plainText(text)).not.toMatch(/\p{C}|\p{Zl}|\p{Zp}/u)
    }),
  )
})

test('text of any length keeps its lines and tabs, and nothing that controls a terminal', () => {
  const hostile = '\u001b]0;title\u0007a\u009b31mb\u202e\r\n\tc\u0000'
  expect(withoutControls(hostile)).toBe(']0;titlea31mb\n\tc')
  expect(withoutControls('é 漢字 👍 "x",y')).toBe('é 漢字 👍 "x",y')
})
