export { DEFER_REASONS, type DeferReason, type StepRecord } from './decision.ts'
export { DEFER_WORDS, deferText, neverActs, STEP_WORDS } from './decision-words.ts'
export { LIMITS } from './limits.ts'
export { MICRO_USD } from './money.ts'
export {
  dayText,
  SHORT_ID,
  type Standing,
  type StateWords,
  SUSPENDED_BY,
  shortRunId,
  stateWords,
} from './state-words.ts'
