import { markdownTable, signed } from '../../tables/markdown.ts'
import { TWIN_NAMES } from '../../twins/targets.ts'
import { meanOf } from '../measure/outcome.ts'
import { AUDIT_TABLE } from '../paper/audit-summary.ts'
import type { TwinMeasurements } from '../tasks.ts'
import { variantPoint } from './ablations.ts'
import { compareDecimal } from './compare.ts'
import { absolutePoint } from './fixed-budgets.ts'
import { oursPoint } from './main-table.ts'
import { measuredTwins, type Table } from './table.ts'

/** 1 - alpha at beta = .15. */
const THRESHOLD = 0.9

export const auditTable: Table = {
  number: 11,
  name: 'audit',
  title: 'Audit of the two assumptions',
  text(measured) {
    const rows = measuredTwins(measured, TWIN_NAMES).map(({ name, title, twin }) => {
      const printed = AUDIT_TABLE[name]
      const best = twin.splits.flatMap(({ medianBest }) => medianBest ?? [])
      const falsified = twin.audit.checks.filter(({ verdict }) => verdict === 'falsified').map((check) => check.name)
      return [
        title,
        compareDecimal(printed.gap, best.length === 0 ? null : THRESHOLD - meanOf(best), 3),
        printed.diagnostic,
        `${twin.audit.verdict}${falsified.length === 0 ? '' : `: ${falsified.join(', ')}`}`,
        `${printed.doubledModulus === null ? '–' : signed(printed.doubledModulus)} / ${costs(twin)}`,
        printed.outcome,
      ]
    })
    return `The paper does not say which bound its gap (1 - alpha) - L is taken of; with the median over test debates of the best bound of any round,
at beta = .15, the signs agree with what acts there. *Our checks* are those of \`quorate audit\` on the paper's profile at the pooled
multiplier, which the paper did not run. *Doubled modulus*: points of Act lost at beta = .15, and under the training-selected budget.

${markdownTable(['twin', 'gap', "paper's diagnostic", 'our checks', 'doubled modulus: paper / ours at .15, at lambda*', "paper's outcome"], rows)}`
  },
}

function costs(twin: TwinMeasurements): string {
  const fixed = doublingCost(twin, 'fixed')
  const operating = doublingCost(twin, 'operating')
  return [fixed, operating].map((points) => (points === null ? '–' : signed(points))).join(', ')
}

/** Percentage points by which a doubled modulus changes Act; null if it was not tried. */
export function doublingCost(twin: TwinMeasurements, at: 'fixed' | 'operating'): number | null {
  const doubled = variantPoint(twin, 'rho 2', at)
  const before = at === 'fixed' ? absolutePoint(twin, 0.15) : oursPoint(twin)
  return doubled && 100 * (doubled.act.mean - before.act.mean)
}
