import { fastIndex } from '../neighbours/fast-index.ts'
import { noSum } from '../neighbours/neighbour-index.ts'
import { empiricalCdfs, readCdf } from '../states/empirical-cdf.ts'
import { rowsWithBound } from './bound-calibration.ts'
import { type HeldOut, stateOf } from './held-out.ts'

/**
 * How often debates of the picking fold were right near a state, from that fold's labels alone. The labels of the
 * certificate play no part.
 */
export interface LocalShares {
  /** Debates with a bound in this round, in the fold that picks and in the fold that tests. */
  readonly picking: readonly number[]
  readonly testing: readonly number[]
  /** Ways to measure nearness. */
  readonly metrics: readonly Metric[]
}

export interface Metric {
  /**
   * Share of right answers among the nearest `sizes` debates of the picking fold. `sizes` ascend. No debate is its own
   * neighbour.
   */
  sharesOf(row: number, sizes: readonly number[]): number[]
}

/**
 * One metric over the whole state and one over each coordinate alone, because a band along one coordinate is a thin
 * slice of the whole space.
 */
export function localShares(heldOut: HeldOut, round: number): LocalShares {
  const { fold, correct, rounds, steps } = heldOut
  const at = (row: number) => row * rounds + round - 1
  const found = rowsWithBound(heldOut, round)
  const picking = found.filter((row) => fold[row] === 0)
  const testing = found.filter((row) => fold[row] === 1)
  if (picking.length === 0) return { picking, testing, metrics: [] }
  const states = found.map((row) => stateOf(steps[at(row)]!))
  const axes = Array.from(states[0]!.keys())
  const cdfs = empiricalCdfs(Float64Array.from(states.flat()), axes.length)
  const placeOf = (row: number) =>
    Float64Array.from(stateOf(steps[at(row)]!), (value, axis) => readCdf(cdfs[axis]!, value, 'interpolated'))
  const places = new Map(found.map((row) => [row, placeOf(row)]))
  const labels = Uint8Array.from(picking, (row) => correct[at(row)]!)
  const metrics = axes.length === 1 ? [axes] : [axes, ...axes.map((axis) => [axis])]
  return { picking, testing, metrics: metrics.map(metric) }

  function metric(along: readonly number[]): Metric {
    const project = (row: number) => Float64Array.from(along, (axis) => places.get(row)![axis]!)
    const points = new Float64Array(picking.length * along.length)
    for (const [place, row] of picking.entries()) points.set(project(row), place * along.length)
    const index = fastIndex({ points, dimension: along.length, correct: labels, smoothed: null }, 'include')
    return {
      sharesOf(row, sizes) {
        const own = fold[row] === 0 ? 1 : 0
        const wanted = sizes.map((size) => Math.min(size + own, picking.length))
        const { counts, successes } = index.search(project(row), wanted, noSum())
        return wanted.map((_, slot) => (successes[slot]! - own * correct[at(row)]!) / (counts[slot]! - own))
      },
    }
  }
}
