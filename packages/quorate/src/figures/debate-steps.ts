import { type BoundRow, barLayout, barLegend, barScale, boundBars } from './bound-bars.ts'
import { type Drawing, emptyDrawing } from './drawing.ts'
import { markup } from './markup.ts'

/** The rounds of one debate. */
export interface DebateSteps {
  readonly threshold: number
  readonly rows: readonly BoundRow[]
}

const SCALE_HEIGHT = 24

/** One bar per round: the mean, minus envelope, minus slack, and the remaining bound compared with the threshold. */
export function debateStepsFigure({ threshold, rows }: DebateSteps, width: number): Drawing {
  const head = { name: 'debate-steps', title: 'How the bound of each round is computed', width }
  if (rows.length === 0) return emptyDrawing(head, 'No bound was computed for this debate.')
  const layout = barLayout(width, threshold)
  const bottom = SCALE_HEIGHT + rows.length * layout.rowHeight
  return {
    ...head,
    height: bottom + 28,
    description: rows.map((row) => spoken(row, threshold)).join(' '),
    content: markup`${barScale(layout, 12)}${boundBars(rows, layout, SCALE_HEIGHT)}${barLegend(layout, bottom + 20)}`,
    isEmpty: false,
  }
}

function spoken(row: BoundRow, threshold: number): string {
  if (row.lower === null) return `${row.label}: ${row.reason}.`
  const parts = `mean ${row.mean.toFixed(3)}, envelope ${row.envelope.toFixed(3)}, slack ${row.slack.toFixed(3)}`
  return `${row.label}: ${parts}, bound ${row.lower.toFixed(3)} against the threshold ${threshold.toFixed(3)}.`
}
