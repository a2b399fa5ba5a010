import { findCandidates, type SearchSpace, searchSpace } from './candidate-search.ts'
import { type DistinctStates, distinctStates } from './distinct-states.ts'
import { buildKdTree } from './kd-tree.ts'
import {
  emptyNeighbourhoods,
  type Neighbourhoods,
  type NeighbourIndex,
  type NeighbourRows,
  type NeighbourSum,
  type Ties,
} from './neighbour-index.ts'

/**
 * Exact k-NN over a k-d tree of distinct states.
 *
 * A neighbourhood is needed as counts and sums, not as a sorted list. Whole histogram buckets are added up, and only
 * the states in a bucket that contains some k-th distance (the shell) are sorted.
 */
export function kdTreeIndex(
  input: NeighbourRows,
  ties: Ties,
  states = distinctStates(input.points, input.dimension, input.correct),
): NeighbourIndex {
  const selection = prepare(input, ties, states)
  const { space } = selection
  const rows = input.correct.length
  let found = emptyNeighbourhoods(1)
  return {
    rows,
    search(query, kFamily, sum) {
      if (found.counts.length !== kFamily.length) found = emptyNeighbourhoods(kFamily.length)
      findCandidates(space, query, kFamily[kFamily.length - 1]!)
      if (selection.shell.length < space.squares.length) selection.shell = new Uint32Array(space.squares.length)
      select(selection, kFamily, sum, found)
      return found
    },
  }
}

/** Separate from the index, so that intermediate data does not live as long as the index. */
function prepare(input: NeighbourRows, ties: Ties, states: DistinctStates): Selection {
  const tree = buildKdTree(states)
  const counts = tree.order.map((state) => states.counts[state]!)
  const successes = tree.order.map((state) => states.successes[state]!)
  const space = searchSpace(tree, input.dimension, counts, successes)
  return {
    space,
    ties,
    smoothed: smoothedInTreeOrder(input.smoothed, states, tree.order),
    bucketSums: new Float64Array(space.bucketRows.length),
    isBoundary: new Uint8Array(space.bucketRows.length),
    shell: new Uint32Array(0),
    rowsOf: rowsOfPosition(states, tree.order),
    correct: input.correct,
  }
}

interface Selection {
  readonly space: SearchSpace
  readonly ties: Ties
  /** In tree order; empty if no sum needs it. */
  readonly smoothed: Float64Array
  readonly bucketSums: Float64Array
  readonly isBoundary: Uint8Array
  /** Indices of candidates, with the same capacity as the candidates. */
  shell: Uint32Array
  readonly rowsOf: (position: number) => Uint32Array
  readonly correct: Uint8Array
}

/** Walks outwards bucket by bucket and records the neighbourhood of every k on the way. */
function select(selection: Selection, kFamily: readonly number[], sum: NeighbourSum, found: Neighbourhoods): void {
  const { space, isBoundary, bucketSums, shell, ties } = selection
  const { bucketRows, bucketSuccesses, squares, candidates, counts, successes } = space
  const last = markBoundaries(bucketRows, isBoundary, kFamily)
  const shellSize = fillShell(selection, last, sum)
  const hasSum = sum.kind !== 'none'
  let rows = 0
  let right = 0
  let total = 0
  let slot = 0
  let at = 0
  for (let bucket = 0; bucket <= last; bucket++) {
    if (isBoundary[bucket] === 0) {
      rows += bucketRows[bucket]!
      right += bucketSuccesses[bucket]!
      if (hasSum) total += bucketSums[bucket]!
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
        const position = candidates[shell[at]!]!
        tiedRows += counts[position]!
        tiedRight += successes[position]!
        if (hasSum) tiedTotal += counts[position]! * summand(selection, position, square, sum)
      }
      for (; slot < kFamily.length && kFamily[slot]! <= rows + tiedRows; slot++) {
        const isWhole = ties === 'include' || kFamily[slot]! === rows + tiedRows
        found.counts[slot] = isWhole ? rows + tiedRows : rows
        found.successes[slot] = isWhole ? right + tiedRight : right
        found.sums[slot] = isWhole ? total + tiedTotal : total
        found.radii[slot] = Math.sqrt(square)
        if (!isWhole) addByRowOrder(selection, shell.subarray(start, at), kFamily[slot]! - rows, sum, found, slot)
      }
      rows += tiedRows
      right += tiedRight
      total += tiedTotal
    }
  }
}

