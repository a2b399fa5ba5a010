import { describe, expect, test } from 'vitest'
import type { Certificate } from '../../src/certificate/calibrate.ts'
import { loadCertificate } from '../../src/certificate/file/load-certificate.ts'
import { decide } from '../../src/decision/decide.ts'
import { replay } from '../../src/decision/replay.ts'
import { CERTIFICATES, FRESH, GROUPS, KINDS, loadOptionsOf, STATES } from './saved-certificates.ts'

const OTHER = { beta: 0.5, delta: 0.08, epsilon: 0.01 }

/** Everything that a certificate reports, to the last bit. */
function sayings(certificate: Certificate): unknown[] {
  if (certificate.kind !== 'knn' || certificate.panel !== null) {
    const { bounds, actedAt } = replay(certificate, FRESH).at(OTHER)
    return [FRESH.map((debate) => decide(certificate, debate)), bounds, actedAt]
  }
  return [1, 2].flatMap((round) =>
    GROUPS.flatMap((group) => [
      certificate.bounds(round, STATES, group),
      STATES.map((state) => certificate.bound(round, state, group)),
    ]),
  )
}

describe.each(KINDS)('a certificate %s', (name) => {
  const certificate: Certificate = CERTIFICATES[name]
  const text = JSON.stringify(certificate)
  const load = (json: string | object) => loadCertificate(json, loadOptionsOf(name))

  test('reports the same to the last bit after a round trip through JSON', () => {
    const loaded = load(text)
    expect(sayings(loaded)).toEqual(sayings(certificate))
    expect(JSON.stringify(loaded)).toBe(text)
    for (const field of ['kind', 'profile', 'budget', 'split', 'rounds', 'fingerprint', 'panel', 'ids'] as const) {
      expect(JSON.stringify(loaded[field])).toBe(JSON.stringify(certificate[field]))
    }
  })

  test('under another budget reports the same as the one that was saved', () => {
    expect(sayings(load(text).withBudget(OTHER))).toEqual(sayings(certificate.withBudget(OTHER)))
    expect(sayings(load(JSON.stringify(certificate.withBudget(OTHER))))).toEqual(sayings(certificate.withBudget(OTHER)))
  })

  test('is loaded from the parsed file, with its keys in any order, and from text with white space', () => {
    const parsed: object = JSON.parse(text)
    const expected = sayings(certificate)
    expect(sayings(load(parsed))).toEqual(expected)
    expect(sayings(load(reordered(parsed) as object))).toEqual(expected)
    expect(sayings(load(JSON.stringify(parsed, null, 2)))).toEqual(expected)
    expect(sayings(load(certificate.toJSON()))).toEqual(expected)
  })
})

test('a state of one’s own needs its function again', () => {
  const text = JSON.stringify(CERTIFICATES['own state'])
  expect(() => loadCertificate(text)).toThrow(
    'loadCertificate: options.state must be the function "depth" the certificate was calibrated with',
  )
})

/** Keys in the opposite order at every depth. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reordered(member)]),
  )
}
