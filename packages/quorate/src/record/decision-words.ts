import type { DeferReason } from './decision.ts'

/** Why a question goes to a person, in words: the same in the terminal, in the API and in the app. */
export const DEFER_WORDS: Readonly<Record<DeferReason, string>> = Object.freeze({
  'bound-low': 'no round met the threshold',
  'too-few-labels': 'too few labelled debates to compare with',
  uncalibrated: 'this panel is not the one that was calibrated',
  'budget-infeasible': 'the budget is too small to act with',
  'class-refused': 'debates like this are not shown to be right often enough',
  'group-deferred': 'its group always goes to a person',
  'agent-failure': 'an agent failed',
  'time-out': 'it took too long',
  'spend-cap': 'the spend cap was reached',
  suspended: 'the policy is suspended',
  shadow: 'in shadow: it would have been acted on',
  'always-review': 'a rule sends it to a person',
})

/** The words of a reason that was stored or sent; one that is not known stands as it came. */
export function deferText(reason: string): string {
  return Object.hasOwn(DEFER_WORDS, reason) ? DEFER_WORDS[reason as DeferReason] : reason // an own key is a reason
}
