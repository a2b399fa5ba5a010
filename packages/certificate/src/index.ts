export type { Audit, Check, CheckName, CheckRow, Measure, Verdict } from './audits/audit.ts'
export type { AuditOptions } from './audits/held-out.ts'
export { audit } from './audits/run-audit.ts'
export { worstRow } from './audits/worst-row.ts'
export { compareCodePoints } from './beliefs/code-point-order.ts'
export {
  type AgentTurn,
  BELIEF_READINGS,
  type BeliefReading,
  type Debate,
  type DebateRecord,
  type Grade,
  type RoundGrade,
  type RoundGrades,
  type RoundRecord,
  type RoundSummary,
  type Truth,
  type TurnCounts,
} from './beliefs/debate.ts'
export { parseDebate, parseDebates } from './beliefs/parse-debate.ts'
export { predict } from './beliefs/prediction.ts'
export { socialProbability } from './beliefs/social-probability.ts'
export { summariseRounds } from './beliefs/summarise-rounds.ts'
export { hasLabel, isRightAt, isUnjudged } from './beliefs/truth.ts'
export {
  type AlphaRule,
  type Budget,
  checkBudget,
  type ResolvedBudget,
  resolveBudget,
  type TotalBudget,
  usualBudget,
} from './budget.ts'
export { canonicalDigest } from './canonical/canonical-digest.ts'
export { canonicalJson, canonicalPieces } from './canonical/canonical-json.ts'
export { sha256 } from './canonical/sha256.ts'
export type { CellDesign } from './cells/cell-design.ts'
export type { CellVariant } from './cells/choose-design.ts'
export { cellsAlphaRule, knnAlphaRule, resolveProfileBudget } from './certificate/alpha-rule.ts'
export { declaredInstead } from './certificate/attempts.ts'
export {
  type CalibrateOptions,
  type Certificate,
  calibrate,
  LOCAL_OPTION_NAMES,
  type LocalOptions,
  PROFILES,
  type Profile,
} from './certificate/calibrate.ts'
export type { CellsCertificate } from './certificate/cells-certificate.ts'
export { type LoadOptions, loadCertificate } from './certificate/file/load-certificate.ts'
export {
  type CalibratedTurns,
  CODE_VERSION,
  type Fingerprint,
  fingerprintDifferences,
  METHOD_VERSION,
} from './certificate/fingerprint.ts'
export { type CertificateOptions, fitCertificate, type GroupLevel } from './certificate/fit-certificate.ts'
export type { KnnCertificate, NearRow } from './certificate/knn-certificate.ts'
export {
  type DebateReader,
  debateReader,
  questionKeys,
  type ReadDebate,
  type ReadDebates,
  type ReadingOptions,
  readDebates,
  turnCounts,
} from './certificate/read-debates.ts'
export type { StateChoice } from './certificate/state-map.ts'
export { OPEN_REASONS, type OpenReason, type Step } from './certificate/step.ts'
export type { DebateStops, Stop } from './certificate/stopping-rule.ts'
export type { FailedTests, TotalCertificate } from './certificate/total-certificate.ts'
export { CertificateError } from './certificate-error.ts'
export { clopperPearsonInterval, clopperPearsonLower, clopperPearsonUpper } from './concentration/clopper-pearson.ts'
export { empiricalBernsteinLower } from './concentration/empirical-bernstein.ts'
export { hoeffdingLower } from './concentration/hoeffding.ts'
export { type ActedErrorBound, actedErrorBound } from './decision/acted-error-bound.ts'
export { budgetSentences } from './decision/budget-sentences.ts'
export { type Decision, type DeferReason, decide } from './decision/decide.ts'
export { missedByJudge, promisedWrongRate } from './decision/promised-rate.ts'
export { type Replay, type ReplayedDecisions, replay } from './decision/replay.ts'
export {
  actingClasses,
  className,
  groupName,
  groupPrefix,
  silenceSentences,
  totalEvidence,
  totalSentences,
} from './decision/total-sentences.ts'
export { firstOfOurs, OUR_POLICIES } from './evaluation/compute-matched.ts'
export { evaluateSplit, type PolicyRun, type SplitTask } from './evaluation/evaluate-split.ts'
export { type EvaluatedFile, evaluatedFile } from './evaluation/evaluated-file.ts'
export type {
  ComputeMatched,
  EvaluatedPolicy,
  Evaluation,
  Figure,
  GroupFigures,
  GroupShift,
  KindFigures,
  LabelFigures,
  RoundFigures,
  Shift,
} from './evaluation/evaluation.ts'
export { cohenKappa, type Kappa } from './evaluation/kappa.ts'
export { ACTIONS_TO_JUDGE, judgedKinds, judgingFloor, kindFigures } from './evaluation/kind-figures.ts'
export { type LeftOutGroup, leaveGroupOut, SHIFTED_POLICIES, shiftedGroups } from './evaluation/shift.ts'
export { splitSeeds } from './evaluation/split-seeds.ts'
export { type Standing, standingOf } from './evaluation/standing.ts'
export { type EvaluatedBudget, summarise } from './evaluation/summarise.ts'
export {
  type ActedTally,
  type GroupTally,
  type Protocol,
  type Tally,
  type TallyOptions,
  tallyActions,
} from './evaluation/tally.ts'
export {
  type BudgetTally,
  type CappedTallies,
  type HalfDecisions,
  type PolicyTally,
  type SplitTally,
  type TallyTask,
  tallySplit,
} from './evaluation/tally-split.ts'
export {
  AGREEMENT_WORDS,
  type Agreement,
  describeKind,
  type Exclusion,
  exclusionOf,
  type Kind,
  type KindCode,
  kindName,
  kindOf,
} from './kinds/kind.ts'
export type { CalibrationInput, StateRows } from './knn/calibration-rows.ts'
export {
  type Concentration,
  type EnvelopeChoice,
  type EnvelopeFunction,
  type KnnOptions,
  type KnnProfile,
  resolveKnnOptions,
} from './knn/knn-options.ts'
export type { Bound, NoBound } from './knn/local-bound.ts'
export { type Halves, halves } from './knn/split-halves.ts'
export type { ChosenSplit, Split, SplitChoice } from './knn/split-rows.ts'
export { LIMITS } from './limits.ts'
export { type DriftMonitor, type DriftState, driftMonitor } from './monitoring/drift-monitor.ts'
export { type FirstRoundScores, firstRoundScores } from './monitoring/first-round-scores.ts'
export { type AskedAt, type MonitorCounts, questionsOf } from './monitoring/log-capital.ts'
export {
  type MissingMonitor,
  type MissingSettings,
  type MissingState,
  missingMonitor,
} from './monitoring/missing-monitor.ts'
export { type AlarmDelay, type MonitorPower, monitorPower } from './monitoring/monitor-power.ts'
export type { AlarmSettings, BoundSettings, MonitorSettings } from './monitoring/monitor-settings.ts'
export { type StretchCounts, wrongRateLower, wrongRateUpper } from './monitoring/rate-bounds.ts'
export { type AverageRate, type RealisedRate, rateBounds, realisedRate } from './monitoring/realised-rate.ts'
export {
  type RiskMonitor,
  type RiskState,
  riskMonitor,
  type SpotCheckOutcome,
  sampledOf,
} from './monitoring/risk-monitor.ts'
export { BINDING_WORDS, type DialPoint, type DialSettings, type Dials, dialsAround } from './planning/dials.ts'
export type { LabelFloor, PlanProfile } from './planning/label-floor.ts'
export { type PlanOptions, plan } from './planning/make-plan.ts'
export type {
  CurvePoint,
  Estimate,
  FinalRound,
  LabelsOutlook,
  LastDoubling,
  Milestone,
  OperatingFigures,
  OtherSplit,
  Plan,
  ReachedBeta,
  Spread,
} from './planning/plan.ts'
export type { MoreLabels, PlannedDial, SplitFailure, TotalPlan } from './planning/total-plan.ts'
export { POLICIES, policyNamed } from './policies/all-policies.ts'
export {
  calibrateRelative,
  type RelativeCertificate,
  type RelativeChoice,
  type RelativeFacts,
} from './policies/calibrate-relative.ts'
export {
  type FittedPolicy,
  POLICY_NAMES,
  type Policy,
  type PolicyActions,
  type PolicyName,
  type PolicyOptions,
  type PolicyReplay,
  type TunedPolicy,
  type Unfit,
} from './policies/policy.ts'
export { PROMISE_WORDS, type Promised, promiseOf } from './policies/promise.ts'
export {
  mostActing,
  type RelativeBudget,
  type RelativeBudgetOptions,
  type RelativeOperatingPoint,
  selectRelativeBudget,
} from './policies/relative-budget.ts'
export { permutation, type Random, seededRandom } from './random.ts'
export { namedState, type StateName } from './states/named-states.ts'
export type { StateFunction } from './states/state-function.ts'
export type { AnswerCount } from './total/answer-budgets.ts'
export type { JudgeCount, PolicyCount, TotalOutcome } from './total/count.ts'
export type { TotalDesign } from './total/design.ts'
export type { ClassCount, KindCount, KindState } from './total/judge-classes.ts'
export type { FailedTest } from './total/outlook.ts'
export {
  type AnswerBudget,
  type PromiseLevels,
  promiseLevels,
  resolvePromise,
  type TotalPromise,
  usualFloor,
} from './total/promise.ts'
