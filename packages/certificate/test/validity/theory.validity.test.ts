import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { holm } from '../../src/audits/holm.ts'
import { fitCertificate } from '../../src/certificate/fit-certificate.ts'
import { clopperPearsonLower } from '../../src/concentration/clopper-pearson.ts'
import { type Random, seededRandom } from '../../src/random.ts'
import { normalCdf } from '../../src/special/normal-cdf.ts'
import { normalQuantile } from '../../src/special/normal-quantile.ts'
import { TRUTHS, type Truth } from './truths.ts'

/** Theorems of the paper on worlds whose truth is known, each with a companion that claims more and must fail. */
const DELTA = 0.05
const DRAWS = sized({ short: 300, full: 5000 })

/** States are uniform on [0, 1], so a ball of radius r within it contains at least a share r of them: c_0 = 1, D = 1. */
function fitted(truth: Truth, count: number, kFamily: readonly number[], random: Random, lipschitz = truth.lipschitz!) {
  const states = Array.from({ length: count }, () => random())
  const correct = states.map((state) => (random() < truth.at(state) ? 1 : 0))
  const certificate = fitCertificate(
    { rounds: [{ states: states.map((state) => [state]), correct }] },
    {
      profile: 'paper',
      budget: { beta: 0.3, delta: DELTA, epsilon: 0 },
      split: { pilot: [], neighbours: states.map((_, row) => row) },
      envelope: { lipschitz },
      cdf: 'none',
      kFamily,
    },
  )
  return { states, certificate }
}

/** Whether this many failures contradict a probability of at most this. */
function contradicts(failures: number, draws: number, chance: number): boolean {
  return failures > 0 && clopperPearsonLower(failures, draws, 1e-4) > chance
}

function radiusOf(states: readonly number[], state: number, k: number): number {
  return states.map((other) => Math.abs(other - state)).sort((a, b) => a - b)[k - 1]!
}

describe('Theorem 4: the bound lies at most twice the best envelope and slack below the truth', () => {
  const FAMILY = [32, 64, 128]
  const truth = TRUTHS.sloped
  const random = seededRandom(41)
  const gaps = Array.from({ length: DRAWS }, () => {
    const { states, certificate } = fitted(truth, 300, FAMILY, random)
    const state = random()
    const { lower } = certificate.bound(1, [state])
    const terms = FAMILY.map(
      (k) => truth.lipschitz * radiusOf(states, state, k) + Math.sqrt(Math.log(FAMILY.length / DELTA) / (2 * k)),
    )
    return { gap: truth.at(state) - lower!, best: Math.min(...terms) }
  })

  test('in all but 2 delta of the draws', () => {
    const failures = gaps.filter(({ gap, best }) => gap > 2 * best).length
    expect(contradicts(failures, DRAWS, 2 * DELTA)).toBe(false)
  })

  test('companion: without the factor of two, as in the proof of Corollary 4, it fails', () => {
    const failures = gaps.filter(({ gap, best }) => gap > best).length
    expect(contradicts(failures, DRAWS, 2 * DELTA)).toBe(true)
  })
})

describe('Theorem 5: the k-th neighbour lies within (2k / (n c_0))^(1/D)', () => {
  const [count, k] = [400, 16]
  const random = seededRandom(42)
  // At the end of the interval, where the fewest states are near.
  const radii = Array.from({ length: DRAWS }, () =>
    radiusOf(
      Array.from({ length: count }, () => random()),
      0,
      k,
    ),
  )

  test('in all but e^(-k/8) of the draws', () => {
    const failures = radii.filter((radius) => radius > (2 * k) / count).length
    expect(contradicts(failures, DRAWS, Math.exp(-k / 8))).toBe(false)
  })

  test('companion: half the radius is not enough', () => {
    const failures = radii.filter((radius) => radius > k / count).length
    expect(contradicts(failures, DRAWS, Math.exp(-k / 8))).toBe(true)
  })
})

