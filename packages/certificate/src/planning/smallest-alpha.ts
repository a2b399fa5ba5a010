import { type Budget, resolveBudget } from '../budget.ts'
import type { Replay } from '../decision/replay.ts'

/** A certificate that acts on less of the held-out debates is not counted as acting. */
export const SMALLEST_ACT = 0.01

/** The parts of the budget that stay as they are while alpha is looked for. */
type Reserve = Omit<Budget, 'beta'>

export interface Stored {
  readonly kind: 'cells' | 'knn'
  readonly replay: Replay
  /** Labelled debates that the certificate counts: all of them right and alike, they still leave some alpha. */
  readonly counted: number
}

/**
 * The smallest residual risk at which stored debates are acted on at all, to four decimals; null when there is none.
 * beta is delta + epsilon more, and at most the declared one if and only if that one acts.
 */
export function smallestAlpha({ kind, replay, counted }: Stored, budget: Budget): number | null {
  // Not all of what is left, or beta would be 1, which is no budget.
  const most = roundedDown(1 - budget.delta - budget.epsilon - STEP)
  if (!(most > LEAST)) return null
  if (kind === 'knn') return fromBounds(replay, budget, most)
  const perfect = Math.max(LEAST, 1 - budget.delta ** (1 / counted))
  return fromSearch(replay, budget, { least: perfect, most })
}

/** Whether so many of the debates are enough to say that a certificate acts. */
export function isActing({ acted, debates }: { readonly acted: number; readonly debates: number }): boolean {
  return acted > 0 && acted >= SMALLEST_ACT * debates
}

const STEP = 0.0001
/** alpha must exceed .001. */
const LEAST = 0.001 + STEP
const RATIO = 1.25
/** What is found is at most this much too large, or a thirtieth of it where that is less. */
const FINEST = 0.0025
const FINEST_SHARE = 1 / 30

/** Neighbourhoods do not follow the line: the bound of the debate at the hundredth says it all. */
function fromBounds(stored: Replay, reserve: Reserve, most: number): number | null {
  const { debates, rounds } = stored
  const { bounds } = stored.at(budgetWith(reserve, most))
  const best = new Float64Array(debates).fill(-Infinity)
  for (let row = 0; row < debates; row++) {
    for (let round = 0; round < rounds; round++) {
      const bound = bounds[row * rounds + round]!
      if (bound > best[row]!) best[row] = bound
    }
  }
  best.sort()
  const needed = Math.max(1, Math.ceil(SMALLEST_ACT * debates))
  const bound = best[debates - needed]
  if (bound === undefined || bound === -Infinity) return null
  const alpha = Math.max(LEAST, roundedUp(1 - bound))
  return alpha <= most ? alpha : null
}

/**
 * Cells are chosen for each line anew, so that a smaller alpha may act where a larger one does not. The declared one is
 * taken at its word, above or below it the first of two neighbouring steps that both act, then refined downwards.
 */
function fromSearch(stored: Replay, budget: Budget, range: { readonly least: number; readonly most: number }) {
  const acts = (alpha: number) => {
    const { actedAt } = stored.at(budgetWith(budget, alpha))
    return isActing({ acted: countActed(actedAt), debates: stored.debates })
  }
  const { alpha: declared, feasible } = resolveBudget('plan', budget)
  const isBelow = feasible && acts(declared)
  let passes = isBelow ? declared : null
  let fails = feasible && !isBelow ? declared : 0
  const steps = ladder(
    feasible && !isBelow ? Math.max(range.least, declared + STEP) : range.least,
    passes ?? range.most,
  )
  for (const [at, alpha] of steps.entries()) {
    if (!acts(alpha)) fails = alpha
    else if (at === steps.length - 1 || acts(steps[at + 1]!)) {
      passes = alpha
      break
    }
  }
  return passes && refined(acts, fails, passes)
}

/** Bisection between an alpha that does not act and one that does. */
function refined(acts: (alpha: number) => boolean, below: number, from: number): number {
  let fails = Math.min(below, from)
  let passes = from
  while (passes - fails > Math.min(FINEST, FINEST_SHARE * passes)) {
    const middle = roundedUp((fails + passes) / 2)
    if (middle >= passes) break
    if (acts(middle)) passes = middle
    else fails = middle
  }
  return passes
}

function budgetWith({ delta, epsilon, deltaOmega = 0 }: Reserve, alpha: number): Budget {
  return { beta: delta + epsilon + alpha, delta, epsilon, deltaOmega }
}

function ladder(least: number, most: number): number[] {
  const steps: number[] = []
  for (let alpha = least; alpha < most; alpha *= RATIO) steps.push(roundedUp(alpha))
  return [...steps, most]
}

function roundedUp(value: number): number {
  return Math.ceil(value / STEP - 1e-9) / Math.round(1 / STEP)
}

function roundedDown(value: number): number {
  return Math.floor(value / STEP + 1e-9) / Math.round(1 / STEP)
}

function countActed(actedAt: Uint8Array): number {
  let acted = 0
  for (const round of actedAt) if (round > 0) acted++
  return acted
}
