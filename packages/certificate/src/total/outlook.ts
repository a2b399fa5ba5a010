import type { KindCode } from '../kinds/kind.ts'
import type { TotalOutcome } from './count.ts'
import { binomialTail } from './exact-tests.ts'
import type { ClassCount } from './judge-classes.ts'
import { promiseLevels, type TotalPromise } from './promise.ts'

/**
 * The test that keeps a certificate, or a class of it, from acting. `labels` is about how many more labels would let it
 * pass at the same rates; null if a hundred times the labels would not. It takes into account that the next attempt is
 * tested at a smaller delta.
 */
export interface FailedTest {
  readonly test: 'total' | 'floor'
  /** Tested rows, and the wrong ones among them. */
  readonly rows: number
  readonly wrong: number
  /** The rate that was tested: beta, or 1 - floor. */
  readonly limit: number
  readonly labels: number | null
}

/** Null if a policy passed. `perNeighbour` is the number of labels per counted row. */
export function failedTotal(
  { policies, rows }: TotalOutcome,
  promise: TotalPromise,
  perNeighbour: number,
): FailedTest | null {
  const [strictest] = policies
  if (strictest === undefined || policies.some(({ hasPassed }) => hasPassed)) return null
  const { wrong, stopped } = strictest
  const { beta, kind } = promise
  const tested = kind === 'selective' ? stopped : rows
  const level = promiseLevels({ ...promise, attempt: promise.attempt + 1 }).total
  const passes = (scale: number) => {
    const count = Math.round(tested * scale)
    const bad = Math.ceil(wrong * scale)
    return kind === 'average' ? bad + 1 <= beta * (count + 1) : binomialTail(bad, count, beta) <= level
  }
  const scale = scaleToPass(passes)
  return {
    test: 'total',
    rows: tested,
    wrong,
    limit: beta,
    labels: scale === null ? null : Math.ceil((scale - 1) * rows * perNeighbour),
  }
}

/** The failed test of a class; null if the class acts or there is no floor. */
export function failedFloor(
  count: ClassCount,
  { rows, floorLevel }: TotalOutcome,
  promise: TotalPromise,
  perNeighbour: number,
): FailedTest | null {
  const { floor } = promise
  if (floor === null || count.state === 'acts') return null
  const wrong = count.rows - count.right
  const shrink = promiseLevels({ ...promise, attempt: promise.attempt + 1 }).floor / promiseLevels(promise).floor
  const passes = (scale: number) =>
    binomialTail(Math.ceil(wrong * scale), Math.round(count.rows * scale), 1 - floor) <= floorLevel * shrink
  const scale = count.rows === 0 || count.state === 'spoiled' ? null : scaleToPass(passes)
  return {
    test: 'floor',
    rows: count.rows,
    wrong,
    limit: 1 - floor,
    labels: scale === null ? null : Math.ceil((scale - 1) * rows * perNeighbour),
  }
}

/** The kinds of the class, including vetoed ones, for its name. */
export function kindsOf({ kinds, vetoed }: ClassCount): readonly KindCode[] {
  return [...kinds, ...vetoed]
}

/** The smallest factor, up to a hundred, by which all counts must grow to pass; null if none is enough. */
function scaleToPass(passes: (scale: number) => boolean): number | null {
  const MOST = 100
  if (!passes(MOST)) return null
  let [low, high] = [1, MOST]
  while (high - low > 1e-3 * low) {
    const middle = (low + high) / 2
    if (passes(middle)) high = middle
    else low = middle
  }
  return high
}
