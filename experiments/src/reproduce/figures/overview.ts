import { decimal } from '../../tables/markdown.ts'
import type { Overview } from '../measure/overview.ts'
import type { Measurements } from '../tasks.ts'
import { type Axis, type Chart, PANEL, placed, svgText } from './chart.ts'

const WIDTH = 2 * PANEL.width
const TOP = 118
const STEPS = [
  ['1. Debate', 'agents answer with beliefs,', 'round by round'],
  ['2. State', 'what was said so far becomes', 'U = (p1, margin)'],
  ['3. Bound', 'labelled debates nearest to U:', 'L = mean - envelope - slack'],
  ['4. Decision', 'L at least 1 - alpha: act; else', 'go on, after round T defer'],
] as const

/** Top: the pipeline. Bottom: states by correctness with one debate among them, and its bound round by round. */
export function overviewFigure(measured: Measurements): string {
  const overview = measured.twins.get('mmlu-pro')?.splits.find((split) => split.overview !== null)?.overview
  const panels = overview ? [placed(statesChart(overview), 0, TOP), placed(boundChart(overview), PANEL.width, TOP)] : []
  return svgText('From debate to decision', { width: WIDTH, height: TOP + PANEL.height }, [...pipeline(), ...panels])
}

function pipeline(): string[] {
  const gap = 24
  const width = (WIDTH - 32 - 3 * gap) / STEPS.length
  return STEPS.map(([head, ...lines], at) => {
    const x = 16 + at * (width + gap)
    const arrow =
      at === 0
        ? ''
        : `<path d="M${x - gap + 3} 56 h${gap - 8} m-5 -4 l5 4 l-5 4" fill="none" stroke="#555555" stroke-width="1.5"/>`
    const text = lines.map((line, row) => `<text x="${x + 9}" y="${60 + 17 * row}" font-size="10.5">${line}</text>`)
    return `${arrow}<rect x="${x}" y="20" width="${width}" height="72" rx="5" fill="#f4f7fa" stroke="#0072b2"/><text x="${x + 9}" y="40" font-weight="bold">${head}</text>${text.join('')}`
  })
}

const UNIT: Axis = { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1], text: (value) => decimal(value) }

function statesChart({ states, debate }: Overview): Chart {
  const most = Math.max(1, ...states.map(({ right, wrong }) => Math.max(right, wrong)))
  const dots = (name: string, count: (state: Overview['states'][number]) => number, shift: number) => {
    const shown = states.filter((state) => count(state) > 0)
    return {
      name,
      look: 'dots' as const,
      // Right and wrong answers of one state are next to each other.
      points: shown.map(({ p1, margin }) => [p1 + shift, margin] as const),
      sizes: shown.map((state) => count(state) / most),
    }
  }
  return {
    title: 'Labelled states at the last round',
    xTitle: 'p1',
    yTitle: 'margin',
    x: { ...UNIT, to: 1.03 },
    y: { ...UNIT, to: 1.05 },
    series: [
      dots('right', ({ right }) => right, -0.008),
      dots('wrong', ({ wrong }) => wrong, 0.012),
      {
        name: 'one debate, round by round',
        look: 'line',
        points: (debate ?? []).map(({ p1, margin }) => [p1, margin] as const),
      },
    ],
  }
}

function boundChart({ debate, threshold }: Overview): Chart {
  const steps = debate ?? []
  const least = Math.min(threshold, ...steps.map(({ lower }) => lower))
  const from = Math.max(0, Math.floor(least * 10) / 10)
  const ticks = Array.from({ length: Math.round((1 - from) * 10) + 1 }, (_, at) => from + at / 10)
  const rounds = Math.max(2, steps.length)
  return {
    title: 'The bound of that debate',
    xTitle: 'round',
    yTitle: 'L',
    x: { from: 1, to: rounds, ticks: Array.from({ length: rounds }, (_, at) => at + 1), text: String },
    y: { from, to: 1, ticks, text: (value) => decimal(value, 1) },
    series: [{ name: 'L', look: 'line', points: steps.map(({ lower }, at) => [at + 1, lower] as const) }],
    rules: [{ at: threshold, name: `1 - alpha = ${decimal(threshold, 3)}`, look: 'dashed', colour: '#c00000' }],
  }
}
