import { decimal, percent } from '../../tables/markdown.ts'
import { TWIN_NAMES } from '../../twins/targets.ts'
import { TRADE_OFF_SIZES } from '../measure/bound-terms.ts'
import { meanOf } from '../measure/outcome.ts'
import { ABSOLUTE_BETAS } from '../measure/paper-cells.ts'
import { ACTIVATED } from '../paper/activated.ts'
import type { PrintedPolicy } from '../paper/printed.ts'
import { absolutePoint } from '../tables/fixed-budgets.ts'
import { operatingPoint } from '../tables/main-table.ts'
import { measuredTwins } from '../tables/table.ts'
import type { Measurements, TwinMeasurements } from '../tasks.ts'
import { type Axis, type Chart, figureText, type Series } from './chart.ts'

/** Figures of the paper that are made of data; its pipeline is none. */
export interface ReproducedFigure {
  readonly name: string
  readonly caption: string
  readonly svg: string
}

export function figuresOf(measured: Measurements): ReproducedFigure[] {
  return [
    {
      name: 'frontier',
      caption: 'Figure 2: share of the budget used against automation; a line is ours as beta goes from .10 to .35.',
      svg: figureText('Risk-automation frontier on simulated twins', frontierCharts(measured)),
    },
    {
      name: 'budget',
      caption: 'Figure 4, bottom: wrong actions at each budget; the dashed line is the budget.',
      svg: figureText('Wrong actions against the budget on simulated twins', [budgetChart(measured)]),
    },
    {
      name: 'bias-variance',
      caption:
        'Figure 3: medians at the last round of the MMLU-Pro twin, for each neighbourhood size alone; right, envelope and slack of the bound against the number of neighbour rows (the true q of the paper’s right panel is not known).',
      svg: figureText('Bias and variance of the bound on the simulated MMLU-Pro twin', tradeOffCharts(measured)),
    },
  ]
}

const SHARE: Axis = { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1], text: (value) => percent(value, 0) }
const RATIO: Axis = { from: 0, to: 1, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], text: (value) => decimal(value, 1) }

const MARKED: readonly (readonly [string, PrintedPolicy])[] = [
  ['CRC', 'conformal-risk-control'],
  ['selective', 'selective-prediction'],
  ['learned', 'calibrated-learned'],
  ['consensus', 'consensus'],
  ['p1 at .9', 'confidence-threshold'],
  ['no envelope', 'knn-no-envelope'],
]

function frontierCharts(measured: Measurements): Chart[] {
  return measuredTwins(measured, ACTIVATED).map(({ title, twin }) => ({
    title: `${title} twin`,
    xTitle: 'Act, %',
    yTitle: 'WA / beta',
    x: SHARE,
    y: RATIO,
    series: [oursPath(twin), ...MARKED.flatMap(([name, policy]) => marked(twin, name, policy))],
  }))
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
  const sizes = twin.splits[0]!.calibrationSizes.map(({ neighbourRows }) => neighbourRows)
  const allowances = sizes.map(
    (size, place) =>
      [size, meanOf(twin.splits.map(({ calibrationSizes }) => calibrationSizes[place]!.allowance))] as const,
  )
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
    {
      title: 'Envelope and slack by calibration size',
      xTitle: 'neighbour rows (doublings)',
      yTitle: 'median over debates and rounds',
      x: { from: Math.min(...sizes), to: Math.max(...sizes), ticks: sizes, text: String, isLogarithmic: true },
      y: { from: 0, to: 0.4, ticks: [0, 0.1, 0.2, 0.3, 0.4], text: (value) => decimal(value, 1) },
      series: [{ name: 'envelope + slack', look: 'line', points: allowances }],
    },
  ]
}
