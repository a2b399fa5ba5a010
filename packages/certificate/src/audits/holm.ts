import type { Audit, Check, CheckRow, Verdict } from './audit.ts'
import type { DraftCheck, DraftRow } from './draft-check.ts'
import { findingOf } from './finding.ts'

export const FALSIFIED_BELOW = 0.01

/** Holm-adjusted p-values, in the order given (Holm 1979). Valid under any dependence. */
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
 * Judges the rows of all checks as one family. Rows that no label could have falsified are left out. The reach of a row
 * does not depend on held-out labels, so leaving it out is not a selection by result. Where other held-out labels pick
 * the rows, the reach does depend on labels, and the check counts for a number of rows that is fixed beforehand.
 */
export function judge(drafts: readonly DraftCheck[]): Pick<Audit, 'verdict' | 'checks'> {
  const { rows: family, size } = familyOf(drafts)
  const absent = new Array<number>(size - family.length).fill(1)
  const adjusted = holm([...family.map(({ pValue }) => pValue ?? 1), ...absent])
  const found = new Map(family.map((row, index) => [row, adjusted[index]!]))
  const checks = drafts.map((draft): Check => {
    const rows = draft.rows.map((row) => judgedRow(row, found.get(row) ?? null))
    const blind = draft.rows.filter(({ clearPValue }) => clearPValue * size >= FALSIFIED_BELOW)
    const verdict = verdictOf(rows, { blind, needed: draft.needed })
    return {
      name: draft.name,
      assumption: draft.assumption,
      null: draft.null,
      verdict,
      pValue: smallest(rows.map(({ pValue }) => pValue)),
      adjustedPValue: smallest(rows.map(({ adjustedPValue }) => adjustedPValue)),
      rows,
      finding: rows.length === 0 ? draft.empty : findingOf(draft.name, rows, { verdict, blind, family: size }),
      next: draft.next[verdict],
    }
  })
  return { verdict: overall(checks), checks }
}

/** The largest family in which every row can be falsified. `size` also includes the rows that always count. */
export function familyOf(drafts: readonly DraftCheck[]): { rows: DraftRow[]; size: number } {
  const fixed = drafts.filter(({ counted }) => counted !== undefined)
  const always = fixed.reduce((sum, { counted, rows }) => sum + Math.max(counted!, rows.length), 0)
  const free = drafts
    .filter(({ counted }) => counted === undefined)
    .flatMap(({ rows }) => rows.filter(({ pValue }) => pValue !== null))
    .sort((a, b) => a.reach - b.reach)
  while (free.length > 0 && free.at(-1)!.reach * (always + free.length) >= FALSIFIED_BELOW) free.pop()
  const size = always + free.length
  const picked = fixed.flatMap(({ rows }) => rows).filter(({ reach }) => reach * size < FALSIFIED_BELOW)
  return { rows: [...free, ...picked.filter(({ pValue }) => pValue !== null)], size }
}

function judgedRow(
  { promise: _, reach: __, clearPValue: ___, ...row }: DraftRow,
  adjustedPValue: number | null,
): CheckRow {
  return { ...row, pValue: adjustedPValue === null ? null : row.pValue, adjustedPValue }
}

/** "Nothing found" means nothing if rows that are needed are too small to show a clear shortfall. */
function verdictOf(
  rows: readonly CheckRow[],
  { blind, needed }: { readonly blind: readonly DraftRow[]; readonly needed: DraftCheck['needed'] },
): Verdict {
  const adjusted = smallest(rows.map(({ adjustedPValue }) => adjustedPValue))
  if (adjusted === null) return 'not enough data'
  if (adjusted < FALSIFIED_BELOW) return 'falsified'
  const isBlind = needed === 'every row' ? blind.some(({ n }) => n !== 0) : blind.length === rows.length
  return needed && isBlind ? 'not enough data' : 'not falsified'
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
