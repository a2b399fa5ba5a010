import { CertificateError } from './certificate-error.ts'

/** What the user declares: at most `beta` of all questions may be acted on wrongly. */
export interface Budget {
  readonly beta: number
  /** Probability of an unlucky calibration set: the bounds of one debate fail with at most this probability. */
  readonly delta: number
  /** Share of beta reserved for what the state forgets (eps_act); cells do not need it. */
  readonly epsilon: number
  /** Part of delta reserved for a wrong envelope (delta_omega); default 0. */
  readonly deltaOmega?: number
  /**
   * Set where beta was selected by looking at labels: the largest beta that might have been selected. Absent where beta
   * was declared before any label was read.
   */
  readonly selectedUpTo?: number
  /** What the profile `total` promises beside beta. Other profiles do not read it. */
  readonly total?: TotalBudget
}

export interface TotalBudget {
  /** Default `pac`. */
  readonly kind?: 'pac' | 'average' | 'selective'
  /** Allowed failure of everything promised together; default .05. It is a confidence and no share of beta. */
  readonly delta?: number
  /** Smallest share right that every class must reach; default max(.70, 1 - 2 beta). */
  readonly floor?: number | 'none'
  /**
   * Answers with a budget of their own, such as `{ approve: .01 }`: of the debates that the panel answers so, at most this
   * share is acted on and wrong. With `pac` only.
   */
  readonly answers?: Readonly<Record<string, number>>
  /** Whether a model graded, so that its error is measured on `audits` and added to beta; `calibrate` sets it from the debates. */
  readonly judged?: boolean
  /** How often certificates were made from labels that overlap these, this one included; default 1. */
  readonly attempt?: number
}

/** The delta and epsilon of a beta by default: .03 and .02 from .10 on, in proportion below. */
export function usualBudget(beta: number, profile?: unknown): Budget {
  // For `total`, delta is a confidence and no share of beta, and nothing is forgotten.
  if (profile === 'total') return Object.freeze({ beta, delta: 0.05, epsilon: 0 })
  return Object.freeze({
    beta,
    delta: Math.min(0.03, decimal(0.3 * beta)),
    epsilon: Math.min(0.02, decimal(0.2 * beta)),
  })
}

/**
 * How alpha follows from beta, which depends on how a certificate tests.
 *
 * `printed`: alpha = beta - delta - epsilon, as in the paper.
 * `every-round`: cells, tested in every round at level delta / rounds.
 * `one-test`: cells, each debate tested once, at level delta.
 * `neighbourhoods`: neighbourhoods of at least `fewestRows` rows in every round, by Clopper-Pearson or Hoeffding.
 * `total`: alpha = beta. The profile bounds the total with a confidence and takes nothing off beta.
 */
export type AlphaRule =
  | { readonly kind: 'printed' | 'one-test' | 'total' }
  | { readonly kind: 'every-round'; readonly rounds: number }
  | { readonly kind: 'neighbourhoods'; readonly rounds: number; readonly fewestRows: number }

/** Act when the bound reaches the threshold 1 - alpha. */
export interface ResolvedBudget extends Required<Omit<Budget, 'selectedUpTo' | 'total'>>, Pick<Budget, 'selectedUpTo'> {
  readonly alpha: number
  readonly threshold: number
  /**
   * P(act and wrong) is at most (alpha + epsilon) P(act) + shortfall, averaged over calibration sets. Under the paper's
   * rule it is delta; `total` says nothing better than beta.
   */
  readonly shortfall: number
  /**
   * Where answers are right less often than the threshold, a bound of one round passes with probability at most this
   * (under the paper's rule the bounds of all rounds together).
   */
  readonly level: number
  readonly feasible: boolean
}

/** With a residual risk of a tenth of a per cent or less no bound can be certified; `total` compares none with alpha. */
const SMALLEST_ALPHA = 0.001

