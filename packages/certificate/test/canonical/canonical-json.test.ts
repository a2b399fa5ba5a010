import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../src/canonical/canonical-json.ts'

describe('canonicalJson', () => {
  test('by hand: keys by code unit at every depth, lists in their order, no white space', () => {
    const value = { b: [{ z: 1, a: null }, 'x'], a: 1.5, '\uff21': true, '\u{1F600}': false, B: {}, '10': 0, '9': 0 }
    const text = '{"10":0,"9":0,"B":{},"a":1.5,"b":[{"a":null,"z":1},"x"],"\u{1F600}":false,"\uff21":true}'
    expect(canonicalJson(value)).toBe(text)
  })

  test('numbers and texts are written as JSON.stringify writes them', () => {
    for (const value of [0, -0, 1e21, 1e-7, 0.1, 5e-324, 123456789012345680000, '"\\\n\u2028\ud800', true, null]) {
      expect(canonicalJson(value)).toBe(JSON.stringify(value))
    }
  })

  test('means the same as the value it was written from', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
  })

  test('equal values in any order of keys give equal text', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom('__proto__', 'constructor', '1', '02'),
    )
    const members = fc.uniqueArray(fc.tuple(name, fc.jsonValue({ maxDepth: 1 })), { selector: ([key]) => key })
    fc.assert(
      fc.property(members, (entries) => {
        expect(canonicalJson(Object.fromEntries(entries.toReversed()))).toBe(canonicalJson(Object.fromEntries(entries)))
      }),
    )
  })

  test('a member named __proto__ is written', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1},"a":2}'))).toBe('{"__proto__":{"a":1},"a":2}')
  })

  test('a member that is undefined is left out, as JSON.stringify does', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}')
  })
})
