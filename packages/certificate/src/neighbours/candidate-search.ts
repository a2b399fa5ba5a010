import type { KdTree } from './kd-tree.ts'

const BUCKETS = 512

/** The states that can be among the k nearest rows of a query. Overwritten by the next search. */
export interface Candidates {
  /** How many entries of `positions` and `squares` are in use. */
  size: number
  /** Tree positions and their squared distances. */
  readonly positions: Uint32Array
  readonly squares: Float64Array
  /** Bucket of a squared distance: `(square * scale) | 0`. */
  scale: number
  /** Rows and successes per bucket; complete up to the bucket that holds the k-th nearest row. */
  readonly bucketRows: Int32Array
  readonly bucketSuccesses: Int32Array
}

/**
 * Walks the tree nearest part first and keeps a histogram of squared distances; its cumulative counts shrink the
 * search radius on the way. No list is sorted and no heap is kept.
 */
export function candidateSearch(
  tree: KdTree,
  dimension: number,
  counts: Uint32Array,
  successes: Uint32Array,
): { readonly candidates: Candidates; search(query: Float64Array, k: number): void } {
  const { depth, points, boxes, weights } = tree
  const size = counts.length
  const firstLeaf = 2 ** depth - 1
  const positions = new Uint32Array(size)
  const squares = new Float64Array(size)
  const bucketRows = new Int32Array(BUCKETS + 1)
  const bucketSuccesses = new Int32Array(BUCKETS + 1)
  const candidates: Candidates = { size: 0, positions, squares, scale: 0, bucketRows, bucketSuccesses }
  const nodes = new Uint32Array(depth + 2)
  const starts = new Uint32Array(depth + 2)
  const ends = new Uint32Array(depth + 2)
  const nodeSquares = new Float64Array(depth + 2)

  function search(query: Float64Array, k: number): void {
    const enclosing = enclosingSquare(query, k)
    const scale = enclosing > 0 ? BUCKETS / enclosing : 0
    bucketRows.fill(0)
    bucketSuccesses.fill(0)
    let found = 0
    let top = BUCKETS
    let inside = 0
    let limit = enclosing
    let pending = 1
    nodes[0] = 0
    starts[0] = 0
    ends[0] = size
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
        const leftSquare = squareToBox(left, query)
        const rightSquare = squareToBox(left + 1, query)
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
      for (let position = start; position < end; position++) {
        const square = squareToPoint(position, query)
        if (square > limit) continue
        const bucket = (square * scale) | 0
        const weight = counts[position]!
        bucketRows[bucket]! += weight
        bucketSuccesses[bucket]! += successes[position]!
        inside += weight
        squares[found] = square
        positions[found++] = position
      }
      const topBefore = top
      while (inside - bucketRows[top]! >= k) inside -= bucketRows[top--]!
      // The factor covers the rounding of bucket numbers: one box too many is cheap, one row too few is wrong.
      if (top < topBefore) limit = Math.min(limit, ((top + 1) / scale) * (1 + 1e-9))
    }
    candidates.size = found
    candidates.scale = scale
  }

  /** A squared radius around the query with at least k rows inside: it covers the deepest near node that has k rows. */
  function enclosingSquare(query: Float64Array, k: number): number {
    let node = 0
    while (node < firstLeaf) {
      const left = 2 * node + 1
      const near = squareToBox(left, query) <= squareToBox(left + 1, query) ? left : left + 1
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

  /** Never above the squared distance of a point inside the box, in floating point too: rounding is monotone. */
  function squareToBox(node: number, query: Float64Array): number {
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

  function squareToPoint(position: number, query: Float64Array): number {
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

  return { candidates, search }
}
