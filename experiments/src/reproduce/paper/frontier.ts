import type { Activated } from './activated.ts'

/** beta divided by the final-round error. */
export const MULTIPLES = [1, 1.5, 2, 2.5, 3] as const

/** Final-round errors behind the multiples, as printed at the foot of the table. */
export const PRINTED_ERRORS: Readonly<Record<Activated, number>> = {
  'mmlu-pro': 0.157,
  bbh: 0.083,
  arc: 0.045,
  logiqa: 0.242,
}

/** ARC's rows are at absolute budgets: those of the multiples 2, 2.5 and 3. */
export const ARC_BUDGETS: readonly (number | null)[] = [null, null, 0.2, 0.25, 0.3]

/** Per cent, per cent, per cent, WA / beta. */
export type FrontierCell = readonly [act: number, accuracy: number, wrong: number, budgetUsed: number]

/** Table 7 (tab:ours_frontier), one entry per multiple; null is a dash. */
export const FRONTIER: Readonly<Record<Activated, readonly (FrontierCell | null)[]>> = {
  'mmlu-pro': [[32.8, 97.9, 0.7, 0.04], [54.9, 96.3, 2.1, 0.09], [65.6, 95.1, 3.2, 0.1], null, null],
  bbh: [null, null, [77.3, 98.1, 1.5, 0.09], [80.9, 97.4, 2.1, 0.1], [82.5, 96.9, 2.5, 0.1]],
  arc: [null, null, [74.4, 96.9, 2.3, 0.12], [92.5, 96.5, 3.2, 0.13], [97.3, 96.1, 3.9, 0.13]],
  logiqa: [[7.2, 83.5, 0.6, 0.02], [53.7, 86.9, 7, 0.19], [75, 83, 12.8, 0.26], null, null],
}

/** The budgets of the rows of this benchmark, one per multiple; empty if the table has no column for it. */
export function frontierBudgets(name: string): number[] {
  const known = Object.entries(PRINTED_ERRORS).find(([twin]) => twin === name)
  if (known === undefined) return []
  return MULTIPLES.map((multiple, at) => (name === 'arc' ? ARC_BUDGETS[at] : null) ?? multiple * known[1])
}
