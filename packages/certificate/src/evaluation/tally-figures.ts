import type { Figure } from './evaluation.ts'
import { figure, rateFigure } from './figures.ts'
import type { GroupTally, Tally } from './tally.ts'

export interface RateFigures {
  readonly act: Figure
  readonly accuracy: Figure | null
  readonly wrongActions: Figure
}

/**
 * Rates over the splits, with one count per split and at least one split. The denominator of `accuracy` is the actions,
 * so its interval uses the mean number of actions per split. Its mean is over the splits that acted.
 */
export function rateFigures(counts: readonly GroupTally[]): RateFigures {
  const sizes = counts.map(({ debates }) => debates)
  const acting = counts.filter(({ acted }) => acted > 0)
  const ofAll = (part: (count: GroupTally) => number) =>
    rateFigure(
      counts.map((count) => part(count) / count.debates),
      sizes,
    )!
  return {
    act: ofAll(({ acted }) => acted),
    accuracy: rateFigure(
      acting.map(({ acted, right }) => right / acted),
      counts.map(({ acted }) => acted),
    ),
    wrongActions: ofAll(({ acted, right }) => acted - right),
  }
}

/** Mean calls per debate. */
export function callsFigure(tallies: readonly Tally[]): Figure {
  return figure(tallies.map(({ calls, debates }) => calls / debates))!
}

/** Sums over all rounds. */
export function countsOf({ debates, acted, right }: Tally): GroupTally {
  return { debates, acted: total(acted), right: total(right) }
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
