import { describe, expect, test } from 'vitest'
import { type AlphaRule, resolveBudget } from '../src/budget.ts'
import { clopperPearsonLower } from '../src/concentration/clopper-pearson.ts'
import { incompleteBetaComplement } from '../src/special/incomplete-beta.ts'

/**
 * The theorem behind alpha, computed exactly. A debate passes one cell per round. An adversary chooses for every round
 * how often its cell is wrong (e) and how many labelled rows it has (n), both from a grid, so that P(act and wrong) is
 * as large as possible. Cells of different rounds pass independently of each other.
 */
const COUNTS = [...range(1, 40), ...range(0, 46).map((step) => Math.round(45 * 1.15 ** step))]
const BETAS = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5]
const DELTAS = [0.01, 0.03, 0.1, 0.24]

/** Largest number of errors among n rows with which a cell passes; -1 if it cannot pass at all. */
type Test = (n: number) => number

const RULES: readonly (readonly [string, AlphaRule, number])[] = [
  ['one round', { kind: 'every-round', rounds: 1 }, 1],
  ['three rounds', { kind: 'every-round', rounds: 3 }, 3],
  ['one deciding test', { kind: 'one-test' }, 1],
]

describe.each(RULES)('%s', (_, rule, rounds) => {
  test.each(DELTAS)('acts and is wrong on at most beta, whatever the truth and n, delta = %s', (delta) => {
    for (const beta of BETAS) {
      const { alpha, level } = resolveBudget('test', { beta, delta, epsilon: 0 }, rule)
      const use = worst(clopperPearson(alpha, level), alpha, rounds) / beta
      expect(use, `beta ${beta}`).toBeLessThan(1)
      // An adversary that gains little would test nothing.
      expect(use, `beta ${beta}`).toBeGreaterThan(0.5)
    }
  })
})

test('no cell exceeds alpha by more than .3033 l / sqrt(n), whatever its truth', () => {
  for (const alpha of [0.01, 0.05, 0.1, 0.3, 0.5, 0.8]) {
    for (const level of [0.001, 0.0075, 0.03, 0.1, 0.249]) {
      for (const n of COUNTS) {
        expect(excess(n, alpha, clopperPearson(alpha, level)), `${alpha} ${level} ${n}`).toBeLessThanOrEqual(
          (0.3033 * level) / Math.sqrt(n),
        )
      }
    }
  }
})

describe('an alpha that is chosen by looking', () => {
  // The worst choice is the limit of the cell itself: the cell acts wherever it can, at the smallest alpha that lets it.
  const levels = [0.001, 0.0075, 0.03, 0.1, 0.249]
  const counts = [3, 5, 8, 12, 20, 35, 60, 120, 250]
  const worstShare = (level: number) =>
    Math.max(...counts.map((n) => (Math.sqrt(n) * selectedExcess(n, level)) / level))

  test.each(levels)('a limit lies below the truth by at most .6267 l / sqrt(n) on average, l = %s', (level) => {
    expect(worstShare(level)).toBeLessThan(0.6267)
  })

  test('the exact worst is near .29, so that .3033 is not contradicted either: only .6267 is proved', () => {
    expect(worstShare(0.249)).toBeGreaterThan(0.25)
    expect(worstShare(0.249)).toBeLessThan(0.3033)
  })

  test('companion: half of .3033 is exceeded', () => {
    expect(worstShare(0.249)).toBeGreaterThan(0.3033 / 2)
  })
})

describe('companions that must fail', () => {
  test('a third of the constant', () => {
    const n = 176
    expect(excess(n, 0.5, clopperPearson(0.5, 0.249))).toBeGreaterThan((0.3033 * 0.249) / 3 / Math.sqrt(n))
  })

  test('levels far above 1/4', () => {
    expect(worst(clopperPearson(0.09, 0.9), 0.09, 1)).toBeGreaterThan(0.1)
  })

  test('a plug-in bound: the share of errors itself', () => {
    expect(worst((n) => Math.floor(0.0987 * n), 0.0987, 1)).toBeGreaterThan(0.1)
  })

  test('alpha = beta where several rounds are tested, at levels just below 1/4', () => {
    expect(worst(clopperPearson(0.1, 0.2), 0.1, 10)).toBeGreaterThan(0.1)
  })
})

/** The exact test of the certificates: errors such that the bound on being right reaches 1 - alpha. */
function clopperPearson(alpha: number, level: number): Test {
  return (n) => {
    let most = -1
    let tooMany = n
    while (tooMany - most > 1) {
      const middle = (most + tooMany) >> 1
      if (clopperPearsonLower(n - middle, n, level) >= 1 - alpha) most = middle
      else tooMany = middle
    }
    return most
  }
}

/** The largest P(act and wrong) over all truths and row counts of the grid, decided backwards from the last round. */
function worst(critical: Test, alpha: number, rounds: number): number {
  const cells = COUNTS.flatMap((n) => {
    const most = critical(n)
    return most < 0 ? [] : truths(n, alpha).map((e) => ({ e, passes: chanceAtMost(most, n, e) }))
  })
  let value = 0
  for (let round = 0; round < rounds; round++) {
    const later = value
    value = cells.reduce((best, { e, passes }) => Math.max(best, passes * e + (1 - passes) * later), later)
  }
  return value
}

/** The largest (e - alpha) P(pass) of a cell of n rows. */
function excess(n: number, alpha: number, critical: Test): number {
  const most = critical(n)
  if (most < 0) return 0
  return Math.max(...truths(n, alpha).map((e) => (e - alpha) * chanceAtMost(most, n, e)))
}

/** The largest E (e - U)^+ over truths e, where U is the upper limit of the share of errors in a cell of n rows. */
function selectedExcess(n: number, level: number): number {
  const limits = range(0, n - 1).map((errors) => 1 - clopperPearsonLower(n - errors, n, level))
  return Math.max(
    ...range(1, 99).map((step) => {
      const e = step / 100
      return limits.reduce((sum, limit, errors) => {
        const chance = chanceAtMost(errors, n, e) - (errors === 0 ? 0 : chanceAtMost(errors - 1, n, e))
        return sum + chance * Math.max(0, e - limit)
      }, 0)
    }),
  )
}

/** Shares of errors around alpha on the scale of their standard error, and a coarse grid over all of [0, 1]. */
function truths(n: number, alpha: number): number[] {
  const near = range(-60, 40).map((step) => alpha + (step / 10) * Math.sqrt((alpha * (1 - alpha)) / n))
  return [...near, ...range(1, 19).map((step) => step / 20)].filter((e) => e > 0 && e < 1)
}

function chanceAtMost(most: number, n: number, e: number): number {
  return most >= n ? 1 : incompleteBetaComplement(e, most + 1, n - most)
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}
