import { countText } from '../text/number-text.ts'
import { barLayout, barLegend, barScale, boundBars } from './bound-bars.ts'
import { type Drawing, emptyDrawing } from './drawing.ts'
import { markup } from './markup.ts'
import { endOfName } from './visible-text.ts'

export interface CellBars {
  readonly threshold: number
  readonly rounds: readonly CellRound[]
}

export interface CellRound {
  readonly round: number
  /** Held-out debates still running that were assessed in this round. */
  readonly heldOut: number
  /** Largest first. */
  readonly cells: readonly CellBar[]
}

export interface CellBar {
  /** The number of cut points reached in each round so far, for example `3 › 2`. */
  readonly name: string
  /** Labelled debates of the cell. `successes` of them were right. */
  readonly rows: number
  readonly successes: number
  readonly lower: number
  /** Held-out debates that reached the cell. */
  readonly heldOut: number
}

const SHOWN = 6
const LABEL_LETTERS = 18
const SCALE_HEIGHT = 26
const HEAD_HEIGHT = 32
const LEGEND_HEIGHT = 26

/** The cells that debates reach in each round, with their counts, their bound, and whether they act. */
export function cellBarsFigure({ threshold, rounds }: CellBars, width: number): Drawing {
  const head = { name: 'cells', title: 'Cells of each round and which of them act', width }
  const shown = rounds.filter(({ cells }) => cells.length > 0)
  if (shown.length === 0) return emptyDrawing(head, 'No held-out debate came to a cell with labelled debates in it.')
  const layout = barLayout(width, threshold)
  let top = SCALE_HEIGHT
  const drawn = shown.map(({ round, heldOut, cells }) => {
    const start = top
    const shown = cells.slice(0, SHOWN)
    const rest = cells.length - shown.length
    top += HEAD_HEIGHT + shown.length * layout.rowHeight
    const bars = shown.map((cell) => ({
      label: endOfName(cell.name, LABEL_LETTERS),
      lower: cell.lower,
      mean: cell.successes / cell.rows,
      envelope: 0,
      slack: cell.successes / cell.rows - cell.lower,
      rows: cell.rows,
      successes: cell.successes,
      mark: cell.lower >= threshold ? ('act' as const) : ('defer' as const),
    }))
    const note = `${countText(heldOut)} held-out debates${rest > 0 ? `, ${rest} smaller cells not drawn` : ''}`
    return markup`<line class="rule" x1="0" x2="${width}" y1="${start + 2}" y2="${start + 2}"/><text class="strong" x="0" y="${start + 20}">round ${String(round)}</text><text class="soft small" x="66" y="${start + 20}">${note}</text>${boundBars(bars, layout, start + HEAD_HEIGHT)}`
  })
  return {
    ...head,
    height: top + LEGEND_HEIGHT,
    description: shown.map((round) => sentence(round, threshold)).join(' '),
    content: markup`${barScale(layout, 12)}${drawn}${barLegend(layout, top + 18)}`,
    isEmpty: false,
  }
}

function sentence({ round, cells }: CellRound, threshold: number): string {
  const acting = cells.filter(({ lower }) => lower >= threshold)
  return `Round ${round}: ${cells.length} cells, ${acting.length} of them act.`
}
