import type { ReviewItem, ReviewOutcome } from 'quorate/contract'

/** To be focused by its key. */
export const NOTE_ID = 'review-note'

/** Of the place among all outcomes: the options, then cannot tell and bad question. */
export function outcomeId(index: number): string {
  return `review-outcome-${index}`
}

/** In the order in which they stand. */
export function outcomesOf(item: ReviewItem): readonly ReviewOutcome[] {
  const options = item.options.map(({ name }) => ({ kind: 'option', option: name }) as const)
  return [...options, { kind: 'cannot-tell' }, { kind: 'bad-question' }]
}

export function isSameOutcome(left: ReviewOutcome | null, right: ReviewOutcome): boolean {
  if (left?.kind !== right.kind) return false
  return left.kind !== 'option' || right.kind !== 'option' || left.option === right.option
}
