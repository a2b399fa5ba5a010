import type { OpenReason } from '@quorate/certificate'
import type { DeferReason } from './decision.ts'

/** Why a question goes to a person, in words: the same in the terminal, in the API and in the app. */
export const DEFER_WORDS: Readonly<Record<DeferReason, string>> = Object.freeze({
  'bound-low': 'no round that can be acted on met the threshold',
  'too-few-labels': 'too few labelled debates to compare with',
  uncalibrated: 'this panel is not the one that was calibrated',
  'budget-infeasible': 'the budget is too small to act on anything',
  'class-refused': 'debates like this are not shown to be right often enough',
  'group-deferred': 'its group always goes to a person',
  'agent-failure': 'an agent failed',
  'time-out': 'the debate took too long',
  'spend-cap': 'the spend cap was reached',
  suspended: 'the policy is suspended',
  shadow: 'in shadow mode: it would have been acted on',
  'always-review': 'a rule sends it to a person',
})

/** The words for a stored or received reason. An unknown reason is returned unchanged. */
export function deferText(reason: string): string {
  return Object.hasOwn(DEFER_WORDS, reason) ? DEFER_WORDS[reason as DeferReason] : reason // an own key is a reason
}

/** Why a round has no bound, in words: the same in the terminal, in the report and in the app. */
export const STEP_WORDS: Readonly<Record<OpenReason, string>> = Object.freeze({
  'too-few-labels': 'too few labelled debates to compare with',
  'no-vote': 'no agent voted',
  tie: 'the panel is tied',
  'no-news': 'no agent changed its belief in this round',
  'not-nominated': 'not compared: its score is too low',
  'score-low': 'not compared: its score is too low',
  'kind-blocked': 'not compared: debates like this were not right often enough in the pilot',
  'kind-vetoed': 'refused: counted debates of this kind were not right often enough',
  'class-refused': 'refused: the floor is not shown for debates like this',
  'answer-refused': 'refused: the budget of this answer is not shown',
  'kind-unseen': 'refused: no such debate was seen in the pilot',
  'group-deferred': 'refused: this group always goes to a person',
  'nothing-certified': 'nothing is certified for questions like this',
  'stopped-before': 'not compared: it was refused in an earlier round',
})

const NEVER_ACTS: ReadonlySet<string | undefined> = new Set(['no-vote', 'tie', 'no-news', 'kind-blocked'])

/** A round with this reason cannot act, whatever its score. */
export function neverActs(reason: OpenReason | undefined): boolean {
  return NEVER_ACTS.has(reason)
}
