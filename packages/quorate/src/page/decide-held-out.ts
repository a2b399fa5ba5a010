import type { Certificate, ReadPanel, Step } from '@quorate/certificate'
import type { CellBar, CellBars } from '../figures/cell-bars.ts'

/** A debate that the certificate has never seen, decided round by round as it would have arrived. */
export interface DecidedDebate {
  readonly panel: ReadPanel
  /** What was looked at until the decision. */
  readonly steps: readonly Step[]
  /** Round of the action, 0 for a deferral. */
  readonly actedAt: number
}

export function decideHeldOut(certificate: Certificate, panels: readonly ReadPanel[]): DecidedDebate[] {
  return panels.map((panel) => {
    const steps: Step[] = []
    if (!certificate.feasible) return { panel, steps, actedAt: 0 }
    for (let round = 1; round <= certificate.rounds; round++) {
      const assessed = certificate.assess(panel, round)
      if (assessed.kind === 'uncalibrated') break
      steps.push(assessed.step)
      if (assessed.step.lower !== null && assessed.step.lower >= assessed.step.threshold)
        return { panel, steps, actedAt: round }
      if (assessed.isFinal) break
    }
    return { panel, steps, actedAt: 0 }
  })
}

/** A step with a bound. */
export type LookedStep = Extract<Step, { lower: number }>

export function lookedSteps({ steps }: DecidedDebate): LookedStep[] {
  return steps.filter((step) => step.lower !== null)
}

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
