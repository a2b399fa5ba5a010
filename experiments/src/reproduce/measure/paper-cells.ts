import type { ReadDebates, Replay } from '@quorate/certificate'
import { usualBudget } from './budgets.ts'
import { OPERATING_RULES, type OperatingBudgets, type OperatingRule } from './operating-budgets.ts'
import { cellAt } from './ours.ts'
import { type Cell, outcomeOf } from './outcome.ts'

/** Absolute budgets at which the paper's method is tabulated, and the shares of .15 that are swept. */
export const ABSOLUTE_BETAS: readonly number[] = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35]
export const SHARED_BETA = 0.15
export const DELTAS: readonly number[] = [0.01, 0.03, 0.05]
export const EPSILONS: readonly number[] = [0, 0.01, 0.02, 0.03, 0.05]

/** Results of the paper's method on one test half under every budget that a table needs. */
export interface PaperCells {
  readonly operating: Readonly<Record<OperatingRule, Cell | null>>
  /** In the order of ABSOLUTE_BETAS. */
  readonly absolute: readonly Cell[]
  /** At beta = .15, by delta and then by epsilon. */
  readonly shares: readonly (readonly Cell[])[]
  /** One per multiple of a printed error. */
  readonly multiples: readonly Cell[]
}

export function paperCells(
  replayed: Replay,
  test: ReadDebates,
  budgets: { readonly operating: OperatingBudgets; readonly multiples: readonly number[] },
): PaperCells {
  const at = (beta: number): Cell => cellAt(replayed, test, beta)!
  const shared = (delta: number, epsilon: number): Cell => {
    const { actedAt } = replayed.at({ ...usualBudget(SHARED_BETA), delta, epsilon })
    return { beta: SHARED_BETA, outcome: outcomeOf(test.debates, actedAt) }
  }
  return {
    operating: byRule((rule) => cellAt(replayed, test, budgets.operating[rule])),
    absolute: ABSOLUTE_BETAS.map(at),
    shares: DELTAS.map((delta) => EPSILONS.map((epsilon) => shared(delta, epsilon))),
    multiples: budgets.multiples.map(at),
  }
}

function byRule(cell: (rule: OperatingRule) => Cell | null): PaperCells['operating'] {
  const entries = OPERATING_RULES.map((rule) => [rule, cell(rule)] as const)
  return Object.fromEntries(entries) as PaperCells['operating'] // one entry for each rule
}
