import { choice } from '../choice.ts'
import { calibratedLearnedPolicy } from './calibrated-learned.ts'
import { cellsPolicy, knnNoEnvelopePolicy, paperPolicy, tightPolicy, totalPolicy } from './certificate-policy.ts'
import { confidenceThresholdPolicy } from './confidence-threshold.ts'
import { conformalRiskControlPolicy, conformalRiskLearnedPolicy } from './conformal-risk-control.ts'
import { consensusPolicy } from './consensus.ts'
import { finalRoundPolicy } from './final-round.ts'
import { isotonicConfidencePolicy } from './isotonic-confidence.ts'
import { learnThenTestPolicy } from './learn-then-test.ts'
import { learnedStopperPolicy } from './learned-stopper.ts'
import { majorityFinalPolicy, majorityFirstPolicy } from './majority.ts'
import { oraclePolicy } from './oracle.ts'
import { POLICY_NAMES, type Policy, type PolicyName } from './policy.ts'
import { selectivePredictionPolicy } from './selective-prediction.ts'
import { socialChoicePolicy } from './social-choice.ts'

/** In the order of `POLICY_NAMES`. */
export const POLICIES: readonly Policy[] = Object.freeze([
  totalPolicy,
  cellsPolicy,
  tightPolicy,
  paperPolicy,
  knnNoEnvelopePolicy,
  finalRoundPolicy,
  conformalRiskControlPolicy,
  conformalRiskLearnedPolicy,
  learnThenTestPolicy,
  socialChoicePolicy,
  selectivePredictionPolicy,
  calibratedLearnedPolicy,
  isotonicConfidencePolicy,
  consensusPolicy,
  confidenceThresholdPolicy,
  learnedStopperPolicy,
  majorityFinalPolicy,
  majorityFirstPolicy,
  oraclePolicy,
])

export function policyNamed(name: PolicyName): Policy {
  const known = choice('policyNamed', 'name', name, POLICY_NAMES)
  return POLICIES[POLICY_NAMES.indexOf(known)]!
}
