import type { CheckName, CheckRow, Verdict } from './audit.ts'

/** A check before its rows join the Holm family. */
export interface DraftCheck {
  readonly name: CheckName
  readonly assumption: string
  readonly null: string
  readonly rows: readonly DraftRow[]
  /**
   * Number of rows that the check counts for in the family, if other held-out labels pick its rows. Those labels are
   * tested by other rows, so the size of the family must not depend on them. If absent, the rows that can be falsified
   * count.
   */
  readonly counted?: number
  /** Which rows must be able to show a clear shortfall or change before "nothing found" means anything; none by default. */
  readonly needed?: 'every row' | 'one row'
  /** The finding if there are no rows. */
  readonly empty: string
  /** What to do about each verdict. */
  readonly next: Readonly<Record<Verdict, string>>
}

export interface DraftRow extends Omit<CheckRow, 'adjustedPValue'> {
  /** What the figure would have to be if delta allowed nothing; null where the row counts something else. */
  readonly promise: number | null
  /** The smallest p-value that a row of this size could have. It does not depend on any held-out label. */
  readonly reach: number
  /** Approximate p-value of a clear shortfall or change. It affects only the wording of the verdict. */
  readonly clearPValue: number
}
