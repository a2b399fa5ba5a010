import { describe, expect, test } from 'vitest'
import { loadCertificate } from '../../src/certificate/file/load-certificate.ts'
import { type CertificateOptions, fitCertificate } from '../../src/certificate/fit-certificate.ts'
import { BUDGET, drawCalibration } from './arbitrary-calibration.ts'

const NAMES = ['__proto__', 'constructor', 'art', ''] as const
const calibration = drawCalibration({ seed: 8, rows: 240, dimension: 2, rounds: 2, kind: 'lumpy' })
const { rounds, queries } = calibration
const groups = rounds[0]!.correct.map((_, row) => NAMES[row % NAMES.length]!)
const base = { profile: 'tight', budget: BUDGET, kFamily: [3, 8, 15], split: calibration.split } as const
const fit = (options: Partial<CertificateOptions> = {}) => fitCertificate({ rounds, groups }, { ...base, ...options })

/** A certificate over the rows of one group alone, as if the others did not exist. */
function alone(group: string, options: Partial<CertificateOptions> = {}) {
  const members = groups.flatMap((name, row) => (name === group ? [row] : []))
  const renamed = (list: readonly number[]) =>
    list.filter((row) => groups[row] === group).map((row) => members.indexOf(row))
  const own = rounds.map(({ states, correct }) => ({
    states: members.map((row) => states[row]!),
    correct: members.map((row) => correct[row]!),
  }))
  const split = { pilot: renamed(base.split.pilot), neighbours: renamed(base.split.neighbours) }
  return fitCertificate({ rounds: own }, { ...base, ...options, split })
}

describe.each(['paper', 'tight'] as const)('profile %s', (profile) => {
  test.each(NAMES)("a bound for group %j comes from the group's own rows, as if there were no others", (group) => {
    const options = { profile, groupLevel: 'ordinary' } as const
    const [certificate, own] = [fit(options), alone(group, options)]
    for (const round of [1, 2]) {
      expect(certificate.bounds(round, queries, group)).toEqual(own.bounds(round, queries))
      for (const state of queries) expect(certificate.bound(round, state, group)).toEqual(own.bound(round, state))
    }
  })

  test('at the simultaneous level delta is divided by the number of groups', () => {
    const certificate = fit({ profile, groupLevel: 'simultaneous' })
    const own = alone('art', { profile, budget: { ...BUDGET, delta: BUDGET.delta / NAMES.length } })
    expect(certificate.bounds(1, queries, 'art')).toEqual(own.bounds(1, queries))
  })

  test('the bound without a group does not know of groups', () => {
    const plain = fitCertificate({ rounds }, { ...base, profile })
    for (const groupLevel of ['ordinary', 'simultaneous'] as const) {
      expect(fit({ profile, groupLevel }).bounds(1, queries)).toEqual(plain.bounds(1, queries))
    }
  })
})

test('the paper claims all groups at once unless told otherwise, tight does not', () => {
  const bounds = (options: Partial<CertificateOptions>) => fit(options).bounds(1, queries, 'art')
  expect(bounds({ profile: 'paper' })).toEqual(bounds({ profile: 'paper', groupLevel: 'simultaneous' }))
  expect(bounds({ profile: 'tight' })).toEqual(bounds({ profile: 'tight', groupLevel: 'ordinary' }))
})

test('a group without rows has too few labels, also one named like a property of every object', () => {
  const plain = fitCertificate({ rounds }, base)
  for (const certificate of [fit(), plain]) {
    for (const group of ['law', 'toString', 'hasOwnProperty']) {
      expect(certificate.bound(1, queries[0]!, group)).toEqual({ lower: null, reason: 'too-few-labels' })
      expect(certificate.bounds(1, queries, group)).toEqual(new Float64Array(queries.length).fill(Number.NaN))
    }
  }
  expect(plain.bound(1, queries[0]!, '__proto__')).toEqual({ lower: null, reason: 'too-few-labels' })
})

test('a group whose rows are all pilot rows, or on no side, has too few labels', () => {
  const { pilot } = base.split
  const inGroup = (name: string) => groups.flatMap((group, row) => (group === name ? [row] : []))
  const art = inGroup('art')
  const split = {
    pilot: [...new Set([...pilot, ...art])],
    neighbours: base.split.neighbours.filter((row) => !art.includes(row)),
  }
  expect(fit({ split }).bound(1, queries[0]!, 'art')).toEqual({ lower: null, reason: 'too-few-labels' })
  const nowhere = { ...split, pilot: split.pilot.filter((row) => !art.includes(row)) }
  expect(fit({ split: nowhere }).bound(1, queries[0]!, 'art')).toEqual({ lower: null, reason: 'too-few-labels' })
})

test('groups survive a journey through JSON', () => {
  const certificate = fit({ groupLevel: 'simultaneous' })
  const loaded = loadCertificate(JSON.stringify(certificate))
  if (loaded.kind !== 'knn') throw new Error('another kind')
  for (const group of NAMES) expect(loaded.bounds(2, queries, group)).toEqual(certificate.bounds(2, queries, group))
})
