import type { DistinctStates } from './distinct-states.ts'

/**
 * A balanced k-d tree over distinct states. Node i has children 2i + 1 and 2i + 2, and every leaf is at the same depth.
 * A node covers a contiguous run of `order`, halved at each level, so neither links nor ranges are stored.
 */
export interface KdTree {
  /** Number of levels below the root. */
  readonly depth: number
  /** Index of the distinct state at each position of the tree. */
  readonly order: Uint32Array
  /** Coordinates in tree order. */
  readonly points: Float64Array
  /** Tight bounding boxes, per node: all lower corners, then all upper corners. */
  readonly boxes: Float64Array
  /** Rows (not distinct states) under each node. */
  readonly weights: Float64Array
}

const LEAF_SIZE = 56

export function buildKdTree(states: DistinctStates): KdTree {
  const { dimension } = states
  const size = states.counts.length
  const depth = Math.max(0, Math.ceil(Math.log2(size / LEAF_SIZE)))
  const nodes = 2 ** (depth + 1) - 1
  const order = new Uint32Array(size)
  for (let position = 0; position < size; position++) order[position] = position
  const boxes = new Float64Array(nodes * 2 * dimension)
  const weights = new Float64Array(nodes)

  const build = (node: number, start: number, end: number, level: number): void => {
    fitBox(states, order, start, end, boxes, node)
    for (let position = start; position < end; position++) weights[node]! += states.counts[order[position]!]!
    if (level === depth) return
    const middle = (start + end) >>> 1
    selectMiddle(states, order, start, end, middle, widestAxis(boxes, node, dimension))
    build(2 * node + 1, start, middle, level + 1)
    build(2 * node + 2, middle, end, level + 1)
  }
  build(0, 0, size, 0)

  const points = new Float64Array(size * dimension)
  for (let position = 0; position < size; position++) {
    const from = order[position]! * dimension
    for (let axis = 0; axis < dimension; axis++) points[position * dimension + axis] = states.points[from + axis]!
  }
  return { depth, order, points, boxes, weights }
}

function fitBox(
  states: DistinctStates,
  order: Uint32Array,
  start: number,
  end: number,
  boxes: Float64Array,
  node: number,
): void {
  const { points, dimension } = states
  const lower = node * 2 * dimension
  const upper = lower + dimension
  boxes.fill(Infinity, lower, upper).fill(-Infinity, upper, upper + dimension)
  for (let position = start; position < end; position++) {
    for (let axis = 0; axis < dimension; axis++) {
      const value = points[order[position]! * dimension + axis]!
      if (value < boxes[lower + axis]!) boxes[lower + axis] = value
      if (value > boxes[upper + axis]!) boxes[upper + axis] = value
    }
  }
}

function widestAxis(boxes: Float64Array, node: number, dimension: number): number {
  const lower = node * 2 * dimension
  let widest = 0
  let width = -1
  for (let axis = 0; axis < dimension; axis++) {
    const extent = boxes[lower + dimension + axis]! - boxes[lower + axis]!
    if (extent > width) {
      widest = axis
      width = extent
    }
  }
  return widest
}

/** Hoare's selection: afterwards nothing before `middle` is larger on `axis` than anything from it on. */
function selectMiddle(
  { points, dimension }: DistinctStates,
  order: Uint32Array,
  start: number,
  end: number,
  middle: number,
  axis: number,
): void {
  let low = start
  let high = end - 1
  while (low < high) {
    const pivot = points[order[(low + high) >>> 1]! * dimension + axis]!
    let left = low
    let right = high
    while (left <= right) {
      while (points[order[left]! * dimension + axis]! < pivot) left++
      while (points[order[right]! * dimension + axis]! > pivot) right--
      if (left <= right) {
        const kept = order[left]!
        order[left++] = order[right]!
        order[right--] = kept
      }
    }
    if (middle <= right) high = right
    else if (middle >= left) low = left
    else return
  }
}
