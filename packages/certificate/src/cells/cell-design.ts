/**
 * How debates are sorted into cells, fixed by pilot rows alone. Cuts are probabilities on the scale of the learned
 * score, ascending, one list per round.
 *
 * `path`: a debate's cell at round t is the sequence of its bins in rounds 1..t, and it is tested in every round.
 *
 * `nominate`: a debate is tested once, in the first round in which its score reaches that round's first cut. Its cell
 * is that round and bin. A round without cuts nominates nothing.
 *
 * Bin 0, below the first cut, never acts: it contains all debates with a low score, and would pass as a whole if the
 * rest of it were good enough. An excluded round is a separate branch and never acts either. Both depend on the debate
 * alone, so a debate that continues from there is compared with labelled debates that continued the same way.
 */
export interface CellDesign {
  readonly kind: 'path' | 'nominate'
  readonly cuts: readonly (readonly number[])[]
}

/** The bin of a round that never acts, whatever its score. */
export const EXCLUDED_BIN = -1

/** Bin of a round: the number of cuts that its score reaches. A score equal to a cut reaches it. */
export function binOf(cuts: readonly number[], score: number, excluded: number): number {
  if (excluded === 1) return EXCLUDED_BIN
  let bin = 0
  while (bin < cuts.length && score >= cuts[bin]!) bin++
  return bin
}

/** Number of tests that share delta: one per round of a path, or the single nomination. */
export function looksOf({ kind, cuts }: CellDesign): number {
  return kind === 'path' ? cuts.length : 1
}
