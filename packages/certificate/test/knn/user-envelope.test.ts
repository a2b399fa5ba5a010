import { describe, expect, test, vi } from 'vitest'
import { loadCertificate } from '../../src/certificate/file/load-certificate.ts'
import { fitCertificate } from '../../src/certificate/fit-certificate.ts'
import type { EnvelopeChoice } from '../../src/knn/knn-options.ts'
import { BUDGET, drawCalibration } from './arbitrary-calibration.ts'

const { split, queries, ...input } = drawCalibration({ seed: 3, rows: 60, dimension: 2, rounds: 1, kind: 'continuous' })
const fit = (envelope: EnvelopeChoice, rho = 1) =>
  fitCertificate(input, { profile: 'tight', budget: BUDGET, split, kFamily: [5, 20], envelope, rho })
const query = queries[0]!

describe('an envelope of the user', () => {
  test('is asked for every size with the state as it was given, and is taken off the bound', () => {
    const of = vi.fn((k: number) => k / 100)
    const bound = fit({ name: 'linear', of }).bound(1, query)
    expect(of.mock.calls).toEqual([
      [5, query],
      [20, query],
    ])
    if (bound.lower === null) throw new Error('no bound')
    expect(bound.envelope).toBe(bound.k / 100)
    expect(bound.lower).toBe(bound.mean - bound.envelope - bound.slack)
  })

  test('that is constant is bounded oscillation, and rho multiplies both', () => {
    const of = () => 0.07
    expect(fit({ name: 'constant', of }).bound(1, query)).toEqual(fit({ oscillation: 0.07 }).bound(1, query))
    expect(fit({ name: 'constant', of }, 2).bound(1, query)).toEqual(fit({ oscillation: 0.14 }).bound(1, query))
    expect(fit({ oscillation: 0 }).bound(1, query)).toEqual(fit('none').bound(1, query))
  })

  test.each([-0.01, Number.NaN, Infinity, '0.1', undefined])('that gives %s is refused where it is asked', (value) => {
    const of = () => value as number // what JavaScript may hand over
    expect(() => fit({ name: 'wrong', of }).bound(1, query)).toThrow(/envelope "wrong" at k = 5/)
  })

  test('is saved by name and loaded with its function, and without it is refused', () => {
    const of = (k: number, [first]: readonly number[]) => first! / k
    const certificate = fit({ name: 'mine', of })
    const text = JSON.stringify(certificate)
    const loaded = loadCertificate(text, { envelope: of })
    if (loaded.kind !== 'knn') throw new Error('another kind')
    expect(loaded.bound(1, query)).toEqual(certificate.bound(1, query))
    expect(() => loadCertificate(text)).toThrow(/the function "mine" of k and the state/)
  })
})

test.each([{ oscillation: -1 }, { oscillation: Number.NaN }, { name: 'mine' }, { name: '', of: () => 0 }])(
  '%j is no envelope',
  (envelope) => {
    expect(() => fit(envelope as EnvelopeChoice)).toThrow(/envelope/)
  },
)
