import type { Certificate, ReadDebate, Step } from '@quorate/certificate'
import type { CellBar, CellBars } from '../figures/cell-bars.ts'

/** A debate that the certificate has never seen, decided round by round as it would have been in use. */
export interface DecidedDebate {
  readonly debate: ReadDebate
  /** The rounds that were assessed until the decision. */
  readonly steps: readonly Step[]
  /** Round of the action. 0 means a deferral. */
  readonly actedAt: number
}

export function decideHeldOut(certificate: Certificate, debates: readonly ReadDebate[]): DecidedDebate[] {
  return debates.map((debate) => {
    const steps: Step[] = []
    if (!certificate.feasible) return { debate, steps, actedAt: 0 }
    for (let round = 1; round <= certificate.rounds; round++) {
      const assessed = certificate.assess(debate, round)
      if (assessed.kind === 'uncalibrated') break
      steps.push(assessed.step)
      if (assessed.step.lower !== null && assessed.step.lower >= assessed.step.threshold)
        return { debate, steps, actedAt: round }
      if (assessed.isFinal) break
    }
    return { debate, steps, actedAt: 0 }
  })
}

/** The steps that have a bound. */
export function boundedSteps({ steps }: DecidedDebate): Extract<Step, { lower: number }>[] {
  return steps.filter((step) => step.lower !== null)
}

/**
 * The cells that held-out debates reached before they were decided, the fullest of each round first. With
 * `groupConditional` each group has its own cells, and their names contain the group.
 */
export function heldOutCells(
  decided: readonly DecidedDebate[],
  threshold: number,
  rounds: number,
  groupConditional: boolean,
): CellBars {
  const found = Array.from({ length: rounds }, () => new Map<string, CellBar>())
  for (const debate of decided) {
    for (const step of boundedSteps(debate)) {
      const cells = found[step.round - 1]
      const path = pathText(step.cell ?? '')
      const name = groupConditional ? `${path} ${debate.debate.record.group ?? ''}` : path
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

/** Shortens `0/1 > 1/1` to `0 › 1`. All cells of a round have the same number of cut points, so it can be left out. */
function pathText(cell: string): string {
  return cell.startsWith('round') ? cell : cell.replace(/(\d+)\/\d+/g, '$1').replaceAll(' > ', ' › ')
}
