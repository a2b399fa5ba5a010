/**
 * How debates are sorted into cells, fixed by pilot rows alone. Cut points are probabilities on the learned score's
 * scale, ascending, one list a round.
 *
 * `path`: a debate's cell at round t is the sequence of its bins in rounds 1..t; it is looked at in every round.
 * `nominate`: a debate is looked at once, in the first round in which its score reaches that round's first cut; its
 * cell is that round and bin. A round without cuts nominates nothing.
 *
 * Bin 0, below the first cut, never acts: it holds whatever its score speaks against, and would pass as a whole wherever
 * the rest of it is good enough. A barred round is a branch of its own and never acts either. Both are functions of the
 * debate alone, so that a debate which goes on from there is compared with labelled debates that went on the same way.
 */
export interface CellDesign {
  readonly kind: 'path' | 'nominate'
  readonly cuts: readonly (readonly number[])[]
}

/** Of a round that never acts, whatever its score. */
export const BARRED_BIN = -1

/** Bin of a round: how many cuts its score reaches. A score of exactly the cut is above it. */
export function binOf(cuts: readonly number[], score: number, barred: number): number {
  if (barred === 1) return BARRED_BIN
  let bin = 0
  while (bin < cuts.length && score >= cuts[bin]!) bin++
  return bin
}

/** Looks that share delta: every round of a path, or the single nomination. */
export function looksOf({ kind, cuts }: CellDesign): number {
  return kind === 'path' ? cuts.length : 1
}
