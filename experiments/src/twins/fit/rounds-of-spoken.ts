import type { DebateRounds } from '../aggregates.ts'
import type { SpokenQuestion } from '../draw-debates.ts'
import { isUnanimous } from '../knobs.ts'

/** Equal shares of the social belief differ in their last bits. */
const TIE = 1e-9

/**
 * What the package would summarise, computed directly from the answers, because a fit draws thousands of sets of
 * debates and parsing would take most of its time. A tie counts as partly right, because a hash breaks it.
 */
export function roundsOfSpoken(questions: readonly SpokenQuestion[]): DebateRounds[] {
  return questions.map(({ group, gold, rounds, optionCount }) => ({
    group,
    rounds: rounds.map((round) => {
      const social = new Float64Array(optionCount)
      for (const { option, confidence } of round) {
        const rest = (1 - confidence) / (optionCount - 1)
        for (let other = 0; other < optionCount; other++) {
          social[other]! += (other === option ? confidence : rest) / round.length
        }
      }
      const [p1, p2] = twoLargest(social)
      const leaders = social.filter((share) => share >= p1 - TIE).length
      const right = social[gold]! >= p1 - TIE ? 1 / leaders : 0
      return { p1, margin: p1 - p2, right, isUnanimous: isUnanimous(round) }
    }),
  }))
}

function twoLargest(values: Float64Array): [number, number] {
  let [first, second] = [-Infinity, -Infinity]
  for (const value of values) {
    if (value > first) [first, second] = [value, first]
    else if (value > second) second = value
  }
  return [first, second]
}
