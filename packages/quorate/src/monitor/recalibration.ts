import { countText } from '../text/number-text.ts'

/** A labelled row with how it was selected. */
export interface LabelledRow {
  readonly questionId: string
  readonly source: 'import' | 'deferral' | 'spot-check'
  /** False: whoever looked could not tell, or called the question bad. */
  readonly isLabelled: boolean
}

export type Recalibration<Row extends LabelledRow> =
  | {
      readonly kind: 'accepted'
      readonly rows: readonly Row[]
      /** Rows left out because nobody said what is right. Many of them mean that the rest is another population. */
      readonly withoutOption: number
    }
  | { readonly kind: 'refused'; readonly count: number; readonly of: number; readonly reason: string }

const DRAWN: ReadonlySet<unknown> = new Set<LabelledRow['source']>(['import', 'spot-check'])

/**
 * Rows that a certificate may be calibrated on again: imported ones and spot checks, sampled before anything was known of
 * them. Labels of deferrals are refused, not dropped: who hands them in believes that they count.
 */
export function recalibrationRows<Row extends LabelledRow>(rows: readonly Row[]): Recalibration<Row> {
  const chosen = rows.filter(({ source }) => !DRAWN.has(source))
  if (chosen.length > 0) return refused(chosen.length, rows.length)
  const labelled = rows.filter(({ isLabelled }) => isLabelled)
  return { kind: 'accepted', rows: labelled, withoutOption: rows.length - labelled.length }
}

function refused(count: number, of: number): Recalibration<never> {
  const are = count === 1 ? 'is the label of a deferral' : 'are labels of deferrals'
  const reason =
    `${countText(count)} of ${countText(of)} rows ${are}. Deferrals are the questions that the panel found hard, not a random sample ` +
    'of the population: a certificate calibrated on them would promise nothing about the questions it acts on. Use ' +
    'spot checks and imported labels only.'
  return { kind: 'refused', count, of, reason }
}