describe('Corollary 4: the slack shrinks like n^(-1/(2 + D))', () => {
  const SIZES = sized({ short: [250, 2000, 16_000], full: [250, 2000, 16_000, 128_000] })
  /** Of each eightfold of the labels; n^(-1/3) makes it one half. */
  const shrinkage = (familyFor: (count: number) => number[]) => {
    const random = seededRandom(43)
    const slacks = SIZES.map((count) => {
      const gaps = Array.from({ length: 40 }, () => {
        const { certificate } = fitted(TRUTHS.sloped, count, familyFor(count), random)
        return TRUTHS.sloped.at(0.5) - certificate.bound(1, [0.5]).lower!
      })
      return gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
    })
    return slacks.slice(1).map((slack, at) => slack / slacks[at]!)
  }

  test('with a family that grows like n^(2/3)', () => {
    for (const ratio of shrinkage((count) => [Math.ceil(count ** (2 / 3))])) {
      expect(ratio).toBeGreaterThan(0.4)
      expect(ratio).toBeLessThan(0.6)
    }
  })

  test('companion: with a family that does not grow it stays', () => {
    for (const ratio of shrinkage(() => [40]).slice(1)) expect(ratio).toBeGreaterThan(0.85)
  })
})

describe('Proposition 1: an envelope that fails somewhere costs the chance of being there', () => {
  const { dip } = TRUTHS
  const IN_DIP = 0.02
  const random = seededRandom(44)
  const runs = Array.from({ length: sized({ short: 40, full: 400 }) }, () => {
    // A flat envelope holds everywhere but in the dip and beside it.
    const { certificate } = fitted(dip, 1500, [512], random, 0)
    const { threshold } = certificate.budget
    const decided = Array.from({ length: 500 }, () => {
      const state = random()
      const isWrong = random() >= dip.at(state)
      return {
        isInDip: state >= 0.8 && state < 0.82,
        isActedWrong: certificate.bound(1, [state]).lower! >= threshold && isWrong,
      }
    })
    return decided
  }).flat()
  const rate = (rows: typeof runs) => rows.filter(({ isActedWrong }) => isActedWrong).length

  test('P(act and wrong) is at most beta and that chance', () => {
    expect(contradicts(rate(runs), runs.length, 0.3 + IN_DIP)).toBe(false)
    expect(rate(runs)).toBeGreaterThan(0)
  })

  test('companion: where it fails, beta alone does not hold', () => {
    const inDip = runs.filter(({ isInDip }) => isInDip)
    expect(contradicts(rate(inDip), inDip.length, 0.3)).toBe(true)
  })
})

describe('Holm in place of Bonferroni', () => {
  const LEVEL = 0.05
  const TESTS = 8
  const FALSE = 5
  const random = seededRandom(45)
  /** The first three are true, the others shifted by 2.6 standard deviations; all share half of their luck. */
  const draws = Array.from({ length: 10 * DRAWS }, () => {
    const shared = normalQuantile(random() || 0.5)
    return Array.from({ length: TESTS }, (_, at) => {
      const score = Math.SQRT1_2 * (shared + normalQuantile(random() || 0.5)) + (at < TESTS - FALSE ? 0 : 2.6)
      return 1 - normalCdf(score)
    })
  })
  const isTrue = (at: number) => at < TESTS - FALSE
  const anyTrue = (adjust: (values: readonly number[]) => readonly number[]) =>
    draws.filter((values) => adjust(values).some((value, at) => isTrue(at) && value <= LEVEL)).length
  const found = (adjust: (values: readonly number[]) => readonly number[]) =>
    draws.reduce((sum, values) => sum + adjust(values).filter((value, at) => !isTrue(at) && value <= LEVEL).length, 0)
  const bonferroni = (values: readonly number[]) => values.map((value) => Math.min(1, TESTS * value))

  test('rejects a true claim in at most a level of the draws, and finds more', () => {
    expect(contradicts(anyTrue(holm), draws.length, LEVEL)).toBe(false)
    expect(draws.every((values) => holm(values).every((value, at) => value <= bonferroni(values)[at]!))).toBe(true)
    expect(found(holm)).toBeGreaterThan(found(bonferroni))
  })

  test('companion: without any correction it rejects true claims too often', () => {
    expect(
      contradicts(
        anyTrue((values) => values),
        draws.length,
        LEVEL,
      ),
    ).toBe(true)
  })
})
