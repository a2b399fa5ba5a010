/** Results of a candidate on one half of the worlds. */
export interface Candidate {
  readonly name: string
  /** Mean share acted on, over worlds and budgets. */
  readonly act: number
  /** Largest wrong-action rate (a mean over splits) over worlds and budgets, as a share of beta. */
  readonly budgetUsed: number
}

/** Percentage points of Act within which a simpler setting is preferred. */
export const TIE_POINTS = 1

/**
 * The criterion, which was written down before the candidates were run: the largest mean Act among those that kept
 * their budget everywhere, in the mean over splits. Within a point of it, the first one wins, since the list is in
 * order of simplicity.
 */
export function chooseSetting<Item extends Candidate>(candidates: readonly Item[]): Item | null {
  const kept = candidates.filter(({ budgetUsed }) => budgetUsed <= 1)
  const best = Math.max(...kept.map(({ act }) => act))
  return kept.find(({ act }) => act >= best - TIE_POINTS / 100) ?? null
}
