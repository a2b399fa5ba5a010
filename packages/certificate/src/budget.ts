import { CertificateError } from './certificate-error.ts'

/** What the user declares: at most `beta` of all questions may be acted on and wrong. */
export interface Budget {
  readonly beta: number
  /** Probability of an unlucky calibration set: the bounds of one debate fail with at most this probability. */
  readonly delta: number
  /** Share of beta reserved for what the state forgets (eps_act); cells do not need it. */
  readonly epsilon: number
  /** Part of delta reserved for a wrong envelope (delta_omega); default 0. */
  readonly deltaOmega?: number
  /**
   * The largest beta that could have been selected, if beta was selected by looking at labels. Absent if beta was
   * declared before any label was read.
   */
  readonly selectedUpTo?: number
  /** Promises of the profile `total` in addition to beta. Other profiles ignore it. */
  readonly total?: TotalBudget
}

export interface TotalBudget {
  /** Default `pac`. */
  readonly kind?: 'pac' | 'average' | 'selective'
  /** Allowed failure probability of all promises together; default .05. It is a confidence, not a share of beta. */
  readonly delta?: number
  /** Smallest share of right answers that every class must reach; default max(.70, 1 - 2 beta). */
  readonly floor?: number | 'none'
  /**
   * Separate budgets for certain answers, such as `{ approve: .01 }`: of the debates in which the panel gives this
   * answer, at most this share is acted on and wrong. Only with `pac`.
   */
  readonly answers?: Readonly<Record<string, number>>
  /**
   * Whether a model graded, so its error is measured on `audits` and added to beta. `calibrate` sets it from the
   * debates.
   */
  readonly isJudged?: boolean
  /** Number of certificates made from labels that overlap these, including this one; default 1. */
  readonly attempt?: number
}

/** The default delta and epsilon for a beta: .03 and .02 from beta .10 on, and proportionally less below. */
export function usualBudget(beta: number, profile?: unknown): Budget {
  // For `total`, delta is a confidence and not a share of beta, and there is no state that could lose information.
  if (profile === 'total') return Object.freeze({ beta, delta: 0.05, epsilon: 0 })
  return Object.freeze({
    beta,
    delta: Math.min(0.03, decimal(0.3 * beta)),
    epsilon: Math.min(0.02, decimal(0.2 * beta)),
  })
}

/**
 * How alpha follows from beta. It depends on how a certificate tests.
 *
 * `printed`: alpha = beta - delta - epsilon, as in the paper.
 *
 * `every-round`: cells, tested in every round at level delta / rounds.
 *
 * `one-test`: cells, each debate tested once, at level delta.
 *
 * `neighbourhoods`: neighbourhoods of at least `fewestRows` rows in every round, by Clopper-Pearson or Hoeffding.
 *
 * `total`: alpha = beta. The profile bounds the total with a confidence and subtracts nothing from beta.
 */
export type AlphaRule =
  | { readonly kind: 'printed' | 'one-test' | 'total' }
  | { readonly kind: 'every-round'; readonly rounds: number }
  | { readonly kind: 'neighbourhoods'; readonly rounds: number; readonly fewestRows: number }

/** A budget with its alpha. A debate is acted on when its bound reaches the threshold 1 - alpha. */
export interface ResolvedBudget extends Required<Omit<Budget, 'selectedUpTo' | 'total'>>, Pick<Budget, 'selectedUpTo'> {
  readonly alpha: number
  readonly threshold: number
  /**
   * P(act and wrong) is at most (alpha + epsilon) P(act) + shortfall, averaged over calibration sets. Under the paper's
   * rule the shortfall is delta. For `total` it is set to beta and not used: `pac` promises nothing on average.
   */
  readonly shortfall: number
  /**
   * If answers are right less often than the threshold, the bound of one round passes with probability at most this.
   * Under the paper's rule this covers the bounds of all rounds together.
   */
  readonly level: number
  readonly feasible: boolean
}

/** A residual risk of a tenth of a per cent or less counts as infeasible. `total` compares no bound with alpha. */
const SMALLEST_ALPHA = 0.001

