import type { Budget } from '../budget.ts'
import { type CalibrateOptions, type Certificate, calibrate, type Profile } from '../certificate/calibrate.ts'
import type { ReadPanel } from '../certificate/panel.ts'
import { declaredInstead } from '../certificate/total-certificate.ts'
import { replay } from '../decision/replay.ts'
import type { Policy, PolicyName, PolicyOptions } from './policy.ts'
import { unfit } from './training-rows.ts'
import type { Tuning } from './tuning.ts'

/** The certificates' own share of rows that teach states, envelopes and cells. */
export const PILOT_FRACTION = 0.2

export interface CertificateRule {
  readonly name: PolicyName
  readonly summary: string
  readonly certificate: Pick<CalibrateOptions, 'profile' | 'envelope'>
}

/**
 * A certificate as a policy. Where labels are too few it is fitted all the same and defers, as the certificate does.
 */
export function certificatePolicy({ name, summary, certificate: choice }: CertificateRule): Policy {
  return {
    name,
    summary,
    fit(train, options) {
      if (train.panels.length === 0) return unfit('there are no labelled debates to calibrate on')
      const certificate = calibrate(train, {
        ...choice,
        ...fitting(choice.profile, options),
        budget: ANY_BUDGET,
        trustGrades: true,
      })
      return {
        kind: 'fitted',
        at(budget) {
          const tuned = declared(certificate, budget)
          return { ...tuningOf(tuned), actsAt: (panel, round) => acts(tuned, panel, round) }
        },
        replay(debates) {
          const replayed = replay(certificate, debates)
          return {
            at(budget) {
              return { ...tuningOf(declared(certificate, budget)), actedAt: replayed.at(budget).actedAt }
            },
          }
        },
      }
    },
  }
}

/** Scores, states and envelopes know no budget: `withBudget` fits nothing of them again. */
export const ANY_BUDGET: Budget = Object.freeze({ beta: 0.1, delta: 0.03, epsilon: 0.02 })

/** Budgets that policies are compared under are declared before any label is read: none of them is a further attempt. */
function declared(certificate: Certificate, budget: Budget): Certificate {
  return certificate.withBudget(certificate.kind === 'total' ? declaredInstead(certificate, budget) : budget)
}

/** An infeasible budget has no threshold to act from. `total` has no epsilon, and none where it has no floor. */
export function tuningOf(certificate: Certificate): Tuning {
  if (certificate.kind === 'total') {
    const { promise } = certificate
    return { delta: promise.delta, epsilon: null, threshold: promise.floor }
  }
  const { delta, epsilon, threshold, feasible } = certificate.budget
  return { delta, epsilon, threshold: feasible ? threshold : null }
}

function fitting(profile: Profile, { seed, questionOf, groupConditional = false }: PolicyOptions) {
  // `total` chooses its own share: small sets need a larger pilot.
  const split = profile === 'total' ? { seed } : { pilotFraction: PILOT_FRACTION, seed }
  return questionOf ? { split, groupConditional, questionOf } : { split, groupConditional }
}

/** A round held by another panel ends the debate, so the rounds before are asked too. */
function acts(certificate: Certificate, panel: ReadPanel, round: number): boolean {
  if (!certificate.feasible || round > certificate.rounds) return false
  for (let earlier = 1; earlier < round; earlier++) {
    if (certificate.look(panel, earlier).kind === 'uncalibrated') return false
  }
  const look = certificate.look(panel, round)
  return look.kind === 'step' && look.step.lower !== null && look.step.lower >= look.step.threshold
}