/** Refuses what is no budget under any rule. */
export function checkBudget(where: string, budget: Budget): void {
  if (typeof budget !== 'object' || budget === null) {
    throw new CertificateError(where, 'budget', 'an object { beta, delta, epsilon }', budget)
  }
  const { beta, delta, epsilon, deltaOmega = 0, selectedUpTo } = budget
  if (!isWithin(beta, 0, 1) || beta === 0) throw new CertificateError(where, 'budget.beta', 'a number in (0, 1)', beta)
  if (!isWithin(delta, 0, 1) || delta === 0) {
    throw new CertificateError(where, 'budget.delta', 'a number in (0, 1)', delta)
  }
  if (!isWithin(epsilon, 0, 1)) throw new CertificateError(where, 'budget.epsilon', 'a number in [0, 1)', epsilon)
  if (!isWithin(deltaOmega, 0, delta)) {
    throw new CertificateError(where, 'budget.deltaOmega', `a number in [0, delta = ${delta})`, deltaOmega)
  }
  if (selectedUpTo !== undefined && !isWithin(selectedUpTo, beta, 1)) {
    throw new CertificateError(where, 'budget.selectedUpTo', `a number in [beta = ${beta}, 1)`, selectedUpTo)
  }
}

/**
 * The largest alpha that the rule is proved for.
 *
 * A cell of n rows that is wrong with probability e > alpha passes a test at level l < 1/4 with probability at most
 * l exp(-2 n (e - alpha)^2): it passes iff its errors are at most some k <= n alpha with P(Bin(n, alpha) <= k) <= l; the
 * likelihood ratio of Bin(n, e) to Bin(n, alpha) increases in the count and is exp(-n KL(alpha || e)) at n alpha; Pinsker
 * does the rest. So its part of P(act and wrong) beyond alpha is at most l sup_x x exp(-2 n x^2) = .3033 l / sqrt(n) of
 * the debates that reach it. A cell of fewer than log(l) / log(1 - alpha) rows cannot pass, which bounds n from below.
 * The cells of one round are disjoint, so the sum over the rounds of .3033 l_t / sqrt(n_t) bounds all of it together.
 *
 * Neighbourhoods: the same with unequal chances (Hoeffding 1956 compares them with equal ones below the mean less one,
 * which a level below 1/4 ensures), k_min in place of n, and one term for each distinct neighbourhood.
 *
 * One test: a cell with e <= alpha costs at most alpha, and one with e > alpha passes with probability at most delta; so
 * alpha = beta wherever delta <= beta.
 *
 * Selected beta: the cell that passes at the selected alpha has its own limit U at or below it, and E (e - U)^+ =
 * integral of P(U <= e - x) <= l sqrt(pi / 8n): the constant is .6267, and n is taken at the largest alpha.
 */
export function resolveBudget(where: string, budget: Budget, rule: AlphaRule): ResolvedBudget {
  checkBudget(where, budget)
  const own = partsUnder(rule, budget)
  checkLevels(where, own, rule)
  const { alpha, shortfall } = splitOf(own, rule)
  // `total` has no alpha to run out of: a small beta only takes more labels.
  const feasible = rule.kind === 'total' || alpha > SMALLEST_ALPHA
  const level = (own.delta - own.deltaOmega) / testsOf(rule)
  return Object.freeze({ ...own, alpha, threshold: decimal(1 - alpha), shortfall, level, feasible })
}

/** The smallest beta that leaves this alpha, with the other parts as declared; a planner's inverse of `resolveBudget`. */
export function betaFor(alpha: number, budget: Omit<Budget, 'beta' | 'selectedUpTo'>, rule: AlphaRule): number {
  const { delta, epsilon, deltaOmega } = partsUnder(rule, { ...budget, beta: alpha })
  if (rule.kind === 'printed') return alpha + delta + epsilon
  if (rule.kind === 'total') return alpha
  if (rule.kind === 'neighbourhoods') return alpha + epsilon + deltaOmega + neighbourhoodShortfall(SHARP, delta, rule)
  const levels = levelsOf(delta, rule)
  const general = alpha + roundsShortfall(SHARP, levels, alpha)
  return rule.kind === 'one-test' && delta <= alpha ? alpha : general
}

/**
 * The largest alpha with alpha + constant sum_t l_t / sqrt(n_t(alpha)) <= beta, n_t = log(l_t) / log(1 - alpha), to six
 * decimals below. Every level must be below 1/4.
 */
export function sharpAlpha(beta: number, levels: readonly number[], constant: number = SHARP): number {
  let low = 0
  let high = beta
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (middle + roundsShortfall(constant, levels, middle) <= beta) low = middle
    else high = middle
  }
  return sixDecimals(low)
}