/** Refuses values that are not a budget under any rule. */
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
 * Resolves a budget to the largest alpha that the rule is proved for.
 *
 * A cell of n rows that is wrong with probability e > alpha passes a test at level l < 1/4 with probability at most
 * l exp(-2 n (e - alpha)^2). It passes iff its errors are at most some k <= n alpha with P(Bin(n, alpha) <= k) <= l.
 * The likelihood ratio of Bin(n, e) to Bin(n, alpha) increases in the count and is exp(-n KL(alpha || e)) at n alpha,
 * and Pinsker's inequality bounds KL from below by 2 (e - alpha)^2. So the cell's part of P(act and wrong) beyond alpha
 * is at most l sup_x x exp(-2 n x^2) = .3033 l / sqrt(n) of the debates that reach it. A cell of fewer than
 * log(l) / log(1 - alpha) rows cannot pass, which bounds n from below. The cells of one round are disjoint, so the sum
 * over the rounds of .3033 l_t / sqrt(n_t) bounds the excess of all cells together.
 *
 * Neighbourhoods: the same with unequal chances, with k_min in place of n and one term for each distinct neighbourhood.
 * Hoeffding (1956) compares unequal chances with equal ones for counts up to the mean less one, which a level below 1/4
 * ensures.
 *
 * One test: a cell with e <= alpha contributes at most alpha, and one with e > alpha passes with probability at most
 * delta. So alpha = beta whenever delta <= beta.
 *
 * Selected beta: a cell that passes at the selected alpha has its own upper limit U at or below that alpha, and
 * E (e - U)^+ = integral over x > 0 of P(U <= e - x) <= l sqrt(pi / 8n). The constant is therefore .6267, and n is taken
 * at the largest alpha.
 */
export function resolveBudget(where: string, budget: Budget, rule: AlphaRule): ResolvedBudget {
  checkBudget(where, budget)
  const own = partsUnder(rule, budget)
  checkLevels(where, own, rule)
  const { alpha, shortfall } = splitOf(own, rule)
  // `total` always has alpha = beta. A small beta only needs more labels.
  const feasible = rule.kind === 'total' || alpha > SMALLEST_ALPHA
  const level = (own.delta - own.deltaOmega) / testsOf(rule)
  return Object.freeze({ ...own, alpha, threshold: decimal(1 - alpha), shortfall, level, feasible })
}

/**
 * The smallest beta that leaves this alpha if the other parts are as declared: the inverse of `resolveBudget`, for
 * planning.
 */
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
 * The largest alpha with alpha + constant sum_t l_t / sqrt(n_t(alpha)) <= beta, where n_t = log(l_t) / log(1 - alpha),
 * rounded down to six decimals. Every level must be below 1/4.
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

/** The declared budget as a new object, which later changes to the caller's object do not affect. */
export function declaredBudget({ beta, delta, epsilon, deltaOmega, selectedUpTo }: ResolvedBudget): Budget {
  return Object.freeze({ beta, delta, epsilon, deltaOmega, ...(selectedUpTo === undefined ? {} : { selectedUpTo }) })
}

/** sup_x x exp(-2 x^2) = exp(-1/2) / 2, rounded up. */
const SHARP = 0.3033
/** The integral of exp(-2 x^2) over x > 0 is sqrt(pi / 8), rounded up. */
const SELECTED = 0.6267
/** Tests at this level or above are not covered by the proofs. */
const LARGEST_LEVEL = 0.25

/** The parts of the budget that the rule uses. Cells and `total` have no state that loses information and no envelope. */
function partsUnder(rule: AlphaRule, budget: Budget) {
  const { beta, delta, epsilon, deltaOmega = 0, selectedUpTo } = budget
  const hasState = rule.kind === 'printed' || rule.kind === 'neighbourhoods'
  const kept = !hasState ? { beta, delta, epsilon: 0, deltaOmega: 0 } : { beta, delta, epsilon, deltaOmega }
  return selectedUpTo === undefined ? kept : { ...kept, selectedUpTo }
}

type Parts = ReturnType<typeof partsUnder> & Pick<Budget, 'selectedUpTo'>

function splitOf(parts: Parts, rule: AlphaRule) {
  const { beta, delta, epsilon, deltaOmega, selectedUpTo } = parts
  // Budgets are decimal numbers: .051 - .03 - .02 is .001 and not the slightly larger float.
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

/** Number of tests of one debate that share delta, as far as the rule knows. */
function testsOf(rule: AlphaRule): number {
  return 'rounds' in rule ? rule.rounds : 1
}

/** Whether the value is a number in [low, high). A string of digits is not a number. */
function isWithin(value: unknown, low: number, high: number): boolean {
  return typeof value === 'number' && value >= low && value < high
}

/** Removes binary rounding from an amount of twelve decimals or fewer: .8 - .1 is .7. */
export function decimal(value: number): number {
  return Math.round(value * 1e12) / 1e12
}

/** Rounds down to six decimals. */
function sixDecimals(value: number): number {
  return decimal(Math.floor(decimal(value * 1e6)) / 1e6)
}
