import { clopperPearsonLower } from '../concentration/clopper-pearson.ts'
import { binOf, type CellDesign } from './cell-design.ts'
import type { RoundScores } from './round-scores.ts'

/** Rows of one cell, how many of them were right in the cell's round, and the exact lower bound from the two. */
export interface Cell {
  readonly rows: number
  readonly successes: number
  readonly lower: number
}

export interface CellFinder {
  /** A debate's cell at a round, from its scores up to there; null when the design does not look at it in that round. */
  find(scores: ArrayLike<number>, round: number): Cell | null
  /** Lower bounds of all its rounds in one walk; what is not looked at, or has no rows or no score, is left as it is. */
  lowerAlong(scores: Float64Array, into: Float64Array, at: number): void
  /** The largest lower bound of all cells that are looked at in a round; -Infinity where there are none. */
  largestAt(round: number): number
}

const EMPTY: Cell = Object.freeze({ rows: 0, successes: 0, lower: 0 })

interface Node {
  rows: number
  successes: number
  lower: number
  readonly children: (Node | undefined)[]
}

/**
 * Counts neighbour rows by cell. A path is a walk down a tree whose branches are bins; a nomination is the same walk
 * with every round before it in bin 0, so one tree serves both kinds.
 */
export function countCells(design: CellDesign, counted: RoundScores, level: number): CellFinder {
  const { scores, correct, rows, rounds } = counted
  const root = emptyNode()
  for (let row = 0; row < rows; row++) {
    let node = root
    for (let round = 0; round < rounds; round++) {
      const at = row * rounds + round
      const bin = binOf(design.cuts[round]!, scores[at]!)
      const child = node.children[bin] ?? emptyNode()
      node.children[bin] = child
      node = child
      node.rows++
      node.successes += correct[at]!
      if (design.kind === 'nominate' && bin > 0) break
    }
  }
  setBounds(root, level)

  const isNomination = design.kind === 'nominate'
  let largest: Float64Array | null = null
  return {
    largestAt(round) {
      largest ??= largestBounds(root, rounds, isNomination)
      return largest[round - 1] ?? -Infinity
    },
    find(found, round) {
      let node: Node | undefined = root
      for (let at = 0; at < round; at++) {
        const bin = binOf(design.cuts[at]!, found[at]!)
        node = node?.children[bin]
        if (isNomination && bin > 0) return at === round - 1 ? (node ?? EMPTY) : null
      }
      return isNomination ? null : (node ?? EMPTY)
    },
    lowerAlong(found, into, at) {
      let node: Node | undefined = root
      for (let round = 0; round < found.length && node; round++) {
        const bin = binOf(design.cuts[round]!, found[round]!)
        node = node.children[bin]
        const isLookedAt = !isNomination || bin > 0
        if (node && isLookedAt && !Number.isNaN(found[round]!)) into[at + round] = node.lower
        if (isNomination && bin > 0) return
      }
    },
  }
}

/** For people: which bin of how many in each round of the path, or the nomination with its bin. */
export function cellName({ kind, cuts }: CellDesign, scores: ArrayLike<number>, round: number): string {
  const bins = Array.from({ length: round }, (_, at) => `${binOf(cuts[at]!, scores[at]!)}/${cuts[at]!.length}`)
  return kind === 'path' ? bins.join(' > ') : `round ${round}, bin ${bins.at(-1)}`
}

function emptyNode(): Node {
  return { rows: 0, successes: 0, lower: 0, children: [] }
}

function largestBounds(root: Node, rounds: number, isNomination: boolean): Float64Array {
  const largest = new Float64Array(rounds).fill(-Infinity)
  const visit = (node: Node, round: number) => {
    for (const [bin, child] of node.children.entries()) {
      if (!child) continue
      if (!isNomination || bin > 0) largest[round] = Math.max(largest[round]!, child.lower)
      visit(child, round + 1)
    }
  }
  visit(root, 0)
  return largest
}

function setBounds(node: Node, level: number): void {
  if (node.rows > 0) node.lower = clopperPearsonLower(node.successes, node.rows, level)
  for (const child of node.children) if (child) setBounds(child, level)
}
