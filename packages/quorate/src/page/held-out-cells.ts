import type { CellBar, CellBars } from '../figures/cell-bars.ts'
import { type DecidedDebate, lookedSteps } from './decide-held-out.ts'

export interface HeldOutCellsOptions {
  readonly threshold: number
  readonly rounds: number
  /** Each group then has cells of its own, named with it. */
  readonly groupConditional: boolean
}

/** The cells that held-out debates came to before they were decided, the fullest of each round first. */
export function heldOutCells(
  decided: readonly DecidedDebate[],
  { threshold, rounds, groupConditional }: HeldOutCellsOptions,
): CellBars {
  const found = Array.from({ length: rounds }, () => new Map<string, CellBar>())
  for (const debate of decided) {
    for (const step of lookedSteps(debate)) {
      const cells = found[step.round - 1]
      const path = pathText(step.cell ?? '')
      const name = groupConditional ? `${path} ${debate.panel.record.group ?? ''}` : path
      const heldOut = (cells?.get(name)?.heldOut ?? 0) + 1
      cells?.set(name, { name, rows: step.neighbours, successes: step.successes, lower: step.lower, heldOut })
    }
  }
  return {
    threshold,
    rounds: found.map((cells, index) => {
      const sorted = [...cells.values()].sort((a, b) => b.heldOut - a.heldOut || (a.name < b.name ? -1 : 1))
      return { round: index + 1, heldOut: sorted.reduce((sum, cell) => sum + cell.heldOut, 0), cells: sorted }
    }),
  }
}

/** 0/1 > 1/1 as 0 › 1: what was reached is enough, since a round's cut points are the same for all. */
function pathText(cell: string): string {
  return cell.startsWith('round') ? cell : cell.replace(/(\d+)\/\d+/g, '$1').replaceAll(' > ', ' › ')
}
