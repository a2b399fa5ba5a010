import {
  type BarLayout,
  type BoundRow,
  barLayout,
  barLegend,
  barScale,
  boundBars,
  type LineName,
} from './bound-bars.ts'
import { type Drawing, emptyDrawing } from './drawing.ts'
import { type MarkKind, outcomeMark, textWidth } from './marks.ts'
import { type Markup, markup } from './markup.ts'
import { fullName, shortName } from './visible-text.ts'

export interface Waterfall {
  readonly threshold: number
  /** Defaults to the threshold. */
  readonly line?: LineName
  readonly debates: readonly ExplainedDebate[]
}

export interface ExplainedDebate {
  /** Why it is shown: it acts early, acts late, or defers nearest to the threshold. */
  readonly kind: string
  /** ID of the debate. It comes from a file, so it may contain any text. */
  readonly id: string
  readonly decision: 'act' | 'defer'
  /** Whether the answer was right that was acted on, or that would have been acted on. */
  readonly isRight: boolean
  /** One row for each debated round. */
  readonly rows: readonly BoundRow[]
}

const SCALE_HEIGHT = 26
const HEAD_HEIGHT = 34
const LEGEND_HEIGHT = 26

/** The bound in each round of a few debates: the mean, minus envelope, minus slack, compared with the threshold. */
export function waterfallFigure({ threshold, line = 'threshold', debates }: Waterfall, width: number): Drawing {
  const head = { name: 'waterfall', title: 'How the bound of a debate is computed', width }
  if (debates.length === 0) return emptyDrawing(head, 'No held-out debate has a bound to show.')
  const layout = barLayout(width, threshold)
  const headHeight = layout.isStacked ? HEAD_HEIGHT + 17 : HEAD_HEIGHT
  let top = SCALE_HEIGHT
  const drawn = debates.map((debate) => {
    const start = top
    top += headHeight + debate.rows.length * layout.rowHeight
    return markup`${debateHead(debate, start, layout)}${boundBars(debate.rows, layout, start + headHeight)}`
  })
  return {
    ...head,
    height: top + LEGEND_HEIGHT,
    description: debates.map((debate) => sentence(debate, `${line} ${threshold.toFixed(3)}`)).join(' '),
    content: markup`${barScale(layout, 12, line)}${drawn}${barLegend(layout, top + 18)}`,
    isEmpty: false,
  }
}

function debateHead(debate: ExplainedDebate, top: number, { width, isStacked }: BarLayout): Markup {
  const mark: MarkKind = debate.decision === 'act' && !debate.isRight ? 'wrong' : debate.decision
  const y = top + 20
  const x = isStacked ? 16 : 16 + textWidth(debate.kind) + 14
  const room = Math.floor((width - x) / 6.4) - outcomeText(debate).length - 3
  return markup`<line class="rule" x1="0" x2="${width}" y1="${top + 2}" y2="${top + 2}"/>${outcomeMark(mark, { x: 6, y: y - 4 })}<text class="strong" x="16" y="${y}">${debate.kind}</text><text class="soft" x="${x}" y="${isStacked ? y + 17 : y}"><title>${fullName(debate.id)}</title>${shortName(debate.id, Math.max(4, room))}, ${outcomeText(debate)}</text>`
}

function outcomeText({ decision, isRight }: ExplainedDebate): string {
  if (decision === 'act') return isRight ? 'was right' : 'was wrong'
  return isRight ? 'would have been right' : 'would have been wrong'
}

function sentence(debate: ExplainedDebate, line: string): string {
  const bounds = debate.rows.map(({ label, lower }) => `${label} ${lower === null ? 'no bound' : lower.toFixed(3)}`)
  return `${debate.kind} (${shortName(debate.id, 40)}), ${line}: ${bounds.join(', ')}.`
}
