import type { Random } from '@quorate/certificate'

/** A question whose answer was computed, before its options are shuffled and lettered. */
export interface ComputedQuestion {
  readonly question: string
  readonly right: string
  /** What the usual mistake leads to. */
  readonly lure: string
  readonly others: readonly [string, string]
}

/** Draws a question of one kind. */
export type Template = (random: Random) => ComputedQuestion

/** Rebuilds a question of one kind from the words that the pattern matched. */
export type Reading = readonly [pattern: RegExp, write: (words: readonly string[]) => ComputedQuestion | null]
