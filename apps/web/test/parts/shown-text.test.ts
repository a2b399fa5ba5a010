import { expect, test } from 'vitest'
import { shownText } from '../../src/parts/shown-text.ts'

test('invisible and reordering characters are shown by their codes; lines and joiners stay', () => {
  expect(shownText('a\u202eb')).toBe('a⟨U+202E⟩b')
  expect(shownText('\u0000\u001b[31m')).toBe('␀␛[31m')
  expect(shownText('\ud800 half')).toBe('⟨U+D800⟩ half')
  expect(shownText('one\r\ntwo\rthree\tend')).toBe('one\ntwo\nthree\tend')
  expect(shownText('👩‍🚀 می‌خواهم')).toBe('👩‍🚀 می‌خواهم')
})
