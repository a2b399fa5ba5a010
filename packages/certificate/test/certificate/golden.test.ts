import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fitCertificate } from '../../src/certificate/fit-certificate.ts'
import { clopperPearsonLower } from '../../src/concentration/clopper-pearson.ts'
import type { Bound } from '../../src/knn/local-bound.ts'

/** Reference values from SciPy and scikit-learn; see the `note` inside the files. */
interface Golden {
  readonly T: number
  readonly delta: number
  readonly kFamily: number[]
  readonly mod: number[]
  readonly loc: number[]
  readonly calibration: { readonly p1: number[][]; readonly margin: number[][]; readonly correct: number[][] }
  readonly queries: { readonly p1: number[][]; readonly margin: number[][] }
  readonly rounds: readonly {
    readonly perK: readonly {
      readonly k: number
      readonly radius: number[]
      readonly mean: number[]
      readonly envelopeModulus: number[]
      readonly envelopeMeanModulus: number[]
      readonly hoeffding: number
      readonly empiricalBernstein: number[]
      readonly clopperPearsonLower: number[]
      readonly lowerPaper: number[]
      readonly lowerTight: number[]
    }[]
    readonly lowerPaper: number[]
    readonly lowerTight: number[]
  }[]
}

const folder = join(import.meta.dirname, '../golden')
const BUDGET = { beta: 0.15, delta: 0.03, epsilon: 0.02 }
const TIGHT = { concentration: 'clopper-pearson', envelope: 'mean-modulus' } as const

describe.each(readdirSync(folder))('%s', (file) => {
  const golden: Golden = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const { T, kFamily, mod, loc, calibration, queries } = golden
  const rounds = Array.from({ length: T }, (_, t) => ({
    states: calibration.p1.map((p1, row) => [p1[t]!, calibration.margin[row]![t]!]),
    correct: calibration.correct.map((row) => row[t]!),
  }))
  const options = {
    profile: 'paper',
    budget: { ...BUDGET, delta: golden.delta },
    split: { pilot: mod, neighbours: loc },
  } as const
  const fit = (overrides: object) => fitCertificate({ rounds }, { ...options, kFamily, ...overrides })
  const states = (t: number) => queries.p1.map((p1, row) => [p1[t]!, queries.margin[row]![t]!])

  test.each([
    ['paper', {}, 'lowerPaper'],
    ['tight', TIGHT, 'lowerTight'],
  ] as const)('the %s bound of every query agrees to 1e-6', (_, overrides, field) => {
    const certificate = fit(overrides)
    for (const [t, round] of golden.rounds.entries()) {
      const batch = certificate.bounds(t + 1, states(t))
      for (const [row, state] of states(t).entries()) {
        const bound = certificate.bound(t + 1, state)
        expect(bound.lower).toBeCloseTo(round[field][row]!, 6)
        expect(batch[row]).toBe(bound.lower)
      }
    }
  })

  test('mean, radius, envelope and slack of every neighbourhood size agree to 1e-6', () => {
    const looks = T * kFamily.length
    for (const slot of kFamily.keys()) {
      // Alone in its family, a size is always the one chosen; delta is scaled so that the level stays the same.
      const alone = (overrides: object): ((t: number, state: number[]) => Bound) => {
        const budget = { ...BUDGET, delta: golden.delta / kFamily.length }
        const certificate = fit({ kFamily: [kFamily[slot]!], budget, ...overrides })
        return (t, state) => {
          const bound = certificate.bound(t + 1, state)
          if (bound.lower === null) throw new Error('no bound')
          return bound
        }
      }
      const paper = alone({})
      const tight = alone(TIGHT)
      const bernstein = alone({ concentration: 'empirical-bernstein' })
      for (const [t, round] of golden.rounds.entries()) {
        const expected = round.perK[slot]!
        for (const [row, state] of states(t).entries()) {
          const bound = paper(t, state)
          expect(bound.k).toBe(expected.k)
          expect(bound.neighbours).toBe(expected.k)
          expect(bound.mean).toBeCloseTo(expected.mean[row]!, 6)
          expect(bound.radius).toBeCloseTo(expected.radius[row]!, 6)
          expect(bound.envelope).toBeCloseTo(expected.envelopeModulus[row]!, 6)
          expect(bound.slack).toBeCloseTo(expected.hoeffding, 6)
          expect(bound.lower).toBeCloseTo(expected.lowerPaper[row]!, 6)
          expect(tight(t, state).envelope).toBeCloseTo(expected.envelopeMeanModulus[row]!, 6)
          expect(tight(t, state).lower).toBeCloseTo(expected.lowerTight[row]!, 6)
          expect(bernstein(t, state).slack).toBeCloseTo(expected.empiricalBernstein[row]!, 6)
          const successes = Math.round(bound.mean * expected.k)
          const exact = clopperPearsonLower(successes, expected.k, golden.delta / looks)
          expect(exact).toBeCloseTo(expected.clopperPearsonLower[row]!, 6)
        }
      }
    }
  })
})
