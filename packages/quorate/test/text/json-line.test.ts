import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonLine } from '../../src/text/json-line.ts'

test('parses to the same value, on one line, without a character that controls a terminal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      const line = jsonLine({ value, text })
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify({ value, text })))
      expect([...line].filter((letter) => /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(letter))).toEqual(['\n'])
    }),
  )
})