/** What was declared, in an object of its own: later changes to the caller's cannot reach it. */
export function declaredBudget({ beta, delta, epsilon, deltaOmega, selectedUpTo }: ResolvedBudget): Budget {
  return Object.freeze({ beta, delta, epsilon, deltaOmega, ...(selectedUpTo === undefined ? {} : { selectedUpTo }) })
}

/** sup_x x exp(-2 x^2) = exp(-1/2) / 2, rounded up. */
const SHARP = 0.3033
/** The integral of exp(-2 x^2) over x > 0 is sqrt(pi / 8), rounded up. */
const SELECTED = 0.6267
/** Tests at this level or above are not covered by the proofs. */
const LARGEST_LEVEL = 0.25

/** Cells and total have neither a state that forgets nor an envelope. */
function partsUnder(rule: AlphaRule, budget: Budget) {
  const { beta, delta, epsilon, deltaOmega = 0, selectedUpTo } = budget
  const hasState = rule.kind === 'printed' || rule.kind === 'neighbourhoods'
  const kept = !hasState ? { beta, delta, epsilon: 0, deltaOmega: 0 } : { beta, delta, epsilon, deltaOmega }
  return selectedUpTo === undefined ? kept : { ...kept, selectedUpTo }
}

type Parts = ReturnType<typeof partsUnder> & Pick<Budget, 'selectedUpTo'>

function splitOf(parts: Parts, rule: AlphaRule) {
  const { beta, delta, epsilon, deltaOmega, selectedUpTo } = parts
  // Decimal budgets are meant as decimals: .051 - .03 - .02 is .001, not the float a hair above it.
  if (rule.kind === 'printed') return { alpha: decimal(beta - delta - epsilon), shortfall: delta }
  if (rule.kind === 'total') return { alpha: beta, shortfall: beta }
  const constant = selectedUpTo === undefined ? SHARP : SELECTED
  if (rule.kind === 'neighbourhoods') {
    const shortfall = deltaOmega + neighbourhoodShortfall(constant, delta, rule)
    return { alpha: sixDecimals(decimal(beta - epsilon - shortfall)), shortfall }
  }
  const levels = levelsOf(delta, rule)
  if (selectedUpTo !== undefined) {
    const shortfall = roundsShortfall(constant, levels, sharpAlpha(selectedUpTo, levels, constant))
    return { alpha: sixDecimals(decimal(beta - shortfall)), shortfall }
  }
  const alpha = rule.kind === 'one-test' && delta <= beta ? beta : sharpAlpha(beta, levels)
  return { alpha, shortfall: roundsShortfall(constant, levels, alpha) }
}

function levelsOf(delta: number, rule: AlphaRule): readonly number[] {
  const tests = testsOf(rule)
  return new Array<number>(tests).fill(delta / tests)
}

function roundsShortfall(constant: number, levels: readonly number[], alpha: number): number {
  const perRow = Math.log1p(-alpha)
  return constant * levels.reduce((sum, level) => sum + level / Math.sqrt(Math.log(level) / perRow), 0)
}

function neighbourhoodShortfall(
  constant: number,
  delta: number,
  { fewestRows }: Extract<AlphaRule, { kind: 'neighbourhoods' }>,
): number {
  return (constant * delta) / Math.sqrt(fewestRows)
}

function checkLevels(where: string, { delta }: Parts, rule: AlphaRule): void {
  if (rule.kind === 'printed' || rule.kind === 'total') return
  const tests = testsOf(rule)
  if (delta / tests < LARGEST_LEVEL) return
  const most = LARGEST_LEVEL * tests
  throw new CertificateError(where, 'budget.delta', `below ${most}: a test at level 1/4 or above proves nothing`, delta)
}

/** Tests of one debate that share delta, as far as the rule knows. */
function testsOf(rule: AlphaRule): number {
  return 'rounds' in rule ? rule.rounds : 1
}

/** In [low, high). A text of digits is no number. */
function isWithin(value: unknown, low: number, high: number): boolean {
  return typeof value === 'number' && value >= low && value < high
}

function decimal(value: number): number {
  return Math.round(value * 1e12) / 1e12
}

/** Never above the value. */
function sixDecimals(value: number): number {
  return decimal(Math.floor(decimal(value * 1e6)) / 1e6)
}
