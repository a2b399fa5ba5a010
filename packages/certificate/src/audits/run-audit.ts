import { checkBudget } from '../budget.ts'
import { PROFILES } from '../certificate/calibrate.ts'
import type { Panels } from '../certificate/panel.ts'
import { choice, onlyNames } from '../choice.ts'
import { seededRandom } from '../random.ts'
import { arrivalOrder } from './arrival-order.ts'
import type { Audit } from './audit.ts'
import { boundCalibration } from './bound-calibration.ts'
import { martingaleCheck } from './conformal-martingale.ts'
import type { DraftCheck } from './draft-check.ts'
import { groupsCheck } from './groups.ts'
import { type AuditOptions, holdOut, holdOutLater } from './held-out.ts'
import { judge } from './holm.ts'
import { localShares } from './local-shares.ts'
import { measuresOf } from './measures.ts'
import { permutationCheck } from './permutation-test.ts'
import { findWeakRegions, representationGap } from './representation-gap.ts'
import { smoothness } from './smoothness.ts'
import { stoppingRounds } from './stopping-rounds.ts'

/**
 * Falsification checks of what a certificate assumes, on labelled debates in the order in which they arrived: half of
 * the questions calibrate it, the others are held out. Never a proof: a check can contradict an assumption or fail to.
 *
 * What is tested is what the theorem promises on average over calibration sets, for the one set at hand. Delta enters the
 * checks of the bounds as the share of debates for which they may be too high, and those of actions under the paper's
 * rule; under the sharp rule a check of actions may raise a false alarm with probability .01 + delta.
 */
export function audit(panels: Panels, options: AuditOptions): Audit {
  onlyNames('audit', options, ['profile', 'budget', 'seed', 'questionOf', 'order', 'groupConditional'])
  const profile = choice('audit', 'profile', options.profile, PROFILES)
  const order = choice('audit', 'order', options.order ?? 'arrival', ['arrival', 'none'])
  checkBudget('audit', options.budget)
  const held = holdOut(panels, options)
  const shares = Array.from({ length: held.rounds }, (_, at) => localShares(held, at + 1))
  const weak = findWeakRegions(held, shares)
  const stateChecks = [smoothness(held, shares), representationGap(held, weak)]
  const later = profile === 'cells' && order === 'arrival' ? holdOutLater(panels, options) : null
  const { verdict, checks } = judge([
    stoppingRounds(held, later),
    ...(held.certificate.kind === 'knn' || held.groupConditional ? [groupsCheck(held)] : []),
    boundCalibration(held),
    // Cells promise an average over the cell, and nothing for a part of it.
    ...(held.certificate.kind === 'knn' ? stateChecks : []),
    ...(order === 'arrival' ? orderChecks(panels, options) : []),
  ])
  const { beta, delta, epsilon, threshold } = held.budget
  return {
    profile,
    beta,
    delta,
    epsilon,
    threshold,
    calibration: held.calibrated.length,
    heldOut: held.count,
    rounds: held.rounds,
    seed: options.seed,
    verdict,
    checks,
    measures: measuresOf(held, weak),
  }
}

function orderChecks({ panels }: Panels, { questionOf, seed }: AuditOptions): readonly DraftCheck[] {
  const arrival = arrivalOrder(panels, questionOf)
  const random = seededRandom((seed ^ ORDER_STREAM) >>> 0)
  return [permutationCheck(arrival, random), martingaleCheck(arrival, random)]
}

/** Apart from the stream that splits. */
const ORDER_STREAM = 0x5851f42d
