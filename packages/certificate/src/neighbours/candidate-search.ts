import type { KdTree } from './kd-tree.ts'

const BUCKETS = 512
/** Initial capacity for candidates. It grows as needed, so a million rows do not need a million slots. */
const FIRST_CANDIDATES = 4096

/** A tree with the working memory of its searches. `candidates`, `squares` and the buckets belong to the last search. */
export interface SearchSpace {
  readonly tree: KdTree
  readonly dimension: number
  /** Rows and successes of each state, in tree order. */
  readonly counts: Uint32Array
  readonly successes: Uint32Array
  /** Tree positions that can be among the k nearest rows, and their squared distances; the first `found` are in use. */
  candidates: Uint32Array
  squares: Float64Array
  found: number
  /** Bucket of a squared distance: `(square * scale) | 0`. */
  scale: number
  /** Rows and successes per bucket, complete up to the bucket that contains the k-th nearest row. */
  readonly bucketRows: Int32Array
  readonly bucketSuccesses: Int32Array
  /** Nodes still to visit: number, range of positions, squared distance to the box. */
  readonly nodes: Int32Array
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly nodeSquares: Float64Array
}

export function searchSpace(tree: KdTree, dimension: number, counts: Uint32Array, successes: Uint32Array): SearchSpace {
  const pending = tree.depth + 2
  return {
    tree,
    dimension,
    counts,
    successes,
    candidates: new Uint32Array(Math.min(counts.length, FIRST_CANDIDATES)),
    squares: new Float64Array(Math.min(counts.length, FIRST_CANDIDATES)),
    found: 0,
    scale: 0,
    bucketRows: new Int32Array(BUCKETS + 1),
    bucketSuccesses: new Int32Array(BUCKETS + 1),
    nodes: new Int32Array(pending),
    starts: new Int32Array(pending),
    ends: new Int32Array(pending),
    nodeSquares: new Float64Array(pending),
  }
}

/**
 * Walks the tree, nearest part first, and keeps a histogram of squared distances whose cumulative counts shrink the
 * search radius on the way. It needs neither sorting nor a heap.
 *
 * This is a module function with its arrays in locals, because a closure would be optimised for the first index only.
 */
export function findCandidates(space: SearchSpace, query: Float64Array, k: number): void {
  const { dimension, counts, successes, bucketRows, bucketSuccesses } = space
  let { candidates, squares } = space
  const { nodes, starts, ends, nodeSquares } = space
  const { points, boxes, depth } = space.tree
  const firstLeaf = 2 ** depth - 1
  const isPlane = dimension === 2
  const x = query[0]!
  const y = isPlane ? query[1]! : 0
  const enclosing = enclosingSquare(space.tree, dimension, query, k)
  // If the quotient would overflow, everything falls into one bucket and the radius does not shrink.
  const scale = enclosing > 1e-290 ? BUCKETS / enclosing : 0
  bucketRows.fill(0)
  bucketSuccesses.fill(0)
  let found = 0
  let top = BUCKETS
  let inside = 0
  let limit = enclosing
  let pending = 1
  nodes[0] = 0
  starts[0] = 0
  ends[0] = counts.length
  nodeSquares[0] = 0
  while (pending > 0) {
    pending--
    if (nodeSquares[pending]! > limit) continue
    const node = nodes[pending]!
    const start = starts[pending]!
    const end = ends[pending]!
    if (node < firstLeaf) {
      const middle = (start + end) >>> 1
      const left = 2 * node + 1
      const leftSquare = squareToBox(boxes, dimension, left, query)
      const rightSquare = squareToBox(boxes, dimension, left + 1, query)
      const leftIsNear = leftSquare <= rightSquare
      const farSquare = leftIsNear ? rightSquare : leftSquare
      if (farSquare <= limit) {
        nodes[pending] = leftIsNear ? left + 1 : left
        starts[pending] = leftIsNear ? middle : start
        ends[pending] = leftIsNear ? end : middle
        nodeSquares[pending++] = farSquare
      }
      nodes[pending] = leftIsNear ? left : left + 1
      starts[pending] = leftIsNear ? start : middle
      ends[pending] = leftIsNear ? middle : end
      nodeSquares[pending++] = leftIsNear ? leftSquare : rightSquare
      continue
    }
    if (found + end - start > squares.length) {
      grow(space)
      candidates = space.candidates
      squares = space.squares
    }
    for (let position = start; position < end; position++) {
      const square = isPlane
        ? (points[2 * position]! - x) * (points[2 * position]! - x) +
          (points[2 * position + 1]! - y) * (points[2 * position + 1]! - y)
        : squareToPoint(points, dimension, position, query)
      if (square > limit) continue
      const bucket = (square * scale) | 0
      // The limit is slightly too large, so a state just beyond the top bucket must not be counted as inside.
      if (bucket > top) continue
      const weight = counts[position]!
      bucketRows[bucket]! += weight
      bucketSuccesses[bucket]! += successes[position]!
      inside += weight
      squares[found] = square
      candidates[found++] = position
    }
    const topBefore = top
    while (inside - bucketRows[top]! >= k) inside -= bucketRows[top--]!
    // The factor covers the rounding of bucket numbers: an extra box is cheap, but a missing row is wrong.
    if (top < topBefore && scale > 0) limit = Math.min(limit, ((top + 1) / scale) * (1 + 1e-9))
  }
  space.found = found
  space.scale = scale
}