/** Marks the buckets that contain a k-th nearest row and returns the last of them. */
function markBoundaries(bucketRows: Int32Array, isBoundary: Uint8Array, kFamily: readonly number[]): number {
  let bucket = -1
  let rows = 0
  for (let slot = 0; slot < kFamily.length; slot++) {
    while (rows < kFamily[slot]!) rows += bucketRows[++bucket]!
    isBoundary[bucket] = 1
  }
  return bucket
}

/** Puts the candidates of the boundary buckets into `shell`, nearest first, and adds up the sums of all others. */
function fillShell(selection: Selection, last: number, sum: NeighbourSum): number {
  const { space, smoothed, bucketSums, isBoundary, shell } = selection
  const { squares, candidates, counts, scale, found } = space
  const { kind, centre } = sum
  let shellSize = 0
  if (kind !== 'none') bucketSums.fill(0, 0, last + 1)
  for (let candidate = 0; candidate < found; candidate++) {
    const square = squares[candidate]!
    const bucket = (square * scale) | 0
    if (bucket > last) continue
    if (isBoundary[bucket] === 1) {
      shell[shellSize++] = candidate
    } else if (kind === 'oscillation') {
      const position = candidates[candidate]!
      bucketSums[bucket]! += counts[position]! * Math.abs(smoothed[position]! - centre)
    } else if (kind === 'distance') {
      bucketSums[bucket]! += counts[candidates[candidate]!]! * sum.of(Math.sqrt(square))
    }
  }
  sortBySquare(shell, shellSize, squares)
  return shellSize
}

function summand({ smoothed }: Selection, position: number, square: number, sum: NeighbourSum): number {
  if (sum.kind === 'oscillation') return Math.abs(smoothed[position]! - sum.centre)
  return sum.kind === 'distance' ? sum.of(Math.sqrt(square)) : 0
}

/** Adds the first `wanted` rows, in row order, of states that are tied in distance. */
function addByRowOrder(
  selection: Selection,
  tiedStates: Uint32Array,
  wanted: number,
  sum: NeighbourSum,
  found: Neighbourhoods,
  slot: number,
): void {
  const { space, rowsOf, correct } = selection
  if (tiedStates.length === 1) {
    // The rows of one state are already ascending. This is the common case, since votes put many rows on one state.
    const position = space.candidates[tiedStates[0]!]!
    const rows = rowsOf(position)
    for (let at = 0; at < wanted; at++) found.successes[slot]! += correct[rows[at]!]!
    found.counts[slot]! += wanted
    found.sums[slot]! += wanted * summand(selection, position, space.squares[tiedStates[0]!]!, sum)
    return
  }
  const tied: { row: number; share: number }[] = []
  for (const candidate of tiedStates) {
    const position = space.candidates[candidate]!
    const share = summand(selection, position, space.squares[candidate]!, sum)
    // At most the first `wanted` rows of a state can be among the first `wanted` of all.
    for (const row of rowsOf(position).subarray(0, wanted)) tied.push({ row, share })
  }
  tied.sort((a, b) => a.row - b.row)
  for (const { row, share } of tied.slice(0, wanted)) {
    found.counts[slot]! += 1
    found.successes[slot]! += correct[row]!
    found.sums[slot]! += share
  }
}

/** Insertion sort if the shell is short, which it nearly always is. Many rows at one distance can make it long. */
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

/** Keeps only the row numbers of the distinct states. Everything else is already in tree order. */
function rowsOfPosition({ starts, rows }: DistinctStates, order: Uint32Array): (position: number) => Uint32Array {
  return (position) => rows.subarray(starts[order[position]!], starts[order[position]! + 1])
}

/** Equal states have equal smoothed values, so the first row of a state represents all. */
function smoothedInTreeOrder(smoothed: Float64Array | null, states: DistinctStates, order: Uint32Array): Float64Array {
  if (smoothed === null) return new Float64Array(0)
  return Float64Array.from(order, (state) => smoothed[states.rows[states.starts[state]!]!]!)
}
