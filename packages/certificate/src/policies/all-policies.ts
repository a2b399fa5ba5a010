import { choice } from '../choice.ts'
import { calibratedLearnedPolicy } from './calibrated-learned.ts'
import { cellsPolicy, knnNoEnvelopePolicy, paperPolicy, tightPolicy, totalPolicy } from './certificate-policy.ts'
import { conformalRiskControlPolicy, conformalRiskLearnedPolicy } from './conformal-risk-control.ts'
import { finalRoundPolicy } from './final-round.ts'
import { consensusPolicy, majorityFinalPolicy, majorityFirstPolicy, oraclePolicy } from './fixed-rules.ts'
import { learnThenTestPolicy } from './learn-then-test.ts'
import { POLICY_NAMES, type Policy, type PolicyName } from './policy.ts'
import {
  confidenceThresholdPolicy,
  isotonicConfidencePolicy,
  learnedStopperPolicy,
  selectivePredictionPolicy,
} from './score-baselines.ts'
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
