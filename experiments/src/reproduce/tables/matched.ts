import { markdownTable, signed } from '../../tables/markdown.ts'
import type { Point } from '../measure/outcome.ts'
import { ACTIVATED } from '../paper/activated.ts'
import { MATCHED_RULES, MATCHED_TABLE, type MatchedRule } from '../paper/matched.ts'
import type { MeasuredSplits } from '../tasks.ts'
import { compareDecimal, comparePercent } from './compare.ts'
import { measuredTwins, pointIn, type Table } from './table.ts'

const TITLES: Readonly<Record<MatchedRule, string>> = {
  ours: 'Ours',
  'confidence-threshold': 'Confidence Threshold, matched',
  'calibrated-learned': 'Calibrated Learned, matched',
}

/** Tables 2 and 18: the same comparison. */
export const matchedTable: Table = {
  number: 2,
  name: 'matched',
  title: 'Matched automation (Tables 2 and 18)',
  text(measured) {
    const rows = measuredTwins(measured, ACTIVATED).flatMap(({ name, title, twin }) =>
      MATCHED_RULES.map((rule) => {
        const [act, accuracy, wrong, budgetUsed] = MATCHED_TABLE[name][rule]
        const point = matchedPoint(twin, rule)
        return [
          title,
          TITLES[rule],
          comparePercent(act, point?.act.mean),
          comparePercent(accuracy, point?.accuracy?.mean),
          comparePercent(wrong, point?.wrong.mean, 2),
          compareDecimal(budgetUsed, point?.budgetUsed.mean, 3),
          rule === 'ours' ? '' : differenceOf(accuracy - MATCHED_TABLE[name].ours[1], accuracyGap(twin, rule)),
        ]
      }),
    )
    return `Each rule's threshold is moved on the training half until its Act is nearest to what ours did on the test half of the same split.
Splits without a budget are left out. The boosted trees' training scores are those of the model that is deployed.

${markdownTable(['twin', 'rule', 'Act %', 'Acc %', 'WA %', 'WA / beta', 'Acc less ours, points: paper / ours'], rows)}`
  },
}

/** Null if no split has a matched operating point. */
export function matchedPoint(twin: MeasuredSplits, rule: MatchedRule): Point | null {
  const splits = twin.splits.filter(({ matched }) => matched?.[rule])
  return splits.length === 0 ? null : pointIn({ ...twin, splits }, ({ matched }) => matched?.[rule])
}

/** Difference of accuracies in percentage points; null without a matched operating point. */
export function accuracyGap(twin: MeasuredSplits, rule: MatchedRule): number | null {
  const own = matchedPoint(twin, 'ours')?.accuracy
  const other = matchedPoint(twin, rule)?.accuracy
  return own && other ? 100 * (other.mean - own.mean) : null
}

function differenceOf(printed: number, ours: number | null): string {
  return `${signed(printed)} / ${ours === null ? '–' : signed(ours)}`
}
