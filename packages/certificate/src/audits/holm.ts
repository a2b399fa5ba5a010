import type { Audit, Check, CheckRow, Verdict } from './audit.ts'
import type { DraftCheck, DraftRow } from './draft-check.ts'
import { findingOf } from './finding.ts'

export const FALSIFIED_BELOW = 0.01

/** p-values adjusted for being several, in the order given (Holm 1979); valid whatever their dependence. */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]!)
  const adjusted = new Array<number>(pValues.length)
  let largest = 0
  for (const [rank, index] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * pValues[index]!))
    adjusted[index] = largest
  }
  return adjusted
}

/**
 * One family over the rows of all checks. Rows that could not be falsified whatever their labels had said are left out;
 * how far a row can reach does not depend on the labels tested, so that leaving it out is no choice by result.
 */
export function judge(drafts: readonly DraftCheck[]): Pick<Audit, 'verdict' | 'checks'> {
  const family = testable(drafts.flatMap(({ rows }) => rows))
  const adjusted = holm(family.map(({ pValue }) => pValue ?? 1))
  const found = new Map(family.map((row, index) => [row, adjusted[index]!]))
  const checks = drafts.map((draft): Check => {
    const rows = draft.rows.map((row) => judgedRow(row, found.get(row) ?? null))
    const blind = rows.filter((_, at) => draft.rows[at]!.tells * family.length >= FALSIFIED_BELOW)
    const verdict = verdictOf(rows, draft.isWhole ? blind : [])
    return {
      name: draft.name,
      assumption: draft.assumption,
      null: draft.null,
      verdict,
      pValue: smallest(rows.map(({ pValue }) => pValue)),
      adjustedPValue: smallest(rows.map(({ adjustedPValue }) => adjustedPValue)),
      rows,
      finding: rows.length === 0 ? draft.empty : findingOf(draft.name, rows, { verdict, blind }),
      next: draft.next[verdict],
    }
  })
  return { verdict: overall(checks), checks }
}

/** The largest family in which every row can be falsified. */
export function testable(rows: readonly DraftRow[]): DraftRow[] {
  const byReach = rows.filter(({ pValue }) => pValue !== null).sort((a, b) => a.reach - b.reach)
  while (byReach.length > 0 && byReach.at(-1)!.reach * byReach.length >= FALSIFIED_BELOW) byReach.pop()
  return byReach
}

function judgedRow({ reach: _, tells: __, ...row }: DraftRow, adjustedPValue: number | null): CheckRow {
  return { ...row, pValue: adjustedPValue === null ? null : row.pValue, adjustedPValue }
}

/** `needed`: rows without which nothing found means nothing, and that are too small. */
function verdictOf(rows: readonly CheckRow[], needed: readonly CheckRow[]): Verdict {
  const adjusted = smallest(rows.map(({ adjustedPValue }) => adjustedPValue))
  if (adjusted === null) return 'not enough data'
  if (adjusted < FALSIFIED_BELOW) return 'falsified'
  return needed.some(({ n }) => n !== 0) ? 'not enough data' : 'not falsified'
}

function overall(checks: readonly Check[]): Verdict {
  const verdicts = new Set(checks.map(({ verdict }) => verdict))
  if (verdicts.has('falsified')) return 'falsified'
  return verdicts.has('not falsified') ? 'not falsified' : 'not enough data'
}

function smallest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.min(...known)
}
