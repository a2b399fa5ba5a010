import type { ReviewItem, ReviewOutcome } from 'quorate/contract'

/** The id of the note field. */
export const NOTE_ID = 'review-note'

/** The id of the field for a typed answer, or of the search field for labels. */
export const ANSWER_ID = 'review-answer'

/** The possible grades of an answer of the panel, in the order of their keys. */
export const GRADES = [
  { name: 'yes', right: true },
  { name: 'no', right: false },
  { name: 'cannotTell', right: null },
] as const

/** The id of the radio button of a grade, by the index of the answer and of the grade. */
export function gradeId(candidate: number, grade: number): string {
  return `review-grade-${candidate}-${grade}`
}

/** The grade of an answer: true is right, false is wrong, null is cannot tell. Undefined if it is not graded yet. */
export function gradeOf(outcome: ReviewOutcome | null, id: string): boolean | null | undefined {
  return outcome?.kind === 'grades' ? outcome.grades.find(({ answer }) => answer === id)?.right : undefined
}

/** Adds a grade. Grades of answers that are not shown are dropped. */
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

/** Whether the outcome can be submitted: every answer is graded, and a typed answer is not empty. */
export function isComplete({ asks }: ReviewItem, outcome: ReviewOutcome | null): outcome is ReviewOutcome {
  if (outcome === null) return false
  if (outcome.kind === 'answer') return outcome.text.trim() !== ''
  return outcome.kind !== 'grades' || (asks.kind === 'grades' && outcome.grades.length === asks.candidates.length)
}

/** The id of the radio button of an outcome, by its index in `outcomesOf`. */
export function outcomeId(index: number): string {
  return `review-outcome-${index}`
}

/** The outcomes in the order of the form: the options, then cannot tell and bad question. */
export function outcomesOf(item: ReviewItem): readonly ReviewOutcome[] {
  const options = item.options.map(({ name }) => ({ kind: 'option', option: name }) as const)
  return [...options, { kind: 'cannot-tell' }, { kind: 'bad-question' }]
}

export function isSameOutcome(left: ReviewOutcome | null, right: ReviewOutcome): boolean {
  if (left?.kind !== right.kind) return false
  return left.kind !== 'option' || right.kind !== 'option' || left.option === right.option
}
