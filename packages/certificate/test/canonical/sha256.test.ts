import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../src/canonical/sha256.ts'

const expected = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')

describe('agrees with node:crypto', () => {
  test('on every length from 0 to 300, so also on both sides of each block', () => {
    for (let length = 0; length <= 300; length++) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 37 + length) & 0xff)
      expect(sha256(bytes)).toBe(expected(bytes))
      const text = 'x'.repeat(length)
      expect(sha256(text)).toBe(expected(text))
    }
  })

  test('on arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect(sha256(bytes)).toBe(expected(bytes))
      }),
      { numRuns: 500 },
    )
  })

  test('on arbitrary text, with lone surrogates as TextEncoder writes them', () => {
    const unit = fc.oneof(
      fc.constantFrom('\ud800', '\udbff', '\udc00', '\udfff', '\u{1F600}', '\u{10FFFF}', '\u007f', '\u0080', '\u07ff'),
      fc.constantFrom('\u0800', '\uffff', 'a', 'é', '€', '\0'),
    )
    const text = fc.oneof(
      fc.array(unit, { maxLength: 80 }).map((units) => units.join('')),
      fc.string({ unit: 'binary', maxLength: 200 }),
    )
    fc.assert(
      fc.property(text, (drawn) => {
        expect(sha256(drawn)).toBe(expected(new TextEncoder().encode(drawn)))
      }),
      { numRuns: 400 },
    )
  })

  test('on part of a larger buffer, and a million bytes', () => {
    const bytes = new Uint8Array(1_000_000).fill(0x61)
    expect(sha256(bytes)).toBe('cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0')
    const part = Uint8Array.from({ length: 300 }, (_, at) => at & 0xff).subarray(13, 213)
    expect(sha256(part)).toBe(expected(part))
  })
})

test('the examples of FIPS 180-4', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
