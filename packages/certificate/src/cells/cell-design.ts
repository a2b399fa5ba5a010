/**
 * How debates are sorted into cells, fixed by pilot rows alone. Cut points are probabilities on the learned score's
 * scale, ascending, one list a round.
 *
 * `path`: a debate's cell at round t is the sequence of its bins in rounds 1..t; it is looked at in every round.
 * `nominate`: a debate is looked at once, in the first round in which its score reaches that round's first cut; its
 * cell is that round and bin. A round without cuts nominates nothing.
 */
export interface CellDesign {
  readonly kind: 'path' | 'nominate'
  readonly cuts: readonly (readonly number[])[]
}

/** Bin of a score: how many cuts it reaches. A score of exactly the cut is above it. */
export function binOf(cuts: readonly number[], score: number): number {
  let bin = 0
  while (bin < cuts.length && score >= cuts[bin]!) bin++
  return bin
}

/** Looks that share delta: every round of a path, or the single nomination. */
export function looksOf({ kind, cuts }: CellDesign): number {
  return kind === 'path' ? cuts.length : 1
}
