import type { ComputedQuestion } from './question.ts'

export interface NumericDraft {
  readonly question: string
  readonly right: number
  /** Results of usual mistakes, the most tempting first. */
  readonly mistakes: readonly number[]
  /** How an option is written; with separators for thousands by default. */
  readonly write?: (value: number) => string
}

/**
 * A question with four different positive numbers to choose from. Mistakes that happen to lead to the right number, or
 * to no positive whole one, give way to numbers nearby.
 */
export function numericQuestion({ question, right, mistakes, write = grouped }: NumericDraft): ComputedQuestion {
  const wrong = new Set(mistakes.filter((value) => value > 0 && Number.isInteger(value) && value !== right))
  // Two steps away always suffice for a number. The limit ends the loop if `right` is NaN.
  for (let away = 1; wrong.size < 3 && away < 10; away++) {
    wrong.add(right + away)
    if (right > away) wrong.add(right - away)
  }
  const [lure = right, first = right, second = right] = wrong
  return { question, right: write(right), lure: write(lure), others: [write(first), write(second)] }
}

/** 12,500 */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}
