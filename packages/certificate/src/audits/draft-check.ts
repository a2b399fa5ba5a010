import type { CheckName, CheckRow, Verdict } from './audit.ts'

/** A check before its rows join the family. */
export interface DraftCheck {
  readonly name: CheckName
  readonly assumption: string
  readonly null: string
  readonly rows: readonly DraftRow[]
  /** Whether nothing found means something only if every row that counts debates could tell a clear shortfall. */
  readonly isWhole?: boolean
  /** Said where there is no row to say anything about. */
  readonly empty: string
  /** What to do about each verdict. */
  readonly next: Readonly<Record<Verdict, string>>
}

export interface DraftRow extends Omit<CheckRow, 'adjustedPValue'> {
  /** The smallest p-value that a row of this size could have had; it does not depend on the labels tested. */
  readonly reach: number
  /** The p-value that a clear shortfall would have had; it does not depend on the labels tested either. */
  readonly tells: number
}
