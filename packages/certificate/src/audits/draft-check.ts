import type { CheckName, CheckRow, Verdict } from './audit.ts'

/** A check before its rows join the family. */
export interface DraftCheck {
  readonly name: CheckName
  readonly assumption: string
  readonly null: string
  readonly rows: readonly DraftRow[]
  /**
   * Rows that the check counts for in the family, where other labels pick them: those labels are tested by other rows,
   * so that the size of the family must not depend on them. Without it, the rows that can be falsified count.
   */
  readonly counted?: number
  /** Rows that must be able to show a clear shortfall or change for nothing found to mean something; default: none. */
  readonly needed?: 'every row' | 'one row'
  /** Said where there is no row to say anything about. */
  readonly empty: string
  /** What to do about each verdict. */
  readonly next: Readonly<Record<Verdict, string>>
}

export interface DraftRow extends Omit<CheckRow, 'adjustedPValue'> {
  /** What the figure would have to be if delta allowed nothing; null where the row counts something else. */
  readonly promise: number | null
  /** The smallest p-value that a row of this size could have had; it does not depend on any held-out label. */
  readonly reach: number
  /** About the p-value that a clear shortfall, or a clear change, would have had; it only words the verdict. */
  readonly tells: number
}
