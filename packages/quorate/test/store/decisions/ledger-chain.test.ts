import { METHOD_VERSION, sha256 } from '@quorate/certificate'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packageVersion } from '../../../src/files/package-version.ts'
import { CHAIN_START, nextRow, saltedDigest, THIS_CODE } from '../../../src/store/decisions/ledger-chain.ts'
import type { LedgerRow } from '../../../src/store/store.ts'
import { verifyChain } from '../verify-chain.ts'

function chain(bodies: readonly Readonly<Record<string, unknown>>[], runId = 'run'): readonly LedgerRow[] {
  const rows: LedgerRow[] = []
  for (const body of bodies) rows.push(nextRow({ runId, kind: 'decision', at: 5, body }, rows.at(-1) ?? null))
  return rows
}

const five = chain([{ a: 1 }, { b: 'é"\u2028' }, { c: [1.5, null] }, {}, { e: { z: 0, a: -0 } }])

test('a row equals one computed by hand: RFC 8785 text, SHA-256 of its UTF-8 bytes, zeros before the first', () => {
  const line = `{"at":5,"body":{"a":1},"code":{"methodVersion":7,"version":"0.0.9"},"kind":"decision","previous":"${'0'.repeat(64)}","runId":"run","sequence":1}`
  const code = { version: '0.0.9', methodVersion: 7 }
  const row = nextRow({ runId: 'run', kind: 'decision', at: 5, body: { a: 1 } }, null, code)
  expect(row).toEqual({ runId: 'run', sequence: 1, line, hash: sha256(line) })
  const next = nextRow({ runId: 'run', kind: 'decision', at: 5, body: {} }, row)
  expect(JSON.parse(next.line)).toMatchObject({ previous: sha256(line), sequence: 2, code: THIS_CODE })
  expect(THIS_CODE).toEqual({ version: packageVersion(), methodVersion: METHOD_VERSION })
})

/**
 * A defect of V8 in Node 24: `JSON.parse` reads a name of one escaped character, such as `"\""`, as a backslash if an object that
 * was parsed before has the name `\\` in the same place. The chain is then called broken.
 */
function hasMisreadName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, member]) =>
      (name.length === 1 && JSON.stringify(name).length > 3 && name !== '\\') || hasMisreadName(member),
  )
}

describe('a whole chain', () => {
  test('verifies, with its head, with an earlier head, and empty', () => {
    const head = five.at(-1)?.hash ?? ''
    expect(verifyChain(five)).toEqual({ kind: 'whole', rows: 5, head, rowsAfterHead: 0 })
    expect(verifyChain(five, head)).toEqual({ kind: 'whole', rows: 5, head, rowsAfterHead: 0 })
    expect(verifyChain(five, five[2]?.hash)).toMatchObject({ kind: 'whole', rowsAfterHead: 2 })
    expect(verifyChain([])).toEqual({ kind: 'whole', rows: 0, head: CHAIN_START, rowsAfterHead: 0 })
    expect(verifyChain(five, CHAIN_START)).toMatchObject({ kind: 'whole', rowsAfterHead: 5 })
  })

  test('of any bodies verifies', () => {
    const body = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
    fc.assert(
      fc.property(fc.array(body, { maxLength: 6 }), (bodies) => {
        fc.pre(!hasMisreadName(bodies))
        expect(verifyChain(chain(bodies)).kind).toBe('whole')
      }),
    )
  })
})

describe('a broken chain is detected', () => {
  test('whatever character of a line or a hash changes', () => {
    const part = fc.constantFrom('line' as const, 'hash' as const)
    fc.assert(
      fc.property(fc.nat(4), part, fc.nat(), fc.integer({ min: 1, max: 60_000 }), (at, name, place, change) => {
        const rows = five.map((row, index) => {
          if (index !== at) return row
          const text = row[name]
          const where = place % text.length
          const other = String.fromCharCode((text.charCodeAt(where) + change) % 55_000)
          return { ...row, [name]: text.slice(0, where) + other + text.slice(where + 1) }
        })
        const changed = rows.some((row, index) => row[name] !== five[index]?.[name])
        expect(verifyChain(rows).kind).toBe(changed ? 'broken' : 'whole')
      }),
      { numRuns: 500 },
    )
  })

  test('when a row is missing, doubled or moved', () => {
    for (const at of [0, 1, 2, 3]) {
      expect(verifyChain(five.toSpliced(at, 1))).toMatchObject({ kind: 'broken', sequence: at + 1 })
      const [row, next] = [five[at], five[at + 1]]
      if (row === undefined || next === undefined) throw new Error('no row')
      expect(verifyChain(five.toSpliced(at, 0, row)).kind).toBe('broken')
      expect(verifyChain(five.toSpliced(at, 2, next, row)).kind).toBe('broken')
    }
  })

  test('when rows at the end are missing, if the head is known; without a head it cannot be detected', () => {
    const head = five.at(-1)?.hash ?? ''
    for (const length of [0, 1, 4]) {
      expect(verifyChain(five.slice(0, length))).toMatchObject({ kind: 'whole' })
      expect(verifyChain(five.slice(0, length), head)).toMatchObject({ kind: 'broken', sequence: length + 1 })
    }
  })

  test('when a row and all hashes after it are rewritten, if the head is known', () => {
    const forged = chain([{ a: 1 }, { b: 'other' }, { c: [1.5, null] }, {}, { e: {} }])
    expect(verifyChain(forged).kind).toBe('whole')
    expect(verifyChain(forged, five.at(-1)?.hash).kind).toBe('broken')
  })

  test('when rows belong to another run, or a line is not canonical JSON', () => {
    const [first] = five
    if (first === undefined) throw new Error('no row')
    expect(verifyChain([{ ...first, runId: 'other' }])).toMatchObject({ reason: 'the line is of another run' })
    const line = first.line.replace('{"at"', '{ "at"')
    expect(verifyChain([{ ...first, line, hash: sha256(line) }])).toMatchObject({
      reason: 'the line is not RFC 8785 JSON of an object',
    })
    for (const text of ['', 'null', '[]', '{']) {
      expect(verifyChain([{ ...first, line: text, hash: sha256(text) }]).kind).toBe('broken')
    }
  })
})

test('a salted digest depends on salt and text, and not only on their concatenation', () => {
  expect(saltedDigest('salt', 'text')).toBe(sha256('["salt","text"]'))
  expect(saltedDigest('sal', 'ttext')).not.toBe(saltedDigest('salt', 'text'))
})
