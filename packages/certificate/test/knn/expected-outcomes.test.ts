import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { fitCertificate } from '../../src/certificate/fit-certificate.ts'
import type { KnnOptions, KnnProfile } from '../../src/knn/knn-options.ts'
import { BUDGET, choices, drawCalibration } from './arbitrary-calibration.ts'

const TOO_FEW = { lower: null, reason: 'too-few-labels' }
const learned = ['modulus', 'mean-modulus', 'pilot-oscillation'] as const

describe('too few labels are a value, not an error', () => {
  const calibration = drawCalibration({ seed: 2, rows: 20, dimension: 2, rounds: 2, kind: 'continuous' })
  const { split, queries } = calibration
  const fit = (options: Partial<KnnOptions>, input: typeof calibration = calibration) =>
    fitCertificate(input, { profile: 'tight', budget: BUDGET, split: input.split, kFamily: [3], ...options })

  test('when the rows are fewer than the sharp alpha is proved for', () => {
    expect(split.neighbours).toHaveLength(10)
    const certificate = fitCertificate(calibration, { profile: 'tight', budget: BUDGET, split })
    expect(certificate.bound(1, queries[0]!)).toEqual(TOO_FEW)
    expect(certificate.bounds(2, queries)).toEqual(new Float64Array(queries.length).fill(Number.NaN))
    expect(certificate.canAct()).toBe(false)
    expect(fit({ kFamily: [11] }).bound(1, queries[0]!)).toEqual(TOO_FEW)
  })

  test.each(learned)('when the pilot has one class only and the envelope is %s', (envelope) => {
    for (const [label, smoother] of [
      [0, 'gam'],
      [1, 'isotonic'],
    ] as const) {
      const rounds = calibration.rounds.map((round, at) =>
        at === 0
          ? { ...round, correct: round.correct.map((old, row) => (split.pilot.includes(row) ? label : old)) }
          : round,
      )
      const certificate = fit({ envelope, smoother }, { ...calibration, rounds })
      expect(certificate.bound(1, queries[0]!)).toEqual(TOO_FEW)
      expect(certificate.bound(2, queries[0]!).lower).toBeTypeOf('number')
    }
  })

  test('an envelope that is stated needs no pilot', () => {
    for (const envelope of ['none', { lipschitz: 1 }, { holder: [1, 0.5] }] as const) {
      const alone = { ...calibration, split: { pilot: [], neighbours: [0, 1, 2, 3, 4] } }
      expect(fit({ envelope }, alone).bound(1, queries[0]!)).toMatchObject({ k: 3 })
    }
  })

  test('when a side of the split is empty', () => {
    for (const sides of [
      { pilot: [], neighbours: [0, 1, 2, 3] },
      { pilot: [0, 1, 2, 3], neighbours: [] },
      { pilot: [], neighbours: [] },
    ]) {
      expect(fit({}, { ...calibration, split: sides }).bound(1, queries[0]!)).toEqual(TOO_FEW)
    }
  })

  test('all rows right, or all wrong, with an envelope that needs no labels', () => {
    for (const label of [0, 1]) {
      const rounds = calibration.rounds.map((round) => ({ ...round, correct: round.correct.map(() => label) }))
      const bound = fit({ envelope: 'none' }, { ...calibration, rounds }).bound(1, queries[0]!)
      expect(bound).toMatchObject({ mean: label, k: 3 })
    }
  })
})

