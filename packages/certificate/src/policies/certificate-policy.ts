import type { Budget } from '../budget.ts'
import { declaredInstead } from '../certificate/attempts.ts'
import {
  type CalibrateOptions,
  type Certificate,
  calibrate,
  type LocalOptions,
  type Profile,
} from '../certificate/calibrate.ts'
import type { ReadDebate } from '../certificate/read-debates.ts'
import { replay } from '../decision/replay.ts'
import type { Policy, PolicyName, PolicyOptions, Tuning } from './policy.ts'
import { unfit } from './training-rows.ts'

export interface CertificateRule {
  readonly name: PolicyName
  readonly summary: string
  readonly certificate: Pick<CalibrateOptions, 'profile' | 'envelope'>
}

/** A certificate as a policy. With too few labels it is still fitted and defers, as the certificate does. */
export function certificatePolicy({ name, summary, certificate: choice }: CertificateRule): Policy {
  return {
    name,
    summary,
    fit(train, options) {
      if (train.debates.length === 0) return unfit('there are no labelled debates to calibrate on')
      const certificate = calibrate(train, {
        // The choices that define the policy override the options.
        ...localOf(choice.profile, options),
        ...choice,
        ...fitting(options),
        budget: ANY_BUDGET,
        trustGrades: true,
      })
      return {
        kind: 'fitted',
        at(budget) {
          const tuned = declared(certificate, budget)
          return { ...tuningOf(tuned), actsAt: (debate, round) => acts(tuned, debate, round) }
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

export const totalPolicy = certificatePolicy({
  name: 'total',
  summary:
    'Stops by a learned score. Bounds wrong actions on all questions by beta, and the share right in each class by the floor.',
  certificate: { profile: 'total' },
})

export const cellsPolicy = certificatePolicy({
  name: 'cells',
  summary:
    'Acts when debates that went the same way were right often enough. Needs independent debates, right labels, one panel.',
  certificate: { profile: 'cells' },
})

export const tightPolicy = certificatePolicy({
  name: 'tight',
  summary:
    'Acts when the nearest labelled debates in a learned state were right often enough, if correctness is smooth there.',
  certificate: { profile: 'tight' },
})

export const paperPolicy = certificatePolicy({
  name: 'paper',
  summary:
    'The paper as printed: nearest labelled debates in (p1, margin), a modulus for smoothness and Hoeffding slack.',
  certificate: { profile: 'paper' },
})

/** Ablation A1 of the paper. */
export const knnNoEnvelopePolicy = certificatePolicy({
  name: 'knn-no-envelope',
  summary: "The paper's bound without its allowance for correctness that changes with distance: no guarantee.",
  certificate: { profile: 'paper', envelope: 'none' },
})

/** Scores, states and envelopes do not depend on the budget, so `withBudget` need not fit them again. */
export const ANY_BUDGET: Budget = Object.freeze({ beta: 0.1, delta: 0.03, epsilon: 0.02 })

/** Budgets in a comparison of policies are declared before any label is read, so none of them is a further attempt. */
function declared(certificate: Certificate, budget: Budget): Certificate {
  return certificate.withBudget(certificate.kind === 'total' ? declaredInstead(certificate, budget) : budget)
}

/** An infeasible budget has no threshold. `total` has no epsilon, and no threshold if it has no floor. */
export function tuningOf(certificate: Certificate): Tuning {
  if (certificate.kind === 'total') {
    const { promise } = certificate
    return { delta: promise.delta, epsilon: null, threshold: promise.floor }
  }
  const { delta, epsilon, threshold, feasible } = certificate.budget
  return { delta, epsilon, threshold: feasible ? threshold : null }
}

function localOf(profile: Profile, { local = {} }: PolicyOptions): LocalOptions {
  return profile === 'tight' || profile === 'paper' ? local : {}
}

function fitting({ seed, questionOf, groupConditional = false }: PolicyOptions) {
  return questionOf ? { split: { seed }, groupConditional, questionOf } : { split: { seed }, groupConditional }
}

/** A round of another panel ends the debate, so earlier rounds are checked too. */
function acts(certificate: Certificate, debate: ReadDebate, round: number): boolean {
  if (!certificate.feasible || round > certificate.rounds) return false
  for (let earlier = 1; earlier < round; earlier++) {
    if (certificate.assess(debate, earlier).kind === 'uncalibrated') return false
  }
  const assessed = certificate.assess(debate, round)
  return assessed.kind === 'step' && assessed.step.lower !== null && assessed.step.lower >= assessed.step.threshold
}
