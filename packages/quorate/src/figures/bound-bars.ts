import { comparedText, countText } from '../text/number-text.ts'
import { type MarkKind, outcomeMark, thresholdLine } from './marks.ts'
import { type Markup, markup } from './markup.ts'
import { linearScale, probabilitySpan, type Scale, type Span, ticks, tickTexts } from './scale.ts'

/** One bound with its arithmetic (lower = mean - envelope - slack) and its counts, or the reason why there is no bound. */
export type BoundRow =
  | {
      readonly label: string
      readonly lower: number
      readonly mean: number
      readonly envelope: number
      readonly slack: number
      readonly rows: number
      readonly successes: number
      /** The outcome, drawn before the row that decided the debate. Null for rounds after which the debate continued. */
      readonly mark: MarkKind | null
    }
  | { readonly label: string; readonly lower: null; readonly reason: string }

/** The layout of bars: beside their label and counts, or below them if the figure is narrow. */
export interface BarLayout {
  readonly scale: Scale
  readonly span: Span
  readonly threshold: number
  readonly left: number
  readonly right: number
  readonly width: number
  readonly rowHeight: number
  readonly isStacked: boolean
}

const BAR_HEIGHT = 13
const NARROW = 480
const LABEL_WIDTH = 118
const COUNT_WIDTH = 156

export function barLayout(width: number, threshold: number): BarLayout {
  const isStacked = width < NARROW
  const left = isStacked ? 16 : LABEL_WIDTH
  const right = isStacked ? width - 10 : width - COUNT_WIDTH
  const span = probabilitySpan(threshold)
  const scale = linearScale(span, { from: left, to: right })
  return { scale, span, threshold, left, right, width, rowHeight: isStacked ? 40 : 24, isStacked }
}

/** What a bound is compared with: a class with the floor, everything else with the threshold. */
export type LineName = 'threshold' | 'floor'

/** The scale above bars, with the number at the threshold line. */
export function barScale(layout: BarLayout, y: number, name: LineName = 'threshold'): Markup {
  const { scale, span, threshold } = layout
  const at = scale(threshold)
  const values = ticks(span, 5).filter((value) => Math.abs(scale(value) - at) > 64)
  const texts = tickTexts(values)
  const [line] = comparedText(threshold, threshold)
  return markup`${values.map(
    (value, index) => markup`<text class="soft small middle" x="${scale(value)}" y="${y}">${texts[index] ?? ''}</text>`,
  )}<text class="strong small middle" x="${Math.min(at, layout.width - 48)}" y="${y}">${name} ${line}</text>${
    !layout.isStacked &&
    markup`<text class="soft small" x="${layout.right + 22}" y="${y}">bound</text><text class="soft small end" x="${layout.width}" y="${y}">right of</text>`
  }`
}

/** Bars from `top` downwards, one per row, each crossed by the threshold line. */
export function boundBars(rows: readonly BoundRow[], layout: BarLayout, top: number): Markup {
  return markup`${rows.map((row, index) => barRow(row, layout, top + index * layout.rowHeight))}`
}

function barRow(row: BoundRow, layout: BarLayout, top: number): Markup {
  const { isStacked, left, right, rowHeight, scale, threshold } = layout
  const text = top + (isStacked ? 13 : 16)
  const bar = top + (isStacked ? 21 : 5)
  const label = markup`<text x="16" y="${text}">${row.label}</text>`
  const line = thresholdLine(
    scale(threshold),
    isStacked ? bar - 3 : top,
    isStacked ? bar + BAR_HEIGHT + 3 : top + rowHeight,
  )
  const track = markup`<rect class="track" x="${left}" y="${bar}" width="${right - left}" height="${BAR_HEIGHT}"/>`
  if (row.lower === null) {
    return markup`${label}${track}<text class="soft small" x="${left + 6}" y="${bar + 10}">${row.reason}</text>${line}`
  }
  const mark = row.mark && outcomeMark(row.mark, { x: 6, y: text - 4, radius: 4.5 })
  return markup`${mark}${label}${counts(row, layout, text)}${track}${barOf(row, layout, bar)}${line}`
}

/** The bound and the counts as numbers, each in its own column. */
function counts(
  { lower, rows, successes }: Known,
  { isStacked, right, width, threshold }: BarLayout,
  y: number,
): Markup {
  const [bound] = comparedText(lower, threshold)
  const counted = `${countText(successes)} of ${countText(rows)}`
  if (isStacked)
    return markup`<text class="soft small end" x="${width - 10}" y="${y}">${bound}, ${counted} right</text>`
  return markup`<text class="small strong" x="${right + 22}" y="${y}">${bound}</text><text class="soft small end" x="${width}" y="${y}">${counted}</text>`
}

type Known = Extract<BoundRow, { lower: number }>

/** The bound, followed by the slack and the envelope that were subtracted from the mean. */
function barOf(row: Known, { scale, span, left, threshold }: BarLayout, y: number): Markup {
  const parts = `bound ${row.lower.toFixed(3)}: mean ${row.mean.toFixed(3)}, envelope ${row.envelope.toFixed(3)}, slack ${row.slack.toFixed(3)}`
  if (row.mean <= span.from) {
    return markup`<text class="soft small" x="${left + 6}" y="${y + 10}">mean ${row.mean.toFixed(3)}, left of this scale</text>`
  }
  const bound = scale(row.lower)
  const slack = Math.max(bound, scale(row.lower + row.slack))
  const mean = Math.max(slack, scale(row.mean))
  const kind = row.lower >= threshold ? 'act' : 'defer'
  const envelope =
    row.envelope > 0 &&
    markup`<rect class="envelope" x="${slack}" y="${y + 0.5}" width="${mean - slack}" height="${BAR_HEIGHT - 1}"/>`
  return markup`<g><title>${parts}</title><rect class="${kind} bar" x="${left}" y="${y}" width="${bound - left}" height="${BAR_HEIGHT}"/><rect class="slack" x="${bound}" y="${y}" width="${slack - bound}" height="${BAR_HEIGHT}"/>${envelope}<line class="mean" x1="${mean}" x2="${mean}" y1="${y - 2}" y2="${y + BAR_HEIGHT + 2}"/></g>`
}

/** The names of the parts of a bar, the same below every figure with bars. */
export function barLegend(layout: BarLayout, y: number): Markup {
  const parts = [
    {
      shape: markup`<rect class="act" x="0" y="-9" width="9" height="10"/><rect class="defer" x="9" y="-9" width="9" height="10"/>`,
      name: 'bound',
      step: 68,
    },
    { shape: markup`<rect class="slack" x="0" y="-9" width="18" height="10"/>`, name: 'slack', step: 62 },
    { shape: markup`<rect class="envelope" x="0" y="-9" width="18" height="10"/>`, name: 'envelope', step: 84 },
    { shape: markup`<line class="mean" x1="9" x2="9" y1="-11" y2="3"/>`, name: 'mean', step: 62 },
  ]
  let x = layout.isStacked ? 0 : 16
  return markup`${parts.map(({ shape, name, step }) => {
    const drawn = markup`<g transform="translate(${x} ${y})">${shape}<text class="soft small" x="23" y="0">${name}</text></g>`
    x += step
    return drawn
  })}`
}
