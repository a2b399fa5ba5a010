import { checkBudget } from '../budget.ts'
import { PROFILES } from '../certificate/calibrate.ts'
import type { ReadDebates } from '../certificate/read-debates.ts'
import { choice, onlyNames } from '../choice.ts'
import { seededRandom } from '../random.ts'
import { arrivalOrder } from './arrival-order.ts'
import type { Audit } from './audit.ts'
import { boundCalibration } from './bound-calibration.ts'
import { martingaleCheck } from './conformal-martingale.ts'
import type { DraftCheck } from './draft-check.ts'
import { groupsCheck } from './groups.ts'
import { type AuditOptions, type HeldOut, holdOut, holdOutLater } from './held-out.ts'
import { judge } from './holm.ts'
import { classesCheck, kindsCheck, totalCheck } from './kinds.ts'
import { localShares } from './local-shares.ts'
import { measuresOf } from './measures.ts'
import { permutationCheck } from './permutation-test.ts'
import { findWeakRegions, representationGap } from './representation-gap.ts'
import { smoothness } from './smoothness.ts'
import { stoppingRounds } from './stopping-rounds.ts'

/**
 * Runs checks that can falsify the assumptions of a certificate, on labelled debates in their order of arrival. Half of
 * the questions calibrate the certificate and the rest are held out. An audit is never a proof: a check either
 * contradicts an assumption or fails to.
 *
 * For `cells`, `tight` and `paper` the theorem's promise is an average over calibration sets; for `total` it holds with
 * confidence. The checks test it on one set. In checks of the bounds, delta is the share of debates for which they may
 * be too high. It also enters checks of actions under the paper's rule. Under the sharp rule a check of actions may
 * raise a false alarm with probability at most .01 + delta.
 */
export function audit(read: ReadDebates, options: AuditOptions): Audit {
  onlyNames('audit', options, ['profile', 'budget', 'seed', 'questionOf', 'order', 'groupConditional', 'local'])
  const profile = choice('audit', 'profile', options.profile, PROFILES)
  const order = choice('audit', 'order', options.order ?? 'arrival', ['arrival', 'none'])
  checkBudget('audit', options.budget)
  const heldOut = holdOut(read, options)
  const countsAlone = profile === 'cells' || profile === 'total'
  const later = countsAlone && order === 'arrival' ? holdOutLater(read, options) : null
  const { promised, weak } = promiseChecks(heldOut, later)
  const { verdict, checks } = judge([
    ...promised,
    kindsCheck(heldOut),
    ...(order === 'arrival' ? orderChecks(read, options) : []),
  ])
  const { beta, delta, epsilon, threshold } = heldOut.budget
  return {
    profile,
    beta,
    delta,
    epsilon,
    threshold,
    promise: heldOut.certificate.kind === 'total' ? heldOut.certificate.promise : null,
    calibration: heldOut.calibrated.length,
    heldOut: heldOut.count,
    rounds: heldOut.rounds,
    seed: options.seed,
    verdict,
    checks,
    measures: measuresOf(heldOut, weak),
  }
}

/** Checks of the profile's promise against held-out labels. */
function promiseChecks(
  heldOut: HeldOut,
  later: HeldOut | null,
): { readonly promised: readonly DraftCheck[]; readonly weak: ReturnType<typeof findWeakRegions> } {
  const { certificate } = heldOut
  if (certificate.kind === 'total') {
    const floor = certificate.promise.floor === null ? [] : [classesCheck(heldOut, certificate)]
    return { promised: [totalCheck(heldOut, later), ...floor], weak: [] }
  }
  const shares = Array.from({ length: heldOut.rounds }, (_, at) => localShares(heldOut, at + 1))
  const weak = findWeakRegions(heldOut, shares)
  const rounds = stoppingRounds(heldOut, later)
  const groups = certificate.kind === 'knn' || heldOut.groupConditional ? [groupsCheck(heldOut)] : []
  // Cells promise an average over the cell and nothing about a part of it.
  const states = certificate.kind === 'knn' ? [smoothness(heldOut, shares), representationGap(heldOut, weak)] : []
  return { promised: [rounds, ...groups, boundCalibration(heldOut), ...states], weak }
}

function orderChecks({ debates }: ReadDebates, { questionOf, seed }: AuditOptions): readonly DraftCheck[] {
  const arrival = arrivalOrder(debates, questionOf)
  const random = seededRandom((seed ^ ORDER_STREAM) >>> 0)
  return [permutationCheck(arrival, random), martingaleCheck(arrival, random)]
}

/** Keeps this random stream apart from the one that splits. */
const ORDER_STREAM = 0x5851f42d
