import { isRandomSample, type LabelRecord } from '../record/label.ts'
import { countText } from '../text/number-text.ts'

/** A labelled row with how it was selected. */
export interface LabelledRow {
  readonly questionId: string
  readonly source: LabelRecord['source']
}

export type Recalibration<Row extends LabelledRow> =
  | { readonly kind: 'accepted'; readonly rows: readonly Row[] }
  | { readonly kind: 'refused'; readonly count: number; readonly of: number; readonly reason: string }

/**
 * Accepts rows that a certificate may be recalibrated on: imported ones and spot checks, which were selected before anything
 * was known about them, whether or not the reviewer could tell what is right. Labels of deferrals and of actions that people
 * sent to review are refused instead of dropped, because the caller expects them to count.
 */
export function recalibrationRows<Row extends LabelledRow>(rows: readonly Row[]): Recalibration<Row> {
  const chosen = rows.filter(({ source }) => !isRandomSample(source))
  if (chosen.length > 0) return refused(chosen, rows.length)
  return { kind: 'accepted', rows }
}

function refused(chosen: readonly LabelledRow[], of: number): Recalibration<never> {
  const count = chosen.length
  const requests = chosen.filter(({ source }) => source === 'request').length
  const reason =
    `${countText(count)} of ${countText(of)} rows ${chosenWords(count, requests)}, not a random sample of the population: ` +
    'a certificate calibrated on them would promise nothing about the questions it acts on. Use spot checks and imported ' +
    'labels only.'
  return { kind: 'refused', count, of, reason }
}

function chosenWords(count: number, requests: number): string {
  const are = count === 1 ? 'is the label of' : 'are labels of'
  const one = count === 1 ? 'a deferral' : 'deferrals'
  const sent = count === 1 ? 'an action that a person sent to review' : 'actions that people sent to review'
  if (requests === 0) return `${are} ${one}. Deferrals are the questions that the panel found hard`
  if (requests === count) return `${are} ${sent}. People chose them`
  return `${are} deferrals or of ${sent}. The panel found them hard, or people chose them`
}