describe('a size above the number of rows is cut to it', () => {
  const { split, queries, ...input } = drawCalibration({
    seed: 2,
    rows: 20,
    dimension: 2,
    rounds: 2,
    kind: 'continuous',
  })
  const fit = (options: Partial<KnnOptions>, profile: KnnProfile = 'tight') =>
    fitCertificate(input, { profile, budget: BUDGET, split, ...options })
  const boundOf = (options: Partial<KnnOptions>, profile?: KnnProfile) => fit(options, profile).bound(1, queries[0]!)

  test('under the printed alpha', () => {
    expect(boundOf({}, 'paper')).toMatchObject({ k: 10, neighbours: 10 })
    expect(boundOf({ alphaRule: 'printed' })).toMatchObject({ k: 10, neighbours: 10 })
  })

  test('and left out under the sharp one', () => {
    expect(boundOf({ kFamily: [10, 11], looks: 'distinct' })).toEqual(boundOf({ kFamily: [10], looks: 'distinct' }))
    expect(boundOf({ kFamily: [5, 11], looks: 'distinct' })).toEqual(boundOf({ kFamily: [5], looks: 'distinct' }))
  })

  test('and pays for the whole family, or for each distinct neighbourhood', () => {
    const slack = (kFamily: number[], looks: KnnOptions['looks']) => {
      const bound = boundOf({ kFamily, looks }, 'paper')
      return bound.lower === null ? null : bound.slack
    }
    expect(slack([11, 12], 'distinct')).toBe(slack([10], 'distinct'))
    expect(slack([11, 12], 'family')).toBeGreaterThan(slack([10], 'family')!)
  })

  test('the slack that the paper prints for GPQA is that of its 218 neighbour rows', () => {
    const rows = { seed: 2, rows: 436, dimension: 2, rounds: 4, kind: 'continuous' } as const
    const { split: sides, queries: asked, ...larger } = drawCalibration(rows)
    const budget = { beta: 0.15, delta: 0.03, epsilon: 0.02 }
    const all = fitCertificate(larger, {
      profile: 'paper',
      budget,
      split: sides,
      envelope: 'none',
      kFamily: [512, 513, 514],
    })
    expect(all.bound(1, asked[0]!)).toMatchObject({ k: 218, slack: expect.closeTo(0.117, 3) })
  })
})

test('one to ten rows, any options: a number or too few labels, never NaN', () => {
  const tiny = fc.record({
    rows: fc.array(fc.tuple(fc.constantFrom(0, 0.5, 1), fc.constantFrom(0, 1)), { minLength: 1, maxLength: 10 }),
    split: fc.constantFrom(
      { pilotFraction: 0, seed: 1 },
      { pilotFraction: 0.5, seed: 1 },
      { pilotFraction: 0.9, seed: 3 },
    ),
    query: fc.constantFrom(-1, 0, 0.25, 0.5, 2),
  })
  fc.assert(
    fc.property(tiny, choices, ({ rows, split, query }, options) => {
      const input = { rounds: [{ states: rows.map(([x]) => [x]), correct: rows.map(([, label]) => label) }] }
      const bound = fitCertificate(input, { ...options, split, budget: BUDGET }).bound(1, [query])
      if (bound.lower === null) expect(bound).toEqual(TOO_FEW)
      else expect(Object.values(bound).some(Number.isNaN)).toBe(false)
    }),
    { numRuns: sized({ short: 350, full: 1000 }) },
  )
})

describe('a budget', () => {
  const calibration = drawCalibration({ seed: 2, rows: 40, dimension: 1, rounds: 1, kind: 'continuous' })
  const fit = (beta: number, delta: number, epsilon: number) =>
    fitCertificate(calibration, { profile: 'paper', budget: { beta, delta, epsilon }, kFamily: [5] })

  test('of alpha = .001 or less is not feasible, and still no error', () => {
    expect(fit(0.051, 0.03, 0.02)).toMatchObject({ feasible: false, threshold: 0.999 })
    expect(fit(0.02, 0.03, 0.02)).toMatchObject({ feasible: false, threshold: 1.03 })
    expect(fit(0.05, 0.03, 0.02)).toMatchObject({ feasible: false, threshold: 1 })
    expect(fit(0.0511, 0.03, 0.02)).toMatchObject({ feasible: true, threshold: 0.9989 })
  })

  test('is spent as written in decimals', () => {
    expect(fit(0.15, 0.03, 0.02).budget).toEqual({
      beta: 0.15,
      delta: 0.03,
      epsilon: 0.02,
      deltaOmega: 0,
      alpha: 0.1,
      threshold: 0.9,
      shortfall: 0.03,
      level: 0.03,
      feasible: true,
    })
    expect(fit(0.3, 0.1, 0.1).threshold).toBe(0.9)
  })
})
