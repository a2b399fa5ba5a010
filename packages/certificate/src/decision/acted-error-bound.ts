import type { ResolvedBudget } from '../budget.ts'
import { CertificateError } from '../certificate-error.ts'
import { clopperPearsonLower } from '../concentration/clopper-pearson.ts'

/**
 * A bound on the error among the questions acted on: alpha + epsilon + shortfall / P(act), where the shortfall is delta
 * under the paper's rule (its Corollary 1) and far less under the sharp one. `vacuous` where it promises nothing.
 *
 * An average over calibration sets, as P(act) is. The share that one certificate acted on stands in for it; the
 * confidence covers the sampling of questions, not that this certificate may act more often than others would.
 */
export type ActedErrorBound =
  | { readonly kind: 'bound'; readonly error: number; readonly actLow: number; readonly confidence: number }
  | { readonly kind: 'vacuous'; readonly actLow: number; readonly confidence: number }

/** P(act) is not known: its lower confidence limit from fresh questions, `acted` of `count`, takes its place. */
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
