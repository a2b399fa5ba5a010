import { isRightAt } from '../beliefs/truth.ts'
import type { Budget } from '../budget.ts'
import { declaredInstead } from '../certificate/attempts.ts'
import { type CalibrateOptions, type Certificate, calibrate, type Profile } from '../certificate/calibrate.ts'
import type { ReadDebate, ReadDebates } from '../certificate/read-debates.ts'
import { CertificateError } from '../certificate-error.ts'
import { cellsPolicy, paperPolicy, tightPolicy, totalPolicy } from './certificate-policy.ts'
import type { Policy } from './policy.ts'
import { type RelativeOperatingPoint, selectRelativeBudget } from './relative-budget.ts'

/** A budget as a multiple of the panel's own error: a number, or the paper's training-selected lambda*. */
export type RelativeChoice = number | 'selected'

export interface RelativeFacts {
  readonly lambda: number
  /** Whether lambda was also selected on the labels. */
  readonly isSelected: boolean
  /** Share of debates whose last answer is wrong. A failed debate counts as wrong. */
  readonly error: number
  /** Labelled debates from which lambda and the error come. */
  readonly labels: number
  /** The declared beta, which the selected beta cannot exceed. */
  readonly atMost: number
  /** Results of each multiple on debates that it was not calibrated on; empty if lambda was given. */
  readonly sweep: readonly RelativeOperatingPoint[]
}

export type RelativeCertificate =
  | { readonly kind: 'made'; readonly certificate: Certificate; readonly relative: RelativeFacts }
  /** No multiple acts within a tenth of its budget, so everything is deferred. */
  | { readonly kind: 'defer'; readonly sweep: readonly RelativeOperatingPoint[] }

/**
 * Makes a certificate whose beta is lambda times the error of the panel after its last round, at most the declared
 * beta. delta and epsilon stay as declared, since choosing them by looking would not be covered.
 *
 * `cells`, `tight` and `paper` take lambda and the error from all labels. The bound does not depend on the selected
 * beta (cells are those of the declared one), so averaged over calibration sets P(act and wrong) is at most the mean of
 * the selected betas. `resolveBudget` accounts for the selection with the constant .6267 at the largest alpha that
 * could have been selected. `total` promises with confidence and counts its labels once, so it takes lambda and the
 * error from its pilot rows alone, and its promise is about the selected beta.
 */
export function calibrateRelative(
  read: ReadDebates,
  choice: RelativeChoice,
  options: CalibrateOptions,
): RelativeCertificate {
  checkChoice(choice)
  const atMost = options.budget.beta
  const first = options.profile === 'total' ? calibrate(read, options) : null
  const taught = first === null ? read.debates : first.split.pilot.map((row) => read.debates[row]!)
  const found = lambdaOf({ reading: read.reading, debates: taught }, choice, options)
  if (found.lambda === null) return { kind: 'defer', sweep: found.sweep }
  const error = errorOf(taught)
  if (choice === 'selected' && found.lambda * error > atMost) return { kind: 'defer', sweep: found.sweep }
  const beta = betaOf(found.lambda, error, atMost)
  const budget: Budget = { ...options.budget, beta, selectedUpTo: atMost }
  const certificate =
    first?.kind === 'total' ? first.withBudget(declaredInstead(first, budget)) : calibrate(read, { ...options, budget })
  const facts = { lambda: found.lambda, isSelected: choice === 'selected', error, labels: taught.length, atMost }
  return { kind: 'made', certificate, relative: { ...facts, sweep: found.sweep } }
}

const WHERE = 'calibrateRelative'
const POLICY_OF: Readonly<Record<Profile, Policy>> = {
  total: totalPolicy,
  cells: cellsPolicy,
  tight: tightPolicy,
  paper: paperPolicy,
}

function checkChoice(choice: RelativeChoice): void {
  if (choice === 'selected' || (typeof choice === 'number' && choice > 0 && choice < Infinity)) return
  throw new CertificateError(WHERE, 'choice', "a number above 0, or 'selected'", choice)
}

function lambdaOf(
  { reading, debates }: ReadDebates,
  choice: RelativeChoice,
  options: CalibrateOptions,
): { readonly lambda: number | null; readonly sweep: readonly RelativeOperatingPoint[] } {
  if (choice !== 'selected') return { lambda: choice, sweep: [] }
  const { budget, split, questionOf, groupConditional, profile } = options
  // A debate that broke off lacks rounds. It counts in the error, but multiples may be tried on any debates.
  const whole = debates.filter(({ record }) => !record.isFailed)
  if (new Set(whole.map(({ rounds }) => rounds.length)).size > 1) {
    const expected = 'a number where the protocol ends debates early: multiples are tried on debates with every round'
    throw new CertificateError(WHERE, 'choice', expected, choice)
  }
  const { envelope, smoother, rho, concentration, kFamily, state } = options
  const given = Object.entries({ envelope, smoother, rho, concentration, kFamily, state })
  const selected = selectRelativeBudget(
    { reading, debates: whole },
    {
      policy: POLICY_OF[profile],
      seed: split && 'seed' in split ? split.seed : DEFAULT_SEED,
      ...budget,
      atMost: budget.beta,
      ...(questionOf && { questionOf }),
      ...(groupConditional && { groupConditional }),
      local: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    },
  )
  return { lambda: selected.kind === 'selected' ? selected.lambda : null, sweep: selected.sweep }
}

const DEFAULT_SEED = 7

function errorOf(debates: readonly ReadDebate[]): number {
  const wrong = debates.filter((debate) => debate.record.isFailed || !isRightAt(debate, debate.rounds.length)).length
  return wrong / debates.length
}

/** Rounds down to six decimals. A beta above the declared one was never agreed to and is refused. */
function betaOf(lambda: number, error: number, atMost: number): number {
  const beta = Math.floor(lambda * error * 1e6 + 1e-6) / 1e6
  if (beta > 0 && beta <= atMost) return beta
  const expected =
    beta > 0
      ? `at most ${Number((atMost / error).toPrecision(4))}, so that its budget is within the declared beta ${atMost}: the panel is wrong on ${Number(error.toPrecision(4))}`
      : 'of a panel that was wrong at least once: a multiple of an error of 0 is no budget, so declare beta instead'
  throw new CertificateError(WHERE, 'lambda', expected, lambda)
}
