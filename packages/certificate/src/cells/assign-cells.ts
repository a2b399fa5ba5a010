import { binOf, type CellDesign } from './cell-design.ts'

/** Cell numbers of several rows over all rounds, row-major; -1 where a row is not looked at in that round. */
export interface Assignment {
  readonly cells: Int32Array
  /** Cells are numbered 0 .. count - 1 over all rounds. */
  readonly count: number
}

/** Numbers the cells that the rows visit, in order of appearance. */
export function assignCells(design: CellDesign, scores: Float64Array, rows: number): Assignment {
  return design.kind === 'path' ? assignPaths(design, scores, rows) : assignNominations(design, scores, rows)
}

function assignPaths({ cuts }: CellDesign, scores: Float64Array, rows: number): Assignment {
  const rounds = cuts.length
  const cells = new Int32Array(rows * rounds)
  let first = 0
  let parents = 1
  for (let round = 0; round < rounds; round++) {
    const bins = cuts[round]!.length + 1
    const numbers = new Int32Array(parents * bins).fill(-1)
    let next = first
    for (let row = 0; row < rows; row++) {
      const at = row * rounds + round
      const parent = round === 0 ? 0 : cells[at - 1]! - (first - parents)
      const child = parent * bins + binOf(cuts[round]!, scores[at]!)
      if (numbers[child] === -1) numbers[child] = next++
      cells[at] = numbers[child]!
    }
    parents = next - first
    first = next
  }
  return { cells, count: first }
}

function assignNominations({ cuts }: CellDesign, scores: Float64Array, rows: number): Assignment {
  const rounds = cuts.length
  const cells = new Int32Array(rows * rounds).fill(-1)
  const firstCell = firstCells(cuts)
  for (let row = 0; row < rows; row++) {
    for (let round = 0; round < rounds; round++) {
      const bin = binOf(cuts[round]!, scores[row * rounds + round]!)
      if (bin === 0) continue
      cells[row * rounds + round] = firstCell[round]! + bin - 1
      break
    }
  }
  return { cells, count: firstCell[rounds]! }
}

function firstCells(cuts: CellDesign['cuts']): number[] {
  const first = [0]
  for (const round of cuts) first.push(first.at(-1)! + round.length)
  return first
}
