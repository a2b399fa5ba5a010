export { DEFER_REASONS, type DeferReason, type StepRecord } from './decision.ts'
export { DEFER_WORDS, deferText } from './decision-words.ts'
export { LIMITS } from './limits.ts'
export { dayText, SHORT_ID, type Standing, type StateWords, SUSPENDED_BY, stateWords } from './state-words.ts'
