import { countText } from '../text/number-text.ts'
import { type Axis, xAxis, yAxis } from './axis.ts'
import { type Drawing, emptyDrawing } from './drawing.ts'
import { outcomeMark, thresholdAcross } from './marks.ts'
import { type Markup, markup } from './markup.ts'
import { linearScale, type Scale } from './scale.ts'

/** For debates that are summarised by one number, the learned score: the bound as a function of it, round by round. */
export interface StateLine {
  readonly threshold: number
  readonly name: string
  readonly rounds: readonly LineRound[]
}

export interface LineRound {
  readonly round: number
  /** The held-out debates still running, with their score and bound, in ascending order of the score. */
  readonly points: readonly { readonly x: number; readonly lower: number }[]
  readonly acting: number
  readonly running: number
}

const HEIGHT = 340
const TOP = 34
const BOTTOM = HEIGHT - 62
const DASHES = ['none', '7 3', '2 3', '9 3 2 3']

/** The bound by score, one curve per round. A debate acts where its curve reaches the threshold. */
export function stateLineFigure({ threshold, name, rounds }: StateLine, width: number): Drawing {
  const head = { name: 'state-line', title: 'The bound along the learned score', width }
  const shown = rounds.filter(({ points }) => points.length > 0)
  if (shown.length === 0) return emptyDrawing(head, 'No held-out debate has a bound to draw along the score.')
  const scores = shown.flatMap(({ points }) => points.map(({ x }) => x))
  const least = Math.min(threshold, ...shown.flatMap(({ points }) => points.map(({ lower }) => lower)))
  const [left, right] = [38, width - 12]
  const xDomain = { from: Math.floor(Math.min(...scores) * 10) / 10, to: 1 }
  const yDomain = { from: Math.max(-0.1, Math.floor(least * 10) / 10), to: 1 }
  const x = linearScale(xDomain, { from: left, to: right })
  const y = linearScale(yDomain, { from: BOTTOM, to: TOP })
  const [horizontal, vertical]: [Axis, Axis] = [
    { domain: xDomain, scale: x, count: 5 },
    { domain: yDomain, scale: y, count: 5 },
  ]
  return {
    ...head,
    height: HEIGHT,
    description: shown.map(spoken).join(' '),
    content: markup`${xAxis(horizontal, { top: TOP, bottom: BOTTOM, title: name })}${yAxis(vertical, { left, right, title: 'bound L' })}${thresholdAcross(y(threshold), left, right)}<text class="strong small halo" x="${left + 6}" y="${y(threshold) - 7}">threshold ${threshold.toFixed(3)}</text>${shown.map((round, index) => curve(round, index, { x, y, threshold }))}${legend(shown)}`,
    isEmpty: false,
  }
}

function curve(
  { points }: LineRound,
  index: number,
  { x, y, threshold }: { x: Scale; y: Scale; threshold: number },
): Markup {
  const line = points.map((point, at) => markup`${at === 0 ? 'M' : 'L'}${x(point.x)} ${y(point.lower)}`)
  const first = points.find(({ lower }) => lower >= threshold)
  return markup`<path class="mean" fill="none" stroke-dasharray="${DASHES[index % DASHES.length] ?? 'none'}" d="${line}"/>${first !== undefined && outcomeMark('act', { x: x(first.x), y: y(first.lower), radius: 5 })}`
}

function legend(rounds: readonly LineRound[]): Markup {
  return markup`${rounds.map(({ round }, index) => {
    const left = (index % 5) * 66
    return markup`<line class="mean" x1="${left}" x2="${left + 24}" y1="${HEIGHT - 9}" y2="${HEIGHT - 9}" stroke-dasharray="${DASHES[index % DASHES.length] ?? 'none'}"/><text class="soft small" x="${left + 29}" y="${HEIGHT - 5}">r ${String(round)}</text>`
  })}`
}

function spoken({ round, acting, running }: LineRound): string {
  return `Round ${round}: ${countText(acting)} of ${countText(running)} running debates reach the threshold.`
}
