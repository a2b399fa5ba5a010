import { describe, expect, test } from 'vitest'
import { fitGam } from '../../src/smoothers/gam.ts'
import { fitIsotonic } from '../../src/smoothers/isotonic.ts'
import { readReference } from '../reference/read-reference.ts'
import { distinct } from './distinct.ts'

interface States {
  readonly p1: readonly (readonly number[])[]
  readonly margin: readonly (readonly number[])[]
}

interface Pilot {
  readonly pilotAtMod: readonly number[]
  readonly pilotAtQueries: readonly number[]
}

interface Golden {
  readonly mod: readonly number[]
  readonly calibration: States & { readonly correct: readonly (readonly number[])[] }
  readonly queries: States
  readonly rounds: readonly (Pilot & { readonly isotonicAtQueries: readonly number[] })[]
}

const solved: { readonly golden: Record<string, readonly Pilot[]> } = readReference('smoothers.json')

describe.each(['small', 'medium'])('golden values, %s', (size) => {
  const golden: Golden = readReference(`../golden/certificate-${size}.json`)

  describe.each(golden.rounds.map((_, t) => t))('round %d', (t) => {
    const cdf = (column: readonly (readonly number[])[]) => {
      const values = column.map((row) => row[t]!)
      return (x: number) => values.filter((value) => value <= x).length / values.length
    }
    const [first, second] = [cdf(golden.calibration.p1), cdf(golden.calibration.margin)]
    const stateOf = ({ p1, margin }: States, row: number) => [first(p1[row]![t]!), second(margin[row]![t]!)]
    const atMod = golden.mod.map((row) => stateOf(golden.calibration, row))
    const atQueries = golden.queries.p1.map((_, row) => stateOf(golden.queries, row))
    const { points, dimension, successes, counts } = distinct(
      atMod,
      golden.mod.map((row) => golden.calibration.correct[row]![t]!),
    )
    const gap = (
      predict: (state: readonly number[]) => number,
      states: readonly number[][],
      expected: readonly number[],
    ) => Math.max(...states.map((state, i) => Math.abs(predict(state) - expected[i]!)))

    test('isotonic at the queries agrees to the 12 digits printed', () => {
      const smoother = fitIsotonic(points, dimension, successes, counts)
      const expected = golden.rounds[t]!.isotonicAtQueries
      expect(gap((state) => smoother.predict(state, 0), atQueries, expected)).toBeLessThan(1e-12)
    })

    test('GAM agrees to 1e-12 with scikit-learn solved to the end', () => {
      const smoother = fitGam(points, dimension, successes, counts)
      const predict = (state: readonly number[]) => smoother.predict(state, 0)
      expect(gap(predict, atMod, solved.golden[size]![t]!.pilotAtMod)).toBeLessThan(1e-12)
      expect(gap(predict, atQueries, solved.golden[size]![t]!.pilotAtQueries)).toBeLessThan(1e-12)
    })

    // The golden values are scikit-learn's `lbfgs`, which stopped with a gradient of up to 1e-3 although its tolerance
    // said 1e-10. See reference/smoothers.py, which finds the same gap with scikit-learn alone.
    test.each([
      ['optimum', 3e-5],
      ['scikit-learn', 1e-6],
    ] as const)('GAM, solver %s, agrees with the golden values to %d', (solver, tolerance) => {
      const smoother = fitGam(points, dimension, successes, counts, solver)
      const predict = (state: readonly number[]) => smoother.predict(state, 0)
      expect(gap(predict, atMod, golden.rounds[t]!.pilotAtMod)).toBeLessThan(tolerance)
      expect(gap(predict, atQueries, golden.rounds[t]!.pilotAtQueries)).toBeLessThan(tolerance)
    })
  })
})
