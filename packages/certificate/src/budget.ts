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
}

/** beta = delta + alpha + epsilon; act when the bound reaches the threshold 1 - alpha. */
export interface ResolvedBudget extends Required<Budget> {
  readonly alpha: number
  readonly threshold: number
  readonly feasible: boolean
}

/** With a residual risk of a tenth of a per cent or less nothing can be certified. */
const SMALLEST_ALPHA = 0.001

export function resolveBudget(where: string, budget: Budget): ResolvedBudget {
  const { beta, delta, epsilon, deltaOmega = 0 } = budget
  if (!(beta > 0 && beta < 1)) throw new CertificateError(where, 'budget.beta', 'a number in (0, 1)', beta)
  if (!(delta > 0 && delta < 1)) throw new CertificateError(where, 'budget.delta', 'a number in (0, 1)', delta)
  if (!(epsilon >= 0 && epsilon < 1)) throw new CertificateError(where, 'budget.epsilon', 'a number in [0, 1)', epsilon)
  if (!(deltaOmega >= 0 && deltaOmega < delta)) {
    throw new CertificateError(where, 'budget.deltaOmega', `a number in [0, delta = ${delta})`, deltaOmega)
  }
  // Decimal budgets are meant as decimals: .051 - .03 - .02 is .001, not the float a hair above it.
  const alpha = decimal(beta - delta - epsilon)
  const feasible = alpha > SMALLEST_ALPHA
  return Object.freeze({ beta, delta, epsilon, deltaOmega, alpha, threshold: decimal(1 - alpha), feasible })
}

function decimal(value: number): number {
  return Math.round(value * 1e12) / 1e12
}
