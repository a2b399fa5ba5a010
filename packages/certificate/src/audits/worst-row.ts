import type { CheckRow } from './audit.ts'

/**
 * The tested row with the strongest evidence against the assumption, or null if no row could be tested: the one with the
 * smallest p-value. Among equal p-values it is the rate furthest below its line, or the larger deviation. Unless there is
 * not enough data, the finding of a check is about this row.
 */
export function worstRow(rows: readonly CheckRow[]): CheckRow | null {
  const tested = rows.filter(({ pValue }) => pValue !== null)
  return tested.reduce<CheckRow | null>((worst, row) => (worst === null || isWorse(row, worst) ? row : worst), null)
}

function isWorse(row: CheckRow, than: CheckRow): boolean {
  return row.pValue! < than.pValue! || (row.pValue === than.pValue && room(row) < room(than))
}

/** How far the figure is from contradicting the null. Without a line, larger deviations are worse. */
function room({ figure, line }: CheckRow): number {
  return line === null ? -figure! : figure! - line
}
