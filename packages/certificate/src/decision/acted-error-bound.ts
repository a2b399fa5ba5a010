import type { ResolvedBudget } from '../budget.ts'
import { CertificateError } from '../certificate-error.ts'
import { clopperPearsonLower } from '../concentration/clopper-pearson.ts'

/**
 * A bound on the error among the questions acted on: alpha + epsilon + shortfall / P(act). The shortfall is delta under
 * the paper's rule (its Corollary 1) and far smaller under the sharp one. `vacuous` if the bound is 1 or more.
 *
 * It is an average over calibration sets, and so is P(act). The share that one certificate acted on takes the place of
 * P(act). The confidence covers the sampling of questions, not that this certificate may act more often than others
 * would.
 *
 * For `cells` it is about the actions before the veto of kinds: a veto keeps the bound on P(act and wrong), but not one
 * on P(wrong | act).
 */
export type ActedErrorBound =
  | { readonly kind: 'bound'; readonly error: number; readonly actLow: number; readonly confidence: number }
  | { readonly kind: 'vacuous'; readonly actLow: number; readonly confidence: number }

/** P(act) is unknown, so its lower confidence limit from fresh questions, `acted` of `count`, takes its place. */
export function actedErrorBound(
  budget: ResolvedBudget,
  acted: number,
  count: number,
  confidence = 0.95,
): ActedErrorBound {
  if (!(confidence > 0 && confidence < 1)) {
    throw new CertificateError('actedErrorBound', 'confidence', 'a number in (0, 1)', confidence)
  }
  const actLow = clopperPearsonLower(acted, count, 1 - confidence)
  const error = budget.alpha + budget.epsilon + budget.shortfall / actLow
  return error < 1 ? { kind: 'bound', error, actLow, confidence } : { kind: 'vacuous', actLow, confidence }
}
