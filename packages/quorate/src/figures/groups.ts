import { countText, percentText } from '../text/number-text.ts'
import { type Drawing, emptyDrawing } from './drawing.ts'
import { intervalLine, type MarkKind, outcomeMark, type Rate, thresholdLine } from './marks.ts'
import { type Markup, markup } from './markup.ts'
import { linearScale, type Scale, spanDownTo, ticks, tickTexts } from './scale.ts'
import { fullName, shortName } from './visible-text.ts'

export interface Groups {
  readonly threshold: number
  readonly groups: readonly GroupDot[]
  /** The meaning of a row. Defaults to groups of questions. */
  readonly of?: 'groups' | 'kinds'
}

const HEADS = {
  groups: { title: 'Groups: accuracy of what was acted on', column: 'group', none: 'The debates name no groups.' },
  kinds: { title: 'Kinds of debate: accuracy of what was acted on', column: 'kind', none: 'Nothing was acted on.' },
} as const

export interface GroupDot {
  /** Comes from a file, so it may contain any text. */
  readonly name: string
  /** Labelled debates of the group. */
  readonly n: number
  /** Share acted on. */
  readonly act: number
  /** Share right among those acted on. Null if nothing was acted on. */
  readonly accuracy: Rate | null
}

const SHOWN = 24
const ROW = 22
const TOP = 44

/** Accuracy of what was acted on in each group, the least accurate first. */
export function groupsFigure({ threshold, groups, of = 'groups' }: Groups, width: number): Drawing {
  const { title, column, none } = HEADS[of]
  const head = { name: of, title, width }
  if (groups.length === 0) return emptyDrawing(head, none)
  if (groups.every(({ accuracy }) => accuracy === null)) {
    return emptyDrawing(head, `Nothing was acted on in any of the ${countText(groups.length)} ${of}.`)
  }
  const isNarrow = width < 480
  const sorted = [...groups].sort((a, b) => (a.accuracy?.value ?? 2) - (b.accuracy?.value ?? 2))
  const shown = sorted.slice(0, SHOWN)
  const left = isNarrow ? 112 : of === 'kinds' ? 300 : 172
  const right = width - (isNarrow ? 48 : 92)
  const span = spanDownTo(
    threshold,
    shown.flatMap(({ accuracy }) => accuracy?.low ?? []),
  )
  const scale = linearScale(span, { from: left, to: right })
  const bottom = TOP + shown.length * ROW
  const values = ticks(span, isNarrow ? 2 : 5)
  const texts = tickTexts(values)
  const rest = sorted.length - shown.length
  const rows = { left, right, width, scale, threshold, isNarrow }
  return {
    ...head,
    height: bottom + (rest > 0 ? 26 : 8),
    description: shown.map(spoken).join(' '),
    content: markup`<text class="soft" x="0" y="14">${column}</text><text class="soft" x="${left}" y="14">share right</text><text class="soft end" x="${width}" y="14">act %</text>${!isNarrow && markup`<text class="soft end" x="${width - 46}" y="14">n</text>`}${values.map((value, index) => markup`<line class="rule" x1="${scale(value)}" x2="${scale(value)}" y1="${TOP - 4}" y2="${bottom}"/><text class="soft small middle" x="${scale(value)}" y="${TOP - 10}">${texts[index] ?? ''}</text>`)}${thresholdLine(scale(threshold), TOP - 4, bottom)}${shown.map((group, index) => groupRow(group, rows, TOP + index * ROW))}${rest > 0 && markup`<text class="soft small" x="0" y="${bottom + 18}">${countText(rest)} more ${of}, all at least as accurate or without an action.</text>`}`,
    isEmpty: false,
  }
}

interface Rows {
  readonly left: number
  readonly right: number
  readonly width: number
  readonly scale: Scale
  readonly threshold: number
  readonly isNarrow: boolean
}

function groupRow(group: GroupDot, { left, scale, threshold, isNarrow, width }: Rows, top: number): Markup {
  const { name, n, act, accuracy } = group
  const middle = top + ROW / 2
  const y = middle + 4
  const letters = Math.floor((left - 10) / 6.6)
  const outcome: MarkKind = accuracy !== null && accuracy.high < threshold ? 'wrong' : 'act'
  const dot =
    accuracy === null
      ? markup`<text class="soft small" x="${left}" y="${y}">none</text>`
      : markup`${intervalLine(accuracy, scale, { y: middle, outcome })}${outcomeMark(outcome, { x: scale(accuracy.value), y: middle, radius: 5 })}`
  return markup`<g><title>${`${fullName(name)}: ${figures(group)}`}</title><text x="0" y="${y}">${shortName(name, letters)}</text>${dot}${!isNarrow && markup`<text class="soft small end" x="${width - 46}" y="${y}">${countText(n)}</text>`}<text class="small end" x="${width}" y="${y}">${percentText(act)}</text></g>`
}

function figures({ n, act, accuracy }: GroupDot): string {
  const right =
    accuracy === null
      ? 'nothing acted on'
      : `${percentText(accuracy.value)} % right (${percentText(accuracy.low)} to ${percentText(accuracy.high)})`
  return `${right}, ${percentText(act)} % of ${countText(n)} acted on`
}

function spoken(group: GroupDot): string {
  return `${shortName(group.name, 40)}: ${figures(group)}.`
}
