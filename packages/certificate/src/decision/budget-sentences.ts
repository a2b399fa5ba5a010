import type { ResolvedBudget } from '../budget.ts'

/** What a user is told wherever a budget is printed: what is promised, under which assumptions, and what is not. */
export function budgetSentences({
  kind,
  budget,
}: {
  readonly kind: 'knn' | 'cells'
  readonly budget: ResolvedBudget
}): string[] {
  const claim =
    'Averaged over calibration sets drawn like yours and over new questions drawn the same way, the probability that ' +
    `quorate acts on a question and the answer is wrong is at most beta = ${budget.beta}. It assumes that questions are ` +
    'independent draws from the population you calibrated on, that labels are right, and that models, prompts and panel ' +
    'are unchanged. It is not a statement about any single answer, nor a promise that this one certificate stays below ' +
    'beta; spot checks estimate that.'
  if (kind === 'cells') return [claim]
  return [
    claim,
    'It also assumes that correctness near a question does not exceed its own by more than the envelope, and that the ' +
      `state loses at most epsilon = ${budget.epsilon}. The audits can contradict these assumptions; they cannot prove them.`,
  ]
}
