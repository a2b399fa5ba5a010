import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replyText, unescapedMarkup } from '../../src/debate/reply/reply-text.ts'

const ZERO_WIDTH = '\u200b'

/** Letters that the fast path of both functions must treat like the full one. */
const plain = fc.string({ unit: fc.constantFrom(' ', '\n', '<', '>', '/', 'a', '~', '!', '-'), maxLength: 40 })

test('plain text is read as the same text with an invisible letter, which takes the long way', () => {
  fc.assert(fc.property(plain, (text) => replyText(text) === replyText(`${text}${ZERO_WIDTH}`)))
})

test('markup without escapes stays as it is', () => {
  fc.assert(fc.property(plain, (text) => `${unescapedMarkup(text)}&` === unescapedMarkup(`${text}&`)))
  expect(unescapedMarkup('&lt;b\\>')).toBe('<b>')
})
