import { type AnswerSide, sidesOf, type Turn } from '../debates/answer-sides.ts'

/** In the order of the options, so that no place says how many are of that opinion; who had no answer come last. */
export function sidesInOrder(round: readonly Turn[], options: readonly string[]): readonly AnswerSide[] {
  const place = ({ answer }: AnswerSide) => {
    if (answer === null) return options.length + 1
    const index = options.indexOf(answer)
    return index < 0 ? options.length : index
  }
  return sidesOf(round).toSorted((left, right) => place(left) - place(right))
}
