import { comparedText } from '../text/number-text.ts'
import { type Axis, yAxis } from './axis.ts'
import { type Drawing, emptyDrawing } from './drawing.ts'
import { outcomeMark, thresholdAcross } from './marks.ts'
import { type Markup, markup } from './markup.ts'
import { linearScale, type Scale, spanDownTo } from './scale.ts'

/** The bound of one debate, round by round. */
export interface DebatePath {
  readonly threshold: number
  /** Rounds of the certificate. A debate that acts early has fewer bounds. */
  readonly rounds: number
  /** One for each debated round. Null if the round has no bound. */
  readonly bounds: readonly (number | null)[]
}

const HEIGHT = 196
const TOP = 32
const BOTTOM = HEIGHT - 26
const TEXT_HEIGHT = 12

/** Shows whether the bound reaches the threshold, and in which round. */
export function debatePathFigure({ threshold, rounds, bounds }: DebatePath, width: number): Drawing {
  const head = { name: 'debate-path', title: 'The bound against the threshold, round by round', width }
  const known = bounds.flatMap((bound) => bound ?? [])
  if (known.length === 0) return emptyDrawing(head, 'No round of this debate has a bound.')
  const domain = spanDownTo(threshold, known)
  const [left, right] = [38, width - 108]
  const y = linearScale(domain, { from: BOTTOM, to: TOP })
  const last = Math.max(rounds, bounds.length, 1)
  const x = (round: number) => left + ((round - 0.5) * (right - left)) / last
  const axis: Axis = { domain, scale: y, count: 5 }
  const [line] = comparedText(threshold, threshold)
  const names = Array.from({ length: last }, (_, index) => roundName(index + 1, x(index + 1), bounds))
  return {
    ...head,
    height: HEIGHT,
    description: bounds.map((bound, index) => spoken(index + 1, bound, threshold)).join(' '),
    content: markup`${yAxis(axis, { left, right, title: 'bound' })}${names}${thresholdAcross(y(threshold), left, right)}<text class="strong small" x="${right + 6}" y="${y(threshold) + 4}">threshold ${line}</text>${path(bounds, x, y)}${bounds.map((bound, index) => bound !== null && boundMark({ bound, threshold }, x(index + 1), y))}`,
    isEmpty: false,
  }
}

function roundName(round: number, x: number, bounds: DebatePath['bounds']): Markup {
  const isDebated = round <= bounds.length
  const note = isDebated ? (bounds[round - 1] === null ? 'no bound' : '') : 'not debated'
  return markup`<text class="small middle ${note === '' ? '' : 'soft'}" x="${x}" y="${BOTTOM + 17}">round ${String(round)}${note === '' ? '' : `: ${note}`}</text>`
}

function path(bounds: DebatePath['bounds'], x: (round: number) => number, y: Scale): Markup {
  const points = bounds.flatMap((bound, index) => (bound === null ? [] : { x: x(index + 1), y: y(bound) }))
  return markup`<path class="guide" d="${points.map((point, index) => markup`${index === 0 ? 'M' : 'L'}${point.x} ${point.y}`)}"/>`
}

/** Puts the number above its mark, below it if there is no room, and beside it if the threshold line would cross it. */
function boundMark({ bound, threshold }: { bound: number; threshold: number }, x: number, scale: Scale): Markup {
  const [text] = comparedText(bound, threshold)
  const [y, line] = [scale(bound), scale(threshold)]
  const wanted = y > TOP + 22 ? y - 6 : y + 16
  const isCrossed = line > wanted - TEXT_HEIGHT && line < wanted + 2
  const place = isCrossed ? (line > y ? Math.min(y + 4, line - 4) : Math.max(y + 4, line + TEXT_HEIGHT)) : wanted
  return markup`${outcomeMark(bound >= threshold ? 'act' : 'defer', { x, y, radius: 6 })}<text class="small strong halo" x="${x + 11}" y="${place}">${text}</text>`
}

function spoken(round: number, bound: number | null, threshold: number): string {
  if (bound === null) return `Round ${round}: no bound.`
  const [text, line] = comparedText(bound, threshold)
  return `Round ${round}: bound ${text}, ${bound >= threshold ? 'reaches' : 'below'} the threshold ${line}.`
}
