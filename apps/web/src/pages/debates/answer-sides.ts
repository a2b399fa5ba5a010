import type { DebateView } from 'quorate/contract'

export type Turn = DebateView['turns'][number][number]

/** The agents that gave the same answer in a round; null is no answer. */
export interface AnswerSide {
  readonly answer: string | null
  readonly turns: readonly Turn[]
}

/** The most common answer first, ties in order of appearance. Agents without an answer come last. */
export function sidesOf(turns: readonly Turn[]): readonly AnswerSide[] {
  const sides = new Map<string | null, Turn[]>()
  for (const turn of turns) {
    const side = sides.get(turn.answer)
    if (side === undefined) sides.set(turn.answer, [turn])
    else side.push(turn)
  }
  return [...sides]
    .map(([answer, turns]) => ({ answer, turns }))
    .toSorted((a, b) => Number(a.answer === null) - Number(b.answer === null) || b.turns.length - a.turns.length)
}
