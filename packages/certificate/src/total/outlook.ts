import type { KindCode } from '../kinds/kind.ts'
import type { TotalOutcome } from './count.ts'
import { binomialTail } from './exact-tests.ts'
import type { ClassCount } from './judge-classes.ts'
import { promiseLevels, type TotalPromise } from './promise.ts'

/**
 * Which test keeps a certificate, or a class of it, from acting. `labels`: about how many more would let it pass if rates stay
 * as they are; null where a hundred times the labels would not. The next attempt is counted in it: it is tested at a smaller delta.
 */
export interface FailedTest {
  readonly test: 'total' | 'floor'
  /** Rows and wrong ones among them that were tested. */
  readonly rows: number
  readonly wrong: number
  /** The rate that was tested: beta, or 1 - floor. */
  readonly limit: number
  readonly labels: number | null
}

/** Null where the strictest policy passed. `perNeighbour`: labels for each row that is counted. */
export function failedTotal(
  { policies, rows }: TotalOutcome,
  promise: TotalPromise,
  perNeighbour: number,
): FailedTest | null {
  const [strictest] = policies
  if (strictest === undefined || policies.some(({ passes }) => passes)) return null
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

/** Of a class that does not act. */
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

/** Kinds that the class still holds or held: for its name. */
export function kindsOf({ kinds, vetoed }: ClassCount): readonly KindCode[] {
  return [...kinds, ...vetoed]
}

/** The smallest factor, up to a hundred, by which all counts must grow to pass; null where none does. */
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
