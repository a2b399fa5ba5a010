import { clopperPearsonLower } from '../concentration/clopper-pearson.ts'
import type { KindCode } from '../kinds/kind.ts'
import { binOf, type CellDesign, EXCLUDED_BIN } from './cell-design.ts'
import type { CellPath, CellRows } from './cell-rows.ts'

/** Rows of one cell, how many of them were right in the cell's round, and the exact lower bound from these two counts. */
export interface Cell {
  readonly rows: number
  readonly successes: number
  readonly lower: number
}

/** The cell of a debate at a round. */
export type FoundCell =
  /** Not tested: the round is excluded, its score is in bin 0, or the debate was nominated before. */
  | { readonly kind: 'open' }
  /** `isVetoed`: the cell passes, but debates of this kind in it are deferred for good. */
  | { readonly kind: 'cell'; readonly cell: Cell; readonly isVetoed: boolean }
  /** An earlier cell passed and the debate's kind was vetoed there. */
  | { readonly kind: 'vetoed-before' }

/** A kind that is not acted on although its cell passes, with counts of its acted neighbour rows. */
export interface VetoedKind {
  readonly kind: KindCode
  readonly rows: number
  readonly right: number
}

export interface CellFinder {
  find(path: CellPath, round: number): FoundCell
  /**
   * Writes the lower bounds of all rounds of a path in one walk. Entries of rounds that are not tested, or vetoed, stay
   * unchanged.
   */
  lowerAlong(path: CellPath, into: Float64Array, at: number): void
  /** The largest lower bound of all cells that are tested in a round; -Infinity if there are none. */
  largestAt(round: number): number
  /** Ordered by kind code. */
  readonly vetoed: readonly VetoedKind[]
}

const EMPTY: Cell = Object.freeze({ rows: 0, successes: 0, lower: 0 })
const OPEN: FoundCell = Object.freeze({ kind: 'open' })
const VETOED_BEFORE: FoundCell = Object.freeze({ kind: 'vetoed-before' })

/** A kind with fewer rows is not vetoed, since chance alone could put it below the threshold. */
const ROWS_TO_VETO = 20

interface Node {
  rows: number
  successes: number
  lower: number
  /** Indexed by bin + 1, so the excluded branch comes first. */
  readonly children: (Node | undefined)[]
}

/**
 * Counts neighbour rows by cell. A path is a walk down a tree whose branches are bins. A nomination is the same walk
 * with every earlier round in bin 0 or excluded, so one tree serves both kinds.
 *
 * Veto: among the neighbour rows that the cells act on, a kind with at least 20 rows of which less than the threshold
 * were right is deferred for good. The cells are tested first, on all of their rows, and are never counted again. The
 * veto uses neighbour labels and still keeps the bound on P(act and wrong), since a final deferral only shrinks that
 * event. It would not if the debate continued. The printed rows and bounds of a cell are those before the veto.
 */
export function countCells(design: CellDesign, counted: CellRows, level: number, threshold: number): CellFinder {
  const { scores, excluded, right, rows, rounds } = counted
  const isNomination = design.kind === 'nominate'
  const root = emptyNode()
  for (let row = 0; row < rows; row++) {
    let node = root
    for (let round = 0; round < rounds; round++) {
      const at = row * rounds + round
      const bin = binOf(design.cuts[round]!, scores[at]!, excluded[at]!)
      const child = node.children[bin + 1] ?? emptyNode()
      node.children[bin + 1] = child
      node = child
      node.rows++
      node.successes += right[at]!
      if (isNomination && bin > 0) break
    }
  }
  setBounds(root, level)
  const vetoed = vetoedKinds(design, root, counted, threshold)
  const isVetoed = new Set(vetoed.map(({ kind }) => kind))

  let largest: Float64Array | null = null
  return {
    vetoed,
    largestAt(round) {
      largest ??= largestBounds(root, rounds)
      return largest[round - 1] ?? -Infinity
    },
    find(path, round) {
      let node: Node | undefined = root
      for (let at = 0; at < round; at++) {
        const bin = binOf(design.cuts[at]!, path.scores[at]!, path.excluded[at]!)
        node = node?.children[bin + 1]
        if (bin <= 0) continue
        const vetoes = node !== undefined && node.lower >= threshold && isVetoed.has(path.kinds[at]!)
        if (at === round - 1) return { kind: 'cell', cell: node ?? EMPTY, isVetoed: vetoes }
        if (vetoes) return VETOED_BEFORE
        if (isNomination) return OPEN
      }
      return OPEN
    },
    lowerAlong(path, into, at) {
      let node: Node | undefined = root
      for (let round = 0; round < path.scores.length && node; round++) {
        const bin = binOf(design.cuts[round]!, path.scores[round]!, path.excluded[round]!)
        node = node.children[bin + 1]
        if (!node || bin <= 0) continue
        if (node.lower >= threshold && isVetoed.has(path.kinds[round]!)) return
        into[at + round] = node.lower
        if (isNomination) return
      }
    },
  }
}

/** Readable name of a cell: which bin of how many in each round of the path, or the nomination with its bin. */
export function cellName({ kind, cuts }: CellDesign, { scores, excluded }: CellPath, round: number): string {
  const bins = Array.from({ length: round }, (_, at) => {
    const bin = binOf(cuts[at]!, scores[at]!, excluded[at]!)
    return bin === EXCLUDED_BIN ? 'excluded' : `${bin}/${cuts[at]!.length}`
  })
  return kind === 'path' ? bins.join(' > ') : `round ${round}, bin ${bins.at(-1)}`
}

function emptyNode(): Node {
  return { rows: 0, successes: 0, lower: 0, children: [] }
}

function vetoedKinds(design: CellDesign, root: Node, counted: CellRows, threshold: number): readonly VetoedKind[] {
  const { scores, excluded, kinds, right, rows, rounds } = counted
  const tallies = new Map<KindCode, { rows: number; right: number }>()
  for (let row = 0; row < rows; row++) {
    let node = root
    for (let round = 0; round < rounds; round++) {
      const at = row * rounds + round
      const bin = binOf(design.cuts[round]!, scores[at]!, excluded[at]!)
      node = node.children[bin + 1]!
      if (bin <= 0) continue
      if (node.lower >= threshold) {
        const tally = tallies.get(kinds[at]!) ?? { rows: 0, right: 0 }
        tallies.set(kinds[at]!, tally)
        tally.rows++
        tally.right += right[at]!
        break
      }
      if (design.kind === 'nominate') break
    }
  }
  return [...tallies]
    .filter(([, tally]) => tally.rows >= ROWS_TO_VETO && tally.right < threshold * tally.rows)
    .map(([kind, tally]) => ({ kind, ...tally }))
    .sort((a, b) => a.kind - b.kind)
}

function largestBounds(root: Node, rounds: number): Float64Array {
  const largest = new Float64Array(rounds).fill(-Infinity)
  const visit = (node: Node, round: number) => {
    for (const [branch, child] of node.children.entries()) {
      if (!child) continue
      if (branch > 1) largest[round] = Math.max(largest[round]!, child.lower)
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
