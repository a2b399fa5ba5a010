import { type Markup, markup } from './markup.ts'
import { type Scale, type Span, ticks, tickTexts } from './scale.ts'

export interface Axis {
  readonly domain: Span
  readonly scale: Scale
  readonly count: number
  /** The text of a tick. Defaults to the number itself. */
  readonly text?: (value: number) => string
}

/** Ticks with vertical rules from `bottom` to `top`, and the title of the axis below them. */
export function xAxis(axis: Axis, { top, bottom, title }: { top: number; bottom: number; title: string }): Markup {
  const labels = axisLabels(axis)
  const middle = axis.scale((axis.domain.from + axis.domain.to) / 2)
  return markup`${labels.map(
    ({ at, text }) =>
      markup`<line class="rule" x1="${at}" x2="${at}" y1="${top}" y2="${bottom}"/><text class="soft small middle" x="${at}" y="${bottom + 16}">${text}</text>`,
  )}<text class="soft middle" x="${middle}" y="${bottom + 34}">${title}</text>`
}

/** Ticks with horizontal rules from `left` to `right`, and the title of the axis above them. */
export function yAxis(axis: Axis, { left, right, title }: { left: number; right: number; title: string }): Markup {
  const labels = axisLabels(axis)
  const top = Math.min(axis.scale(axis.domain.from), axis.scale(axis.domain.to))
  return markup`${labels.map(
    ({ at, text }) =>
      markup`<line class="rule" x1="${left}" x2="${right}" y1="${at}" y2="${at}"/><text class="soft small end" x="${left - 8}" y="${at + 4}">${text}</text>`,
  )}<text class="soft" x="0" y="${top - 12}">${title}</text>`
}

function axisLabels({ domain, scale, count, text }: Axis): { at: number; text: string }[] {
  const values = ticks(domain, count)
  const texts = text ? values.map(text) : tickTexts(values)
  return values.map((value, index) => ({ at: scale(value), text: texts[index] ?? '' }))
}
