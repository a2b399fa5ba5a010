import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalDigest } from '../../src/canonical/canonical-digest.ts'
import { canonicalJson, canonicalPieces } from '../../src/canonical/canonical-json.ts'
import { sha256, sha256Stream } from '../../src/canonical/sha256.ts'

/** The definition, in one step. */
function writtenOut(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writtenOut).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const texts = members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${writtenOut(member)}`)
  return `{${texts.join(',')}}`
}

describe('canonicalPieces', () => {
  test('together are the canonical JSON as it is defined', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const pieces: string[] = []
        canonicalPieces(value, (piece) => pieces.push(piece))
        expect(pieces.join('')).toBe(writtenOut(value))
        expect(canonicalJson(value)).toBe(writtenOut(value))
        expect(canonicalDigest(value)).toBe(sha256(writtenOut(value)))
      }),
    )
  })

  test('write every iterable as a list', () => {
    const value = { b: new Set(['x', 'y']), a: new Set(), c: Float64Array.of(0.5, 2) }
    expect(canonicalJson(value)).toBe('{"a":[],"b":["x","y"],"c":[0.5,2]}')
  })

  test('of a large value are many, none of them long', () => {
    const value = { numbers: Array.from({ length: 50_000 }, (_, at) => at / 7), text: '\u{1F600}'.repeat(1000) }
    const pieces: string[] = []
    canonicalPieces(value, (piece) => pieces.push(piece))
    expect(pieces.length).toBeGreaterThan(10)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000)
    expect(pieces.join('')).toBe(writtenOut(value))
    expect(canonicalDigest(value)).toBe(sha256(writtenOut(value)))
  })
})

describe('sha256Stream agrees with node:crypto', () => {
  test('on any cut of the bytes', () => {
    const cuts = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 })
    fc.assert(
      fc.property(cuts, (parts) => {
        const [ours, theirs] = [sha256Stream(), createHash('sha256')]
        for (const part of parts) {
          ours.add(part)
          theirs.update(part)
        }
        expect(ours.hex()).toBe(theirs.digest('hex'))
      }),
    )
  })

  test('on long texts whose surrogate pairs stand on every place', () => {
    for (let shift = 0; shift < 4; shift++) {
      const text = `${'x'.repeat(shift)}${'\u{1F600}é'.repeat(20_000)}\ud800`
      expect(sha256(text)).toBe(createHash('sha256').update(new TextEncoder().encode(text)).digest('hex'))
    }
  })
})
