import { CertificateError } from './certificate-error.ts'

/** What the user declares: at most `beta` of all questions may be acted on wrongly. */
export interface Budget {
  readonly beta: number
  /** Share of beta reserved for an unlucky calibration set. */
  readonly delta: number
  /** Share of beta reserved for what the state forgets (eps_act); cells do not need it. */
  readonly epsilon: number
  /** Part of delta reserved for a wrong envelope (delta_omega); default 0. */
  readonly deltaOmega?: number
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
  /** How often certificates were made from labels that overlap these, this one included; default 1. */
  readonly attempt?: number
}

/** How beta is split unless told otherwise: .03 and .02 from .10 on, in proportion below, so that alpha is half of it. */
export function usualBudget(beta: number): Budget {
  return Object.freeze({
    beta,
    delta: Math.min(0.03, decimal(0.3 * beta)),
    epsilon: Math.min(0.02, decimal(0.2 * beta)),
  })
}

/** beta = delta + alpha + epsilon; act when the bound reaches the threshold 1 - alpha. */
export interface ResolvedBudget extends Required<Omit<Budget, 'total'>> {
  readonly alpha: number
  readonly threshold: number
  readonly feasible: boolean
}

/** With a residual risk of a tenth of a per cent or less nothing can be certified. */
const SMALLEST_ALPHA = 0.001

export function resolveBudget(where: string, budget: Budget): ResolvedBudget {
  if (typeof budget !== 'object' || budget === null) {
    throw new CertificateError(where, 'budget', 'an object { beta, delta, epsilon }', budget)
  }
  const { beta, delta, epsilon, deltaOmega = 0 } = budget
  if (!isWithin(beta, 0, 1) || beta === 0) throw new CertificateError(where, 'budget.beta', 'a number in (0, 1)', beta)
  if (!isWithin(delta, 0, 1) || delta === 0) {
    throw new CertificateError(where, 'budget.delta', 'a number in (0, 1)', delta)
  }
  if (!isWithin(epsilon, 0, 1)) throw new CertificateError(where, 'budget.epsilon', 'a number in [0, 1)', epsilon)
  if (!isWithin(deltaOmega, 0, delta)) {
    throw new CertificateError(where, 'budget.deltaOmega', `a number in [0, delta = ${delta})`, deltaOmega)
  }
  // Decimal budgets are meant as decimals: .051 - .03 - .02 is .001, not the float a hair above it.
  const alpha = decimal(beta - delta - epsilon)
  const feasible = alpha > SMALLEST_ALPHA
  return Object.freeze({ beta, delta, epsilon, deltaOmega, alpha, threshold: decimal(1 - alpha), feasible })
}

/** What was declared, in an object of its own: later changes to the caller's cannot reach it. */
export function declaredBudget({ beta, delta, epsilon, deltaOmega }: ResolvedBudget): Budget {
  return Object.freeze({ beta, delta, epsilon, deltaOmega })
}

/** In [low, high). A text of digits is no number. */
function isWithin(value: unknown, low: number, high: number): boolean {
  return typeof value === 'number' && value >= low && value < high
}

function decimal(value: number): number {
  return Math.round(value * 1e12) / 1e12
}
