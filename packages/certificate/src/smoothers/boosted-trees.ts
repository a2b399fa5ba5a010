import { CertificateError } from '../certificate-error.ts'
import { type BoostingOptions, resolveBoostingOptions } from './boosting-options.ts'
import { checkFinite } from './check-observations.ts'
import { type BinEdges, binRows } from './feature-bins.ts'
import { type TreeNode, treeGrower } from './grow-tree.ts'
import type { Derivatives } from './histogram.ts'
import { type MergedRows, mergeRows } from './merge-rows.ts'
import { treeEnsemble } from './tree-ensemble.ts'

export interface BoostedTrees {
  /** Probability of class 1 at a row of `columns` features. */
  predict(rows: Float64Array, offset: number): number
  toJSON(): BoostedTreesFile
}

/** Trees as JSON, with plain thresholds instead of bins. */
export interface BoostedTreesFile {
  /** Log-odds before any tree. */
  readonly baseline: number
  /**
   * Each tree in preorder. A branch is its column, its threshold, the index of its second child, and then both
   * children. A value up to the threshold goes to the first child. A leaf is -1 and what it adds to the log-odds.
   */
  readonly trees: readonly (readonly number[])[]
}

/**
 * Gradient boosting of the log loss with trees on binned features, two classes (scikit-learn 1.2's
 * HistGradientBoostingClassifier without early stopping; Ke et al. 2017).
 *
 * `rows` are row-major with a label of 0 or 1 each. Derivatives are rounded to single precision as in scikit-learn, so
 * that the same sums break the same ties. Labels of one class are refused, since their log-odds are infinite.
 */
export function fitBoostedTrees(
  rows: Float64Array,
  columns: number,
  labels: Uint8Array,
  options: Partial<BoostingOptions> = {},
): BoostedTrees {
  const resolved = resolveBoostingOptions('fitBoostedTrees', options)
  const successes = checkRows(rows, columns, labels)
  const rate = successes / labels.length
  const baseline = Math.log(rate / (1 - rate))
  const merged = mergeRows(binRows(rows, columns, resolved.maximumBins), labels)
  const count = merged.counts.length
  const grower = treeGrower(merged, resolved)
  const logOdds = new Float64Array(count).fill(baseline)
  const derivatives = { gradients: new Float64Array(count), hessians: new Float64Array(count) }
  const trees: TreeNode[] = []
  while (trees.length < resolved.trees) {
    differentiate(logOdds, merged, derivatives)
    const tree = grower.grow(derivatives)
    // Nothing changed, so every further tree would be the same leaf of value 0.
    if (tree.branch === null) break
    trees.push(tree)
    step(tree, grower.order, resolved.learningRate, logOdds)
  }
  const ensemble = treeEnsemble(trees, merged.edges, resolved.learningRate)
  return {
    predict: (rows, offset) => 1 / (1 + Math.exp(-baseline - ensemble.sum(rows, offset))),
    toJSON: () => ({ baseline, trees: trees.map((tree) => preorder(tree, merged.edges, resolved.learningRate)) }),
  }
}

/** The same value as `fitBoostedTrees(...).predict` at a row, to the last bit. */
export function predictTrees({ baseline, trees }: BoostedTreesFile, rows: Float64Array, offset: number): number {
  let sum = 0
  for (const tree of trees) {
    let at = 0
    while (tree[at]! >= 0) at = rows[offset + tree[at]!]! <= tree[at + 1]! ? at + 3 : tree[at + 2]!
    sum += tree[at + 1]!
  }
  return 1 / (1 + Math.exp(-baseline - sum))
}

/** A branch is its column, threshold, index of the second child, first child and second child. */
function preorder(root: TreeNode, { uppers }: BinEdges, scale: number): number[] {
  const nodes: number[] = []
  const write = ({ branch, value }: TreeNode) => {
    if (branch === null) {
      nodes.push(-1, value * scale)
      return
    }
    const { column, cell } = branch.split
    const at = nodes.length
    nodes.push(column, uppers[cell]!, 0)
    write(branch.left)
    nodes[at + 2] = nodes.length
    write(branch.right)
  }
  write(root)
  return nodes
}

function checkRows(rows: Float64Array, columns: number, labels: Uint8Array): number {
  const where = 'fitBoostedTrees'
  const count = labels.length
  if (!(Number.isInteger(columns) && columns >= 1)) {
    throw new CertificateError(where, 'columns', 'a whole number, at least 1', columns)
  }
  if (rows.length !== count * columns) {
    throw new CertificateError(where, 'rows.length', `${count} x ${columns}`, rows.length)
  }
  checkFinite(where, 'rows', rows)
  let successes = 0
  for (let row = 0; row < count; row++) {
    if (!(labels[row]! <= 1)) throw new CertificateError(where, `labels[${row}]`, '0 or 1', labels[row])
    successes += labels[row]!
  }
  if (!(successes > 0 && successes < count)) {
    throw new CertificateError(where, 'labels', `of both classes, in (0, ${count})`, successes)
  }
  return successes
}

/** With rate p: p - label and p (1 - p) for one row, in single precision, times the number of rows. */
function differentiate(logOdds: Float64Array, { labels, counts }: MergedRows, of: Derivatives): void {
  const { gradients, hessians } = of
  for (let row = 0; row < logOdds.length; row++) {
    // Bounded, so log-odds below -709 do not give NaN. scikit-learn does the same since 1.4.
    const odds = Math.min(Math.exp(-logOdds[row]!), Number.MAX_VALUE)
    const total = 1 + odds
    gradients[row] = Math.fround((labels[row] === 1 ? -odds : 1) / total) * counts[row]!
    hessians[row] = Math.fround(odds / (total * total)) * counts[row]!
  }
}

function step(node: TreeNode, order: Int32Array, learningRate: number, logOdds: Float64Array): void {
  if (node.branch) {
    step(node.branch.left, order, learningRate, logOdds)
    step(node.branch.right, order, learningRate, logOdds)
    return
  }
  const value = node.value * learningRate
  for (let i = node.from; i < node.to; i++) {
    const row = order[i]!
    logOdds[row] = logOdds[row]! + value
  }
}
