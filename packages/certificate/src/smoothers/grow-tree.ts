import type { BoostingOptions } from './boosting-options.ts'
import { type Derivatives, emptyHistogram, type Histogram, rowSummer, subtract } from './histogram.ts'
import type { MergedRows } from './merge-rows.ts'
import { type LeafSums, MINIMUM_HESSIAN, type Split, splitFinder } from './split-search.ts'

/** A priority queue that returns the item of largest gain first. */
interface GainQueue<Item> {
  push(item: Item): void
  pop(): Item | undefined
}

/** A node has the merged rows `order[from]` to `order[to - 1]`. A node without a branch is a leaf. */
export interface TreeNode extends LeafSums {
  readonly from: number
  readonly to: number
  readonly branch: { readonly split: Split; readonly left: TreeNode; readonly right: TreeNode } | null
}

export interface TreeGrower {
  /** The merged rows, grouped by the leaves of the tree that was grown last. */
  readonly order: Int32Array
  grow(derivatives: Derivatives): TreeNode
}

interface GrowingNode extends TreeNode {
  branch: TreeNode['branch']
}

/** A leaf whose best split is known. */
interface Candidate {
  readonly gain: number
  readonly node: GrowingNode
  readonly split: Split
  readonly histogram: Histogram
}

/**
 * Grows trees best-first: the leaf whose split lowers the loss most is split next, until there are `maximumLeaves` or
 * no split helps (Shi 2007; scikit-learn's TreeGrower).
 *
 * Only the smaller child is summed. The histogram of the larger is the rest of its parent's. Single precision summed in
 * double is exact unless the derivatives of a node differ in size by a factor of about a million. If it is exact,
 * neither this subtraction nor the order of the rows affects the tree.
 */
export function treeGrower(rows: MergedRows, options: BoostingOptions): TreeGrower {
  const { counts, edges } = rows
  const total = counts.reduce((sum, count) => sum + count, 0)
  const { maximumLeaves, minimumLeafRows } = options
  const order = new Int32Array(counts.length)
  const histograms = Array.from({ length: maximumLeaves }, () => emptyHistogram(edges.uppers.length))
  const [sumRows, findSplit, divide] = [rowSummer(rows), splitFinder(edges, options), divider(rows, order)]

  const consider = (queue: GainQueue<Candidate>, node: GrowingNode, histogram: Histogram) => {
    const split = node.rows < 2 * minimumLeafRows ? null : findSplit(histogram, node)
    if (split) queue.push({ gain: split.gain, node, split, histogram })
  }

  return {
    order,
    grow(derivatives) {
      for (let row = 0; row < order.length; row++) order[row] = row
      const root = rootOf(derivatives, total)
      if (root.hessian < MINIMUM_HESSIAN) return root
      const queue = gainQueue<Candidate>()
      sumRows(histograms[0]!, order, derivatives)
      consider(queue, root, histograms[0]!)
      for (let leaves = 1; leaves < maximumLeaves; leaves++) {
        const best = queue.pop()
        if (best === undefined) break
        const { left, right } = divide(best)
        if (leaves + 1 === maximumLeaves || Math.max(left.rows, right.rows) < 2 * minimumLeafRows) continue
        const small = left.rows < right.rows ? left : right
        const histogram = histograms[leaves]!
        sumRows(histogram, order.subarray(small.from, small.to), derivatives)
        subtract(best.histogram, histogram)
        consider(queue, left, small === left ? histogram : best.histogram)
        consider(queue, right, small === right ? histogram : best.histogram)
      }
      return root
    },
  }
}

function rootOf({ gradients, hessians }: Derivatives, rows: number): GrowingNode {
  let [gradient, hessian] = [0, 0]
  for (let row = 0; row < gradients.length; row++) {
    gradient += gradients[row]!
    hessian += hessians[row]!
  }
  // The root has no step yet: scikit-learn splits it even if one step for all rows would be as good.
  return { rows, gradient, hessian, value: 0, from: 0, to: gradients.length, branch: null }
}

/** Gives a node its children, and moves the rows of the left child before the others, keeping the order of each. */
function divider({ cells, edges: { columns } }: MergedRows, order: Int32Array) {
  const aside = new Int32Array(order.length)
  return ({ node, split }: Candidate) => {
    const { column, cell } = split
    let middle = node.from
    let moved = 0
    for (let i = node.from; i < node.to; i++) {
      const row = order[i]!
      if (cells[row * columns + column]! <= cell) order[middle++] = row
      else aside[moved++] = row
    }
    order.set(aside.subarray(0, moved), middle)
    const left: GrowingNode = { ...split.left, from: node.from, to: middle, branch: null }
    const right: GrowingNode = { ...split.right, from: middle, to: node.to, branch: null }
    node.branch = { split, left, right }
    return { left, right }
  }
}

/** A binary heap with the moves of Python's heapq, so equal gains leave it in the same order as in scikit-learn. */
export function gainQueue<Item extends { readonly gain: number }>(): GainQueue<Item> {
  const heap: Item[] = []
  return {
    push(item) {
      heap.push(item)
      rise(heap, heap.length - 1)
    },
    pop() {
      const last = heap.pop()
      const first = heap[0]
      if (last === undefined || first === undefined) return last
      heap[0] = last
      rise(heap, sink(heap))
      return first
    },
  }
}

/** Moves the first item to the bottom along the larger children, the right one among equals, and returns its position. */
function sink<Item extends { readonly gain: number }>(heap: Item[]): number {
  const item = heap[0]!
  let at = 0
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    const right = child + 1
    const larger = right < heap.length && !(heap[child]!.gain > heap[right]!.gain) ? right : child
    heap[at] = heap[larger]!
    at = larger
  }
  heap[at] = item
  return at
}

function rise<Item extends { readonly gain: number }>(heap: Item[], from: number): void {
  const item = heap[from]!
  let at = from
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!(item.gain > heap[parent]!.gain)) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = item
}
