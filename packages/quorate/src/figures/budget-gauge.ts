import { exactTexts, percentText } from '../text/number-text.ts'
import { type Axis, xAxis } from './axis.ts'
import { type Drawing, emptyDrawing } from './drawing.ts'
import { intervalLine, outcomeMark, type Rate, textWidth } from './marks.ts'
import { markup } from './markup.ts'
import { decimal, linearScale } from './scale.ts'

export interface BudgetGauge {
  readonly beta: number
  readonly alpha: number
  readonly epsilon: number
  /** Share of all held-out debates that were acted on wrongly. Null if none were held out. */
  readonly wrongActions: Rate | null
}

const HEIGHT = 132
const LEFT = 14

/** The parts of the declared budget, and below them how much of it wrong actions used. */
export function budgetGauge(gauge: BudgetGauge, width: number): Drawing {
  const head = { name: 'budget', title: 'Budget declared and budget used', width }
  const { beta, wrongActions } = gauge
  if (wrongActions === null) return emptyDrawing(head, 'Nothing was held out, so nothing is known of the budget used.')
  const domain = { from: 0, to: Math.max(beta * 1.3, wrongActions.high * 1.08) }
  const scale = linearScale(domain, { from: LEFT, to: width - 12 })
  const axis: Axis = { domain, scale, count: width < 480 ? 4 : 7, text: (value) => percentText(value) }
  const used = `${percentText(wrongActions.value / beta)} %`
  const kind = wrongActions.value > beta ? 'wrong' : 'act'
  const y = 74
  const label = `${used} of the budget used`
  // A label that does not fit beside the interval goes below it.
  const [beside, room] = [scale(wrongActions.high) + 8, width - textWidth(label) - 14]
  return {
    ...head,
    height: HEIGHT + 8,
    description: `Budget beta ${beta}. Wrong actions ${percentText(wrongActions.value)} % of all debates, 95 % interval ${percentText(wrongActions.low)} to ${percentText(wrongActions.high)} %: ${used} of the budget.`,
    content: markup`${xAxis(axis, { top: 20, bottom: 100, title: 'wrong actions, % of all debates' })}${parts(gauge, scale)}<rect class="wrong faint" x="${LEFT}" y="${y - 7}" width="${scale(wrongActions.value) - LEFT}" height="14"/>${intervalLine(wrongActions, scale, { y, outcome: 'wrong' })}${outcomeMark('wrong', { x: scale(wrongActions.value), y, radius: 6 })}<line class="budget" x1="${scale(beta)}" x2="${scale(beta)}" y1="16" y2="100"/><text class="strong halo ${kind}" x="${Math.min(beside, room)}" y="${beside > room ? y + 20 : y + 4}">${label}</text><text class="strong small middle" x="${scale(beta)}" y="11">budget ${percentText(beta)} %</text>`,
    isEmpty: false,
  }
}

/** The parts of the budget end to end: the reserve for an unlucky calibration set, alpha and epsilon. */
function parts({ beta, alpha, epsilon }: BudgetGauge, scale: (value: number) => number) {
  const named = [
    { name: 'calibration', value: Math.max(0, decimal(beta - Math.max(0, alpha) - epsilon)) },
    { name: 'alpha', value: Math.max(0, alpha) },
    { name: 'epsilon', value: epsilon },
  ]
  const texts = exactTexts(named.map(({ value }) => value))
  let start = 0
  return named.map(({ name, value }, index) => {
    const [from, to] = [scale(Math.min(beta, start)), scale(Math.min(beta, start + value))]
    start += value
    const label = `${name} ${texts[index] ?? ''}`
    const fits = [label, name].find((text) => text.length * 6.4 < to - from - 6)
    return markup`<rect class="${index === 1 ? 'slack' : 'envelope'}" x="${from}" y="28" width="${Math.max(0, to - from - 1)}" height="24"><title>${label}</title></rect>${fits !== undefined && markup`<text class="small" x="${from + 5}" y="44">${fits}</text>`}`
  })
}
