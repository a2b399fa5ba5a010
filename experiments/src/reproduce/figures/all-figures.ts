import { decimal, percent } from '../../tables/markdown.ts'
import { TWIN_NAMES } from '../../twins/targets.ts'
import { TRADE_OFF_SIZES } from '../measure/bound-terms.ts'
import { KNOWN_SIZES, knownSlacks } from '../measure/known-slack.ts'
import { meanOf } from '../measure/outcome.ts'
import { ABSOLUTE_BETAS } from '../measure/paper-cells.ts'
import { ACTIVATED } from '../paper/activated.ts'
import type { PrintedPolicy } from '../paper/printed.ts'
import { absolutePoint } from '../tables/fixed-budgets.ts'
import { operatingPoint } from '../tables/main-table.ts'
import { measuredTwins } from '../tables/table.ts'
import type { Measurements, TwinMeasurements } from '../tasks.ts'
import { budgetFigure } from './budget.ts'
import { type Axis, type Chart, figureText, type Rule, type Series } from './chart.ts'
import { overviewFigure } from './overview.ts'

/** A reproduced figure of the paper. */
export interface ReproducedFigure {
  readonly name: string
  readonly caption: string
  readonly svg: string
}

export function figuresOf(measured: Measurements): ReproducedFigure[] {
  return [
    {
      name: 'overview',
      caption:
        'Figure 1: from debate to decision; below, labelled states of the simulated MMLU-Pro twin by correctness with one debate on its way, and the bound of that debate round by round.',
      svg: overviewFigure(measured),
    },
    {
      name: 'frontier',
      caption:
        'Figure 2: share of the budget used against automation; a line is ours as beta goes from .10 to .35, marks are the baselines of Table 1. Dashed: the budget is used up. Dotted: the target of the selection, .10.',
      svg: figureText('Risk-automation frontier on simulated twins', frontierCharts(measured)),
    },
    {
      name: 'bias-variance',
      caption:
        'Figure 3: left, medians at the last round of the MMLU-Pro twin, for each neighbourhood size alone; right, the slack q - L against the number of labelled rows where a simulator knows q, with the rate of Corollary 4.',
      svg: figureText('Bias and variance of the bound', [...tradeOffCharts(measured), slackChart()]),
    },
    {
      name: 'budget',
      caption:
        'Figure 4: the parts of beta = .15, what each of them pays for, and wrong actions at each budget on simulated twins; the dashed line is the budget.',
      svg: budgetFigure(budgetChart(measured)),
    },
  ]
}

const SHARE: Axis = { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1], text: (value) => percent(value, 0) }
const RATIO: Axis = { from: 0, to: 1, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], text: (value) => decimal(value, 1) }

const MARKED: readonly (readonly [string, PrintedPolicy])[] = [
  ['CRC', 'conformal-risk-control'],
  ['selective', 'selective-prediction'],
  ['learned', 'calibrated-learned'],
  ['isotonic', 'isotonic-confidence'],
  ['consensus', 'consensus'],
  ['p1 at .9', 'confidence-threshold'],
  ['stopper', 'learned-stopper'],
  ['no envelope', 'knn-no-envelope'],
  ['final round', 'final-round'],
]

const LIMITS: readonly Rule[] = [
  { at: 1, name: 'budget used up', look: 'dashed', colour: '#c00000' },
  { at: 0.1, name: 'target of the selection', look: 'dotted', colour: '#0072b2' },
]

function frontierCharts(measured: Measurements): Chart[] {
  return measuredTwins(measured, ACTIVATED).map(({ title, twin }) => {
    const series = [oursPath(twin), ...MARKED.flatMap(([name, policy]) => marked(twin, name, policy))]
    const largest = Math.max(1, ...series.flatMap(({ points }) => points.map(([, used]) => used)))
    return {
      title: `${title} twin`,
      xTitle: 'Act, %',
      yTitle: 'WA / beta',
      x: SHARE,
      y: largest > 1 ? ratioUpTo(largest) : { ...RATIO, to: 1.05 },
      series,
      rules: LIMITS,
    }
  })
}