function grow(space: SearchSpace): void {
  const size = 2 * space.squares.length
  const { candidates, squares } = space
  space.candidates = new Uint32Array(size)
  space.squares = new Float64Array(size)
  space.candidates.set(candidates)
  space.squares.set(squares)
}

/** A squared radius around the query with at least k rows inside: it covers the deepest near node that has k rows. */
function enclosingSquare({ boxes, weights, depth }: KdTree, dimension: number, query: Float64Array, k: number): number {
  const firstLeaf = 2 ** depth - 1
  let node = 0
  while (node < firstLeaf) {
    const left = 2 * node + 1
    const leftIsNear = squareToBox(boxes, dimension, left, query) <= squareToBox(boxes, dimension, left + 1, query)
    const near = leftIsNear ? left : left + 1
    if (weights[near]! < k) break
    node = near
  }
  const lower = node * 2 * dimension
  let sum = 0
  for (let axis = 0; axis < dimension; axis++) {
    const value = query[axis]!
    const reach = Math.max(value - boxes[lower + axis]!, boxes[lower + dimension + axis]! - value)
    sum += reach * reach
  }
  return sum
}

/** Never above the squared distance of a point inside the box, even in floating point, since rounding is monotone. */
function squareToBox(boxes: Float64Array, dimension: number, node: number, query: Float64Array): number {
  const lower = node * 2 * dimension
  if (dimension === 2) {
    const x = query[0]!
    const y = query[1]!
    const first = Math.max(boxes[lower]! - x, x - boxes[lower + 2]!, 0)
    const second = Math.max(boxes[lower + 1]! - y, y - boxes[lower + 3]!, 0)
    return first * first + second * second
  }
  let sum = 0
  for (let axis = 0; axis < dimension; axis++) {
    const value = query[axis]!
    const gap = Math.max(boxes[lower + axis]! - value, value - boxes[lower + dimension + axis]!, 0)
    sum += gap * gap
  }
  return sum
}

function squareToPoint(points: Float64Array, dimension: number, position: number, query: Float64Array): number {
  const at = position * dimension
  if (dimension === 2) {
    const first = points[at]! - query[0]!
    const second = points[at + 1]! - query[1]!
    return first * first + second * second
  }
  let sum = 0
  for (let axis = 0; axis < dimension; axis++) {
    const difference = points[at + axis]! - query[axis]!
    sum += difference * difference
  }
  return sum
}
