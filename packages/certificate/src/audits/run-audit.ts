import { checkBudget } from '../budget.ts'
import { PROFILES } from '../certificate/calibrate.ts'
import type { ReadDebates } from '../certificate/read-debates.ts'
import type { TotalCertificate } from '../certificate/total-certificate.ts'
import { choice, onlyNames } from '../choice.ts'
import { type Random, seededRandom } from '../random.ts'
import { arrivalOrder } from './arrival-order.ts'
import type { Audit, CheckName } from './audit.ts'
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
  const subject = subjectOf(read, { heldOut, later, order, options })
  const { verdict, checks } = judge(Object.values(CHECKS).flatMap((check) => check(subject) ?? []))
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
    measures: measuresOf(heldOut, subject.weak),
  }
}

/** What the checks read. The parts that the profile does not need are empty. */
interface Subject {
  readonly heldOut: HeldOut
  readonly later: HeldOut | null
  readonly total: TotalCertificate | null
  readonly isLocal: boolean
  readonly shares: readonly ReturnType<typeof localShares>[]
  readonly weak: ReturnType<typeof findWeakRegions>
  /** Null: the order of the debates means nothing. The checks of the order draw from one random stream, in turn. */
  readonly arrival: { readonly debates: ReturnType<typeof arrivalOrder>; readonly random: Random } | null
}

/**
 * Every check by its name, in the order in which they run and are shown. Null: the certificate does not promise what the check
 * tests, or the order of the debates means nothing. A name without a check does not compile.
 */
const CHECKS: Readonly<Record<CheckName, (subject: Subject) => DraftCheck | null>> = {
  total: ({ heldOut, later, total }) => (total === null ? null : totalCheck(heldOut, later)),
  classes: ({ heldOut, total }) =>
    total === null || total.promise.floor === null ? null : classesCheck(heldOut, total),
  'stopping-rounds': ({ heldOut, later, total }) => (total === null ? stoppingRounds(heldOut, later) : null),
  groups: ({ heldOut, total, isLocal }) =>
    isLocal || (total === null && heldOut.groupConditional) ? groupsCheck(heldOut) : null,
  'bound-calibration': ({ heldOut, total }) => (total === null ? boundCalibration(heldOut) : null),
  // Cells promise an average over the cell and nothing about a part of it.
  smoothness: ({ heldOut, isLocal, shares }) => (isLocal ? smoothness(heldOut, shares) : null),
  'representation-gap': ({ heldOut, isLocal, weak }) => (isLocal ? representationGap(heldOut, weak) : null),
  kinds: ({ heldOut }) => kindsCheck(heldOut),
  'exchangeability-permutation': ({ arrival }) =>
    arrival === null ? null : permutationCheck(arrival.debates, arrival.random),
  'exchangeability-martingale': ({ arrival }) =>
    arrival === null ? null : martingaleCheck(arrival.debates, arrival.random),
}

interface SubjectParts {
  readonly heldOut: HeldOut
  readonly later: HeldOut | null
  readonly order: 'arrival' | 'none'
  readonly options: AuditOptions
}

function subjectOf({ debates }: ReadDebates, { heldOut, later, order, options }: SubjectParts): Subject {
  const { certificate, rounds } = heldOut
  const total = certificate.kind === 'total' ? certificate : null
  const shares = total === null ? Array.from({ length: rounds }, (_, at) => localShares(heldOut, at + 1)) : []
  const arrival =
    order === 'none'
      ? null
      : {
          debates: arrivalOrder(debates, options.questionOf),
          random: seededRandom((options.seed ^ ORDER_STREAM) >>> 0),
        }
  return {
    heldOut,
    later,
    total,
    isLocal: certificate.kind === 'knn',
    shares,
    weak: total === null ? findWeakRegions(heldOut, shares) : [],
    arrival,
  }
}

/** Keeps this random stream apart from the one that splits. */
const ORDER_STREAM = 0x5851f42d
