import { type AlphaRule, type Budget, betaFor, resolveBudget } from '../budget.ts'
import type { ReachedBeta } from './plan.ts'
import { lowerMedian } from './spread.ts'

/** A certificate of one split with its test debates. */
export interface Tried {
  /** Labelled debates that it counts. Even if all of them are right and alike, they need some alpha. */
  readonly counted: number
  /** Whether it acts on at least one per cent of its test debates. Always false if a budget leaves no alpha. */
  acts(budget: Budget): boolean
}

/** What the certificates of all splits reach with the same number of labels. */
export interface Reach {
  /** The smallest beta at which at least half of the splits act; null if there is none. */
  readonly beta: number | null
  /** The smallest beta of each split alone. */
  readonly alone: readonly (number | null)[]
  /** The alpha that each of these betas leaves. Sampling error shrinks on the scale of alpha. */
  readonly alpha: number | null
  readonly aloneAlpha: readonly (number | null)[]
}

/**
 * The smallest beta of three decimals at which at least half of the splits act, and still do at the next step of a
 * ladder. Cells are chosen anew for each threshold, so a smaller beta may act where a larger one does not. The returned
 * beta was tested in all these splits together. The declared beta is tested exactly: the result is at most the declared
 * beta if and only if half of the splits act there.
 */
export function smallestBeta(tried: readonly Tried[], budget: Budget, rule: AlphaRule): Reach {
  const { beta: declared, delta, epsilon, deltaOmega = 0 } = budget
  const steps = ladder(tried, budget, rule)
  const alphaOf = (found: number | null) =>
    found === null ? null : resolveBudget('plan', { beta: found, delta, epsilon, deltaOmega }, rule).alpha
  const actsAt = (trial: Tried) => (beta: number) => trial.acts({ beta, delta, epsilon, deltaOmega })
  const areEnough = (beta: number) => isHalf(tried, (trial) => actsAt(trial)(beta))
  const beta = areEnough(declared)
    ? firstStep(areEnough, [...steps.filter((step) => step < declared), declared], 0)
    : firstStep(
        areEnough,
        steps.filter((step) => step > declared),
        declared,
      )
  const alone = tried.map((trial) => {
    const own = firstStep(actsAt(trial), steps, 0)
    return beta !== null && actsAt(trial)(beta) ? Math.min(own ?? beta, beta) : own
  })
  return { beta, alone, alpha: alphaOf(beta), aloneAlpha: alone.map(alphaOf) }
}

/** The beta of all splits and the range over single splits, for display. */
export function reachedBeta({ beta, alone }: Reach): ReachedBeta | null {
  if (beta === null) return null
  const found = alone.filter((own) => own !== null)
  return { beta, min: Math.min(beta, ...found), max: Math.max(beta, ...found), splits: found.length }
}

/** The smallest alpha of a resample of splits, from what each reaches alone; null if fewer than half reach any. */
export function drawnAlpha({ aloneAlpha }: Reach, drawn: readonly number[]): number | null {
  return lowerMedian(drawn.map((split) => aloneAlpha[split]!))
}

/** Whether a certificate counts as acting: on at least one per cent of the debates, and on at least one. */
export function isActing({ acted, debates }: { readonly acted: number; readonly debates: number }): boolean {
  return acted > 0 && 100 * acted >= debates
}

/** Whether at least half pass, and at least one. */
export function isHalf<T>(all: readonly T[], passes: (one: T) => boolean): boolean {
  let passed = 0
  for (const [at, one] of all.entries()) {
    if (passes(one)) passed++
    if (2 * passed >= all.length) return true
    if (2 * (passed + all.length - at - 1) < all.length) return false
  }
  return false
}

/** alpha must be larger than this. */
const LEAST_ALPHA = 0.001
const MOST_BETA = 0.999
const RATIO = 1.25

function ladder(tried: readonly Tried[], budget: Budget, rule: AlphaRule): number[] {
  const counted = Math.max(1, ...tried.map((trial) => trial.counted))
  const steps: number[] = []
  let alpha = Math.max(LEAST_ALPHA, 1 - budget.delta ** (1 / counted))
  for (let beta = 0; beta < MOST_BETA; alpha *= RATIO) {
    const asked = betaFor(Math.min(alpha, MOST_BETA), budget, rule)
    const next = Math.min(MOST_BETA, Math.ceil(asked * 1000 - 1e-6) / 1000)
    if (next > beta) steps.push(next)
    beta = next
  }
  return steps
}

/** The first of two adjacent steps that both act, or the last step if it acts, refined downwards. */
function firstStep(acts: (beta: number) => boolean, steps: readonly number[], below: number): number | null {
  let fails = below
  for (const [at, beta] of steps.entries()) {
    if (!acts(beta)) fails = beta
    else if (at === steps.length - 1 || acts(steps[at + 1]!)) return refined(acts, fails, beta)
  }
  return null
}

/** Bisection on three decimals between a beta that does not act and one that does. */
function refined(acts: (beta: number) => boolean, below: number, from: number): number {
  let fails = below
  let passes = from
  for (;;) {
    const middle = Math.round(((fails + passes) / 2) * 1000) / 1000
    if (!(middle > fails && middle < passes)) return passes
    if (acts(middle)) passes = middle
    else fails = middle
  }
}
