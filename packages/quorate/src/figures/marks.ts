import { type Markup, markup } from './markup.ts'
import type { Scale } from './scale.ts'

/** Drawn as a disc (act), a diamond (defer) or a cross (wrong). The terminal uses the same shapes. */
export type MarkKind = 'act' | 'defer' | 'wrong'

export interface Spot {
  readonly x: number
  readonly y: number
  /** Half of the mark's width. */
  readonly radius?: number
}

export function outcomeMark(outcome: MarkKind, { x, y, radius = 5 }: Spot): Markup {
  if (outcome === 'act') return markup`<circle class="act mark halo" cx="${x}" cy="${y}" r="${radius}"/>`
  if (outcome === 'defer') {
    const r = radius * 1.2
    return markup`<path class="defer mark halo" d="M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z"/>`
  }
  const r = radius * 0.8
  return markup`<path class="wrong-line mark" d="M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}"/>`
}

/** The mark of another policy, distinct from those for act, defer and wrong. */
export function otherMark({ x, y, radius = 4 }: Spot): Markup {
  return markup`<rect class="other mark" x="${x - radius}" y="${y - radius}" width="${2 * radius}" height="${2 * radius}"/>`
}

/** A rate with its interval. */
export interface Rate {
  readonly value: number
  readonly low: number
  readonly high: number
}

export function intervalLine(rate: Rate, scale: Scale, { y, outcome }: { y: number; outcome: MarkKind }): Markup {
  return markup`<line class="${outcome}-line" x1="${scale(rate.low)}" x2="${scale(rate.high)}" y1="${y}" y2="${y}"/>`
}

/** The threshold line looks the same in every figure: solid, heavy, in the colour of the text. */
export function thresholdLine(x: number, top: number, bottom: number): Markup {
  return markup`<line class="threshold" x1="${x}" x2="${x}" y1="${top}" y2="${bottom}"/>`
}

export function thresholdAcross(y: number, left: number, right: number): Markup {
  return markup`<line class="threshold" x1="${left}" x2="${right}" y1="${y}" y2="${y}"/>`
}

/** The approximate width of a text in pixels. `size` is the font size in pixels. */
export function textWidth(text: string, size = 12): number {
  return [...text].length * size * 0.56
}
