import { candidateSearch } from './candidate-search.ts'
import { type DistinctStates, distinctStates } from './distinct-states.ts'
import { buildKdTree } from './kd-tree.ts'
import {
  emptyNeighbourhoods,
  type NeighbourIndex,
  type NeighbourRows,
  type NeighbourSum,
  type Ties,
} from './neighbour-index.ts'

/**
 * Exact k-NN over a k-d tree of distinct states.
 *
 * A neighbourhood is wanted as counts and sums, not as a sorted list: whole histogram buckets are added up, and only
 * the states in a bucket that holds some k-th distance (the shell) are put in order.
 */
export function kdTreeIndex(input: NeighbourRows, ties: Ties): NeighbourIndex {
  const states = distinctStates(input.points, input.dimension, input.correct)
  const tree = buildKdTree(states)
  const counts = tree.order.map((state) => states.counts[state]!)
  const successes = tree.order.map((state) => states.successes[state]!)
  const smoothed = input.smoothed && smoothedInTreeOrder(input.smoothed, states, tree.order)
  const { candidates, search } = candidateSearch(tree, input.dimension, counts, successes)
  const { positions, squares, bucketRows, bucketSuccesses } = candidates
  const bucketSums = new Float64Array(bucketRows.length)
  const isBoundary = new Uint8Array(bucketRows.length)
  const shell = new Uint32Array(counts.length)
  let found = emptyNeighbourhoods(1)

  /** Marks the buckets that hold a k-th nearest row and returns the last of them. */
  function markBoundaries(kFamily: readonly number[]): number {
    let bucket = -1
    let rows = 0
    for (let slot = 0; slot < kFamily.length; slot++) {
      while (rows < kFamily[slot]!) rows += bucketRows[++bucket]!
      isBoundary[bucket] = 1
    }
    return bucket
  }

  /** Puts the candidates of the boundary buckets into `shell`, nearest first, and adds the sums of all others up. */
  function fillShell(last: number, sum: NeighbourSum): number {
    const { scale, size } = candidates
    let shellSize = 0
    if (sum.kind !== 'none') bucketSums.fill(0, 0, last + 1)
    for (let candidate = 0; candidate < size; candidate++) {
      const square = squares[candidate]!
      const bucket = (square * scale) | 0
      if (bucket > last) continue
      if (isBoundary[bucket] === 1) shell[shellSize++] = candidate
      else if (sum.kind !== 'none') bucketSums[bucket]! += weightedSummand(positions[candidate]!, square, sum)
    }
    sortBySquare(shell, shellSize, squares)
    return shellSize
  }

  function weightedSummand(position: number, square: number, sum: NeighbourSum): number {
    if (sum.kind === 'oscillation') return counts[position]! * Math.abs(smoothed![position]! - sum.centre)
    return sum.kind === 'distance' ? counts[position]! * sum.of(Math.sqrt(square)) : 0
  }

  /** Replaces the tied states `shell[start..end)` in `found[slot]` by their first `wanted` rows in row order. */
  function takeByRowOrder(slot: number, start: number, end: number, wanted: number, sum: NeighbourSum): void {
    const tied: { row: number; share: number }[] = []
    for (const candidate of shell.subarray(start, end)) {
      const position = positions[candidate]!
      const state = tree.order[position]!
      const share = weightedSummand(position, squares[candidate]!, sum) / counts[position]!
      for (const row of states.rows.subarray(states.starts[state], states.starts[state + 1])) tied.push({ row, share })
    }
    tied.sort((a, b) => a.row - b.row)
    for (const { row, share } of tied.slice(0, wanted)) {
      found.counts[slot]! += 1
      found.successes[slot]! += input.correct[row]!
      found.sums[slot]! += share
    }
  }

  return {
    rows: input.correct.length,
    search(query, kFamily, sum) {
      if (found.counts.length !== kFamily.length) found = emptyNeighbourhoods(kFamily.length)
      search(query, kFamily[kFamily.length - 1]!)
      const last = markBoundaries(kFamily)
      const shellSize = fillShell(last, sum)

      let rows = 0
      let right = 0
      let total = 0
      let slot = 0
      let at = 0
      for (let bucket = 0; bucket <= last; bucket++) {
        if (isBoundary[bucket] === 0) {
          rows += bucketRows[bucket]!
          right += bucketSuccesses[bucket]!
          if (sum.kind !== 'none') total += bucketSums[bucket]!
          continue
        }
        isBoundary[bucket] = 0
        const rowsAfterBucket = rows + bucketRows[bucket]!
        while (rows < rowsAfterBucket) {
          const start = at
          const square = squares[shell[start]!]!
          let tiedRows = 0
          let tiedRight = 0
          let tiedTotal = 0
          for (; at < shellSize && squares[shell[at]!] === square; at++) {
            const position = positions[shell[at]!]!
            tiedRows += counts[position]!
            tiedRight += successes[position]!
            if (sum.kind !== 'none') tiedTotal += weightedSummand(position, square, sum)
          }
          for (; slot < kFamily.length && kFamily[slot]! <= rows + tiedRows; slot++) {
            const whole = ties === 'include' || kFamily[slot]! === rows + tiedRows
            found.counts[slot] = whole ? rows + tiedRows : rows
            found.successes[slot] = whole ? right + tiedRight : right
            found.sums[slot] = whole ? total + tiedTotal : total
            found.radii[slot] = Math.sqrt(square)
            if (!whole) takeByRowOrder(slot, start, at, kFamily[slot]! - rows, sum)
          }
          rows += tiedRows
          right += tiedRight
          total += tiedTotal
        }
      }
      return found
    },
  }
}

/** Insertion sort where the shell is short, as it nearly always is; lumps on one sphere can make it long. */
function sortBySquare(shell: Uint32Array, size: number, squares: Float64Array): void {
  if (size > 128) {
    shell.subarray(0, size).sort((a, b) => squares[a]! - squares[b]!)
    return
  }
  for (let at = 1; at < size; at++) {
    const candidate = shell[at]!
    const square = squares[candidate]!
    let hole = at
    for (; hole > 0 && squares[shell[hole - 1]!]! > square; hole--) shell[hole] = shell[hole - 1]!
    shell[hole] = candidate
  }
}

/** Equal states have equal smoothed values, so the first row of a state speaks for all. */
function smoothedInTreeOrder(smoothed: Float64Array, states: DistinctStates, order: Uint32Array): Float64Array {
  return Float64Array.from(order, (state) => smoothed[states.rows[states.starts[state]!]!]!)
}
