import { describe, expect, test } from 'vitest'
import { clopperPearsonLower } from '../../src/concentration/clopper-pearson.ts'
import { empiricalBernsteinLower } from '../../src/concentration/empirical-bernstein.ts'
import { hoeffdingLower } from '../../src/concentration/hoeffding.ts'
import { readReference } from '../reference/read-reference.ts'

interface Golden {
  readonly T: number
  readonly delta: number
  readonly kFamily: readonly number[]
  readonly rounds: readonly {
    readonly perK: readonly {
      readonly k: number
      readonly mean: readonly number[]
      readonly hoeffding: number
      readonly empiricalBernstein: readonly number[]
      readonly clopperPearsonLower: readonly number[]
    }[]
  }[]
}

/** The files print 12 digits. */
const PRINTED = 1e-11

describe.each(['small', 'medium'])('golden values, %s', (size) => {
  const golden: Golden = readReference(`../golden/certificate-${size}.json`)
  const level = golden.delta / (golden.T * golden.kFamily.length)
  const cases = golden.rounds.flatMap(({ perK }) =>
    perK.flatMap((entry) =>
      entry.mean.map((mean, query) => ({ entry, mean, query, successes: Math.round(mean * entry.k) })),
    ),
  )

  test('slack of Hoeffding', () => {
    for (const { entry, mean, successes } of cases) {
      expect(Math.abs(mean - hoeffdingLower(successes, entry.k, level) - entry.hoeffding)).toBeLessThan(PRINTED)
    }
  })

  test('slack of empirical Bernstein with the variance of the paper', () => {
    for (const { entry, mean, query, successes } of cases) {
      const slack = mean - empiricalBernsteinLower(successes, entry.k, level, 'paper')
      expect(Math.abs(slack - entry.empiricalBernstein[query]!)).toBeLessThan(PRINTED)
    }
  })

  test('bound of Clopper and Pearson', () => {
    for (const { entry, query, successes } of cases) {
      const gap = clopperPearsonLower(successes, entry.k, level) - entry.clopperPearsonLower[query]!
      expect(Math.abs(gap)).toBeLessThan(PRINTED)
    }
  })
})
