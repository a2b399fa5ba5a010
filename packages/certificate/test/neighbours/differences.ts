import type { NeighbourIndex } from '../../src/neighbours/neighbour-index.ts'

type Found = ReturnType<NeighbourIndex['search']>

/**
 * Answers of two indexes that differ. Tests compare tens of thousands of answers, so they collect the differences and
 * expect none.
 */
export function differences(isNear: (sum: number, other: number) => boolean) {
  const found: { readonly fast: Found; readonly slow: Found }[] = []
  return {
    found,
    /** Counts, successes and radii must be equal to the last bit; a sum has another order of its terms. */
    compare(fast: Found, slow: Found): void {
      const isSame =
        isEqual(fast.counts, slow.counts) &&
        isEqual(fast.successes, slow.successes) &&
        isEqual(fast.radii, slow.radii) &&
        slow.sums.every((sum, slot) => isNear(fast.sums[slot]!, sum))
      // An index overwrites its answer in its next search.
      if (!isSame) found.push(structuredClone({ fast, slow }))
    },
  }
}

function isEqual(left: ArrayLike<number>, right: ArrayLike<number>): boolean {
  if (left.length !== right.length) return false
  for (let at = 0; at < left.length; at++) if (!Object.is(left[at], right[at])) return false
  return true
}
