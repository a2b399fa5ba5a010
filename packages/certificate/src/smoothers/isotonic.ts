import { CertificateError } from '../certificate-error.ts'
import { checkFinite, checkObservations } from './check-observations.ts'
import type { Smoother } from './smoother.ts'

/**
 * The non-decreasing function of the first coordinate that is nearest to the observed rates in weighted least squares,
 * by pooling adjacent violators (Barlow et al. 1972). It is linear between blocks and constant outside (scikit-learn's
 * IsotonicRegression(out_of_bounds='clip')).
 *
 * Blocks keep integer numbers of successes, so the fit does not depend on the order of the rows.
 */
export function fitIsotonic(
  points: Float64Array,
  dimension: number,
  successes: ArrayLike<number>,
  counts: ArrayLike<number>,
): Smoother {
  if (!(Number.isInteger(dimension) && dimension >= 1 && points.length === counts.length * dimension)) {
    throw new CertificateError('fitIsotonic', 'points.length', `${counts.length} x ${dimension}`, points.length)
  }
  checkFinite('fitIsotonic', 'points', points)
  checkObservations('fitIsotonic', counts.length, successes, counts)
  const blocks: Block[] = []
  for (const place of placesInOrder(points, dimension, successes, counts)) {
    let block = place
    for (let last = blocks.at(-1); last && !rises(last, block); last = blocks.at(-1)) {
      blocks.pop()
      block = pooled(last, block)
    }
    blocks.push(block)
  }
  return interpolate(blocks)
}

/** Adjacent values of the coordinate that share one rate. */
interface Block {
  readonly from: number
  readonly to: number
  readonly successes: number
  readonly count: number
}

/** One block per distinct value, since rows with the same value must share a rate before any comparison. */
function placesInOrder(
  points: Float64Array,
  dimension: number,
  successes: ArrayLike<number>,
  counts: ArrayLike<number>,
): Block[] {
  const rows = Array.from(counts, (count, row) => {
    const x = points[row * dimension]!
    return { from: x, to: x, successes: successes[row]!, count }
  })
  const places: Block[] = []
  for (const row of rows.filter(({ count }) => count > 0).sort((left, right) => left.from - right.from)) {
    const last = places.at(-1)
    if (last?.to === row.from) places[places.length - 1] = pooled(last, row)
    else places.push(row)
  }
  return places
}

/** Compares rates by cross-multiplication, which is exact for integer counts. */
function rises(left: Block, right: Block): boolean {
  return left.successes * right.count < right.successes * left.count
}

function pooled(left: Block, right: Block): Block {
  return {
    from: left.from,
    to: right.to,
    successes: left.successes + right.successes,
    count: left.count + right.count,
  }
}

/** Two corners per block, rate against coordinate, with a straight line between the corners of two blocks. */
function interpolate(blocks: readonly Block[]): Smoother {
  const x = Float64Array.from(blocks.flatMap((block) => [block.from, block.to]))
  const rate = Float64Array.from(blocks.flatMap((block) => Array(2).fill(block.successes / block.count)))
  const last = x.length - 1
  return {
    predict(points, offset) {
      const value = points[offset]!
      if (Number.isNaN(value)) throw new CertificateError('fitIsotonic.predict', 'state', 'a number', value)
      if (value <= x[0]!) return rate[0]!
      if (value >= x[last]!) return rate[last]!
      let [low, high] = [0, last]
      while (high - low > 1) {
        const middle = (low + high) >> 1
        if (x[middle]! <= value) low = middle
        else high = middle
      }
      const share = (value - x[low]!) / (x[high]! - x[low]!)
      return rate[low]! + share * (rate[high]! - rate[low]!)
    },
  }
}
