import type { ReviewItem, ReviewOutcome } from 'quorate/contract'

/** To be focused by its key. */
export const NOTE_ID = 'review-note'

/** A typed answer, or what labels are looked for by. */
export const ANSWER_ID = 'review-answer'

/** What can be said of one answer of the panel, in the order of their keys. */
export const GRADES = [
  { name: 'yes', right: true },
  { name: 'no', right: false },
  { name: 'cannotTell', right: null },
] as const

/** Of the place of the answer and of what is said of it. */
export function gradeId(candidate: number, grade: number): string {
  return `review-grade-${candidate}-${grade}`
}

/** Undefined: not graded yet. */
export function gradeOf(outcome: ReviewOutcome | null, id: string): boolean | null | undefined {
  return outcome?.kind === 'grades' ? outcome.grades.find(({ answer }) => answer === id)?.right : undefined
}

/** With one more grade; those of an answer that is not shown are left out. */
export function graded(
  { asks }: ReviewItem,
  outcome: ReviewOutcome | null,
  grade: Extract<ReviewOutcome, { kind: 'grades' }>['grades'][number],
): ReviewOutcome {
  const before = outcome?.kind === 'grades' ? outcome.grades : []
  const known = new Map([...before, grade].map((one) => [one.answer, one]))
  const candidates = asks.kind === 'grades' ? asks.candidates : []
  return { kind: 'grades', grades: candidates.flatMap(({ id }) => known.get(id) ?? []) }
}

/** Whether it can be submitted: every answer is graded, and a typed one is not empty. */
export function isWhole({ asks }: ReviewItem, outcome: ReviewOutcome | null): outcome is ReviewOutcome {
  if (outcome === null) return false
  if (outcome.kind === 'answer') return outcome.text.trim() !== ''
  return outcome.kind !== 'grades' || (asks.kind === 'grades' && outcome.grades.length === asks.candidates.length)
}

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
