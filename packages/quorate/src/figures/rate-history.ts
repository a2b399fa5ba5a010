import { countText, percentText } from '../text/number-text.ts'
import { type Axis, xAxis, yAxis } from './axis.ts'
import { type Drawing, emptyDrawing } from './drawing.ts'
import { outcomeMark } from './marks.ts'
import { type Markup, markup } from './markup.ts'
import { linearScale, type Scale } from './scale.ts'

/** The wrong-action rate of a live policy as spot checks come in, oldest first. */
export interface RateHistory {
  readonly beta: number
  /** Confidence that the band holds at every moment at once. */
  readonly level: number
  readonly points: readonly RatePoint[]
}

export interface RatePoint {
  readonly sampled: number
  readonly rate: number
  readonly lower: number
  readonly upper: number
}

const HEIGHT = 250
const TOP = 34
const BOTTOM = HEIGHT - 46
/** Early bands reach to 1 and would flatten all that follows. */
const MOST_BUDGETS = 4

/** The rate so far, the band that holds at every moment, and the budget. */
export function rateHistoryFigure({ beta, level, points }: RateHistory, width: number): Drawing {
  const head = { name: 'rate-history', title: 'Wrong-action rate as spot checks come in', width }
  const last = points.at(-1)
  if (last === undefined) return emptyDrawing(head, 'No spot check has been labelled yet, so no rate is known.')
  const [left, right] = [44, width - 12]
  const top = Math.min(1, Math.max(beta * MOST_BUDGETS, last.upper * 1.15, ...points.map(({ rate }) => rate)))
  const across = { from: 0, to: Math.max(1, last.sampled) }
  const x = linearScale(across, { from: left, to: right })
  const y = linearScale({ from: 0, to: top }, { from: BOTTOM, to: TOP })
  const xTicks: Axis = { domain: across, scale: x, count: width < 480 ? 4 : 6, text: (value) => countText(value) }
  const yTicks: Axis = { domain: { from: 0, to: top }, scale: y, count: 5, text: (value) => percentText(value) }
  const kind = last.lower > beta ? 'wrong' : 'act'
  return {
    ...head,
    height: HEIGHT,
    description: spoken(last, beta, level),
    content: markup`${yAxis(yTicks, { left, right, title: 'wrong actions, % of all questions' })}${xAxis(xTicks, { top: BOTTOM, bottom: BOTTOM, title: 'spot checks, in the order of sampling' })}${band(points, x, y)}<line class="budget" x1="${left}" x2="${right}" y1="${y(beta)}" y2="${y(beta)}"/><text class="strong small end halo" x="${right}" y="${y(beta) - 6}">budget ${percentText(beta)} %</text><path class="${kind}-line" d="${line(points, x, y)}"/>${outcomeMark(kind, { x: x(last.sampled), y: y(last.rate), radius: 5 })}`,
    isEmpty: false,
  }
}

function band(points: readonly RatePoint[], x: Scale, y: Scale): Markup {
  const over = points.map(({ sampled, upper }) => markup`L${x(sampled)} ${y(upper)}`)
  const back = points.toReversed().map(({ sampled, lower }) => markup`L${x(sampled)} ${y(lower)}`)
  const [first] = points
  if (first === undefined) return markup``
  return markup`<path class="slack faint" d="M${x(first.sampled)} ${y(first.lower)}${over}${back}Z"/>`
}

function line(points: readonly RatePoint[], x: Scale, y: Scale): Markup {
  return markup`${points.map(({ sampled, rate }, index) => markup`${index === 0 ? 'M' : 'L'}${x(sampled)} ${y(rate)}`)}`
}

function spoken({ sampled, rate, lower, upper }: RatePoint, beta: number, level: number): string {
  const within = `${percentText(lower)} to ${percentText(upper)} %`
  return `After ${countText(sampled)} spot checks the rate is ${percentText(rate)} %, ${within} at every moment with confidence ${level}; the budget is ${percentText(beta)} %.`
}
