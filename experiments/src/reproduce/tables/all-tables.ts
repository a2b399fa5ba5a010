import { envelopeStressTable, fixedSizeTable, smootherTable, stateDimensionTable } from './ablations.ts'
import { aggregatesTable } from './aggregates.ts'
import { auditTable } from './audits.ts'
import { budgetKeptTable } from './budget-kept.ts'
import { decompositionTable } from './decomposition.ts'
import { representationGapTable, smoothnessTable } from './diagnostics.ts'
import { alignmentTable, fixedBudgetTable } from './fixed-budgets.ts'
import { frontierTable } from './frontier.ts'
import { fullTable } from './full-table.ts'
import { gapsTable } from './gaps.ts'
import { groupControlTable, realGroupControlTable } from './group-control.ts'
import { lambdaRobustnessTable, lambdaStabilityTable } from './lambda.ts'
import { lowBudgetTable } from './low-budget.ts'
import { mainTable } from './main-table.ts'
import { matchedTable } from './matched.ts'
import { profilesTable } from './profiles.ts'
import { totalPrototypeTable } from './prototype.ts'
import { realTable } from './real.ts'
import { recordedTable } from './recorded.ts'
import { budgetSplitTable, epsilonTable } from './sensitivity.ts'
import { splitSafetyTable, variabilityTable } from './splits.ts'
import { subgroupTable } from './subgroups.ts'
import type { Table } from './table.ts'

/** In the order of the paper. Its Table 5 compares methods in words, and its Table 18 repeats Table 2. */
export const PAPER_TABLES: readonly Table[] = [
  mainTable,
  matchedTable,
  smootherTable,
  envelopeStressTable,
  fullTable,
  frontierTable,
  alignmentTable,
  fixedSizeTable,
  fixedBudgetTable,
  auditTable,
  smoothnessTable,
  representationGapTable,
  epsilonTable,
  budgetSplitTable,
  stateDimensionTable,
  subgroupTable,
  lambdaRobustnessTable,
  lambdaStabilityTable,
  variabilityTable,
  splitSafetyTable,
  decompositionTable,
]

/** Our own tables on twins, which need only the repository. */
export const TWIN_TABLES: readonly Table[] = [
  aggregatesTable,
  gapsTable,
  lowBudgetTable,
  budgetKeptTable,
  groupControlTable,
]

/** Tables on recorded answers, which the repository does not include. */
export const RECORDED_TABLES: readonly Table[] = [
  realTable,
  realGroupControlTable,
  budgetKeptTable,
  profilesTable,
  totalPrototypeTable,
  recordedTable,
]

export const ALL_TABLES: readonly Table[] = [...new Set([...PAPER_TABLES, ...TWIN_TABLES, ...RECORDED_TABLES])]

/** A table by its number in the paper or by name; undefined if there is none. */
export function tableNamed(asked: string): Table | undefined {
  const number = asked === '18' ? 2 : Number(asked)
  return ALL_TABLES.find((table) => table.name === asked || table.number === number)
}
