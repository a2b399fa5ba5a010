import { ARITHMETIC_READINGS } from './arithmetic.ts'
import { CALENDAR_READINGS } from './calendar.ts'
import { COUNTING_READINGS } from './counting.ts'
import type { Family } from './draw-question.ts'
import { ORDERING_READINGS } from './ordering.ts'
import { PUZZLES_READINGS } from './puzzles.ts'
import type { ComputedQuestion, Reading } from './question.ts'
import { UNITS_READINGS } from './units.ts'

const READINGS: Readonly<Record<Family, readonly Reading[]>> = Object.freeze({
  arithmetic: ARITHMETIC_READINGS,
  calendar: CALENDAR_READINGS,
  counting: COUNTING_READINGS,
  ordering: ORDERING_READINGS,
  puzzles: PUZZLES_READINGS,
  units: UNITS_READINGS,
})

/**
 * Finds the family, the answer and the lure of a question from its text alone; null for a question that was not made
 * here. The question is rebuilt from its words and must equal the text exactly.
 */
export function recogniseQuestion(
  text: string,
): { readonly family: Family; readonly question: ComputedQuestion } | null {
  for (const [family, readings] of Object.entries(READINGS)) {
    for (const [pattern, write] of readings) {
      const words = pattern.exec(text)?.slice(1)
      const question = words === undefined ? null : write(words)
      // as: `Object.entries` widens the keys of READINGS, which are families
      if (question?.question === text) return { family: family as Family, question }
    }
  }
  return null
}