/** An axis on which nothing is cut off if a baseline uses more than its budget. */
function ratioUpTo(largest: number): Axis {
  const step = largest > 2.5 ? 1 : 0.5
  const to = step * Math.ceil(largest / step)
  return {
    from: 0,
    to,
    ticks: Array.from({ length: to / step + 1 }, (_, at) => at * step),
    text: (value) => decimal(value, 1),
  }
}

function oursPath(twin: TwinMeasurements): Series {
  const points = ABSOLUTE_BETAS.map((beta) => absolutePoint(twin, beta))
  return {
    name: 'ours',
    look: 'line',
    points: points.map(({ act, budgetUsed }) => [act.mean, budgetUsed.mean] as const),
  }
}

function marked(twin: TwinMeasurements, name: string, policy: PrintedPolicy): Series[] {
  const point = operatingPoint(twin, policy)
  return point ? [{ name, look: 'marks', points: [[point.act.mean, point.budgetUsed.mean]] }] : []
}

function budgetChart(measured: Measurements): Chart {
  const twins = measuredTwins(measured, TWIN_NAMES)
  const x: Axis = { from: 0.1, to: 0.35, ticks: ABSOLUTE_BETAS, text: (value) => decimal(value) }
  return {
    title: 'Wrong actions, beta from .10 to .35',
    xTitle: 'beta',
    yTitle: 'WA, %',
    x,
    y: { from: 0, to: 0.35, ticks: [0, 0.1, 0.2, 0.3], text: (value) => percent(value, 0) },
    series: [
      ...twins.map(
        ({ title, twin }): Series => ({
          name: title,
          look: 'line',
          points: ABSOLUTE_BETAS.map((beta) => [beta, absolutePoint(twin, beta).wrong.mean] as const),
        }),
      ),
      { name: 'budget', look: 'dashed', points: ABSOLUTE_BETAS.map((beta) => [beta, beta] as const) },
    ],
  }
}

const TERMS = ['mean', 'envelope', 'slack', 'lower'] as const

function tradeOffCharts(measured: Measurements): Chart[] {
  const twin = measured.twins.get('mmlu-pro')
  if (!twin) return []
  const at = (k: number, term: (typeof TERMS)[number]) => {
    const found = twin.splits.flatMap(({ tradeOff }) => tradeOff.filter((row) => row.k === k))
    return found.length === 0 ? [] : [[k, meanOf(found.map((row) => row[term]))] as const]
  }
  return [
    {
      title: 'Terms of the bound by k',
      xTitle: 'k (doublings)',
      yTitle: 'median at the last round',
      x: { from: 32, to: 2048, ticks: TRADE_OFF_SIZES, text: String, isLogarithmic: true },
      y: RATIO,
      series: TERMS.map((term) => ({
        name: term === 'lower' ? 'L' : term,
        look: 'line' as const,
        points: TRADE_OFF_SIZES.flatMap((k) => at(k, term)),
      })),
    },
  ]
}

/** Corollary 4: the slack decreases as n^(-1 / (2 + D)), with D = 2 here. */
function slackChart(): Chart {
  const found = knownSlacks()
  const first = found[0]!
  const rate = found.map(({ rows }) => [rows, first.true * (rows / first.rows) ** -0.25] as const)
  return {
    title: 'Slack q - L by labelled rows, q known',
    xTitle: 'labelled rows (doublings)',
    yTitle: 'median over new states',
    x: { from: first.rows, to: found.at(-1)!.rows, ticks: KNOWN_SIZES, text: String, isLogarithmic: true },
    y: { from: 0, to: 0.6, ticks: [0, 0.2, 0.4, 0.6], text: (value) => decimal(value, 1) },
    series: [
      { name: 'learned modulus', look: 'line', points: found.map((each) => [each.rows, each.learned] as const) },
      { name: 'true Lipschitz', look: 'line', points: found.map((each) => [each.rows, each.true] as const) },
      { name: 'rate n^(-1/4)', look: 'dashed', points: rate },
    ],
  }
}
