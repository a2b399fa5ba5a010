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

const BY_NAME: Readonly<Record<PolicyName, Policy>> = {
  total: totalPolicy,
  cells: cellsPolicy,
  tight: tightPolicy,
  paper: paperPolicy,
  'knn-no-envelope': knnNoEnvelopePolicy,
  'final-round': finalRoundPolicy,
  'conformal-risk-control': conformalRiskControlPolicy,
  'conformal-risk-learned': conformalRiskLearnedPolicy,
  'learn-then-test': learnThenTestPolicy,
  'social-choice': socialChoicePolicy,
  'selective-prediction': selectivePredictionPolicy,
  'calibrated-learned': calibratedLearnedPolicy,
  'isotonic-confidence': isotonicConfidencePolicy,
  consensus: consensusPolicy,
  'confidence-threshold': confidenceThresholdPolicy,
  'learned-stopper': learnedStopperPolicy,
  'majority-final': majorityFinalPolicy,
  'majority-first': majorityFirstPolicy,
  oracle: oraclePolicy,
}

/** In the order of `POLICY_NAMES`. */
export const POLICIES: readonly Policy[] = Object.freeze(POLICY_NAMES.map((name) => BY_NAME[name]))

export function policyNamed(name: PolicyName): Policy {
  return BY_NAME[choice('policyNamed', 'name', name, POLICY_NAMES)]
}
