import type { MonitorView } from 'quorate/contract'
import { atMostText, countText, percentText } from 'quorate/figures'
import { dayText } from 'quorate/record'
import { Chart, Tip } from '../../parts/chart.tsx'
import { declaredText, ENOUGH } from '../../parts/number-text.ts'
import { axisEnd } from './axis-end.ts'

type Period = MonitorView['periods'][number]

const TOP = 22
const BOTTOM = 206
const LEFT = 48
const RIGHT = 10
/** The width of a label of the axis in pixels. */
const TICK_WIDTH = 110
/** A short period is as wide as one with this many counted spot checks. */
const MIN_WIDTH = 30
/** The share of the chart's width that a suspension takes. */
const GAP = 0.04

/**
 * One chart for all periods. Its axis counts spot checks and not time, because the questions of a batch arrive at the same
 * instant. Rates of different periods are never pooled. Suspensions are hatched.
 */
export function RateChart({
  periods,
  suspensions,
  beta,
}: {
  readonly periods: readonly Period[]
  readonly suspensions: MonitorView['suspensions']
  readonly beta: number
}) {
  const shown = periods.flatMap(({ history }) =>
    history.filter(({ sampled }) => sampled >= ENOUGH).map(({ rate }) => rate),
  )
  const most = axisEnd(beta, Math.max(0, ...shown))
  const last = periods.at(-1)
  const label = `Wrong actions of all questions, ${periods.length === 1 ? '1 period' : `${periods.length} periods`}. ${last === undefined ? '' : sentenceOf(last)}`
  return (
    <Chart
      label={label}
      height={232}
      draw={(width) => {
        const layout = layoutOf(periods, suspensions, width)
        const y = (share: number) => BOTTOM - (Math.min(share, most) / most) * (BOTTOM - TOP)
        return (
          <>
            {[0, most / 2, most].map((share) => (
              <g key={share}>
                <line className="grid" x1={LEFT} x2={width - RIGHT} y1={y(share)} y2={y(share)} />
                <text className="end" x={LEFT - 6} y={y(share) + 4}>
                  {declaredText(share)} %
                </text>
              </g>
            ))}
            {layout.periods.map(({ period, x }, index) => (
              <PeriodLines key={period.number} period={period} isOld={index < periods.length - 1} x={x} y={y} />
            ))}
            {layout.gaps.map(({ left, right, suspension }) => (
              <Hatch key={suspension.from} left={left} right={right} suspension={suspension} />
            ))}
            <line className="limit" x1={LEFT} x2={width - RIGHT} y1={y(beta)} y2={y(beta)} />
            <text className="strong" x={LEFT + 4} y={y(beta) - 5}>
              beta {declaredText(beta)} %
            </text>
            {layout.periods.map(({ period, left, right }) => (
              <PeriodStart key={period.number} period={period} x={left} width={right - left} />
            ))}
            {layout.periods.map(({ period, x, left, right }) => (
              <Ticks key={period.number} period={period} x={x} width={right - left} />
            ))}
            {layout.periods.map(({ period, x }) => (
              <Points key={period.number} period={period} x={x} y={y} width={width} />
            ))}
          </>
        )
      }}
    />
  )
}

interface PlacedPeriod {
  readonly period: Period
  readonly left: number
  readonly right: number
  /** The position after this many counted spot checks of the period. */
  readonly x: (sampled: number) => number
}

interface Gap {
  readonly left: number
  readonly right: number
  readonly suspension: Suspended
}

type Suspended = MonitorView['suspensions'][number]

/** Places periods side by side, each as wide as its number of counted spot checks, with the suspensions between them. */
function layoutOf(periods: readonly Period[], suspensions: readonly Suspended[], width: number) {
  const sizes = periods.map(({ history }) => Math.max(MIN_WIDTH, history.at(-1)?.sampled ?? 0))
  const after = periods.map((period, index) => {
    const next = periods[index + 1]?.from ?? Number.POSITIVE_INFINITY
    return suspensions.find(({ from }) => from >= period.from && from < next)
  })
  const gap = GAP * (width - LEFT - RIGHT)
  const all = sizes.reduce((sum, size) => sum + size, 0)
  const unit = (width - LEFT - RIGHT - gap * after.filter((one) => one !== undefined).length) / Math.max(1, all)
  const placed: PlacedPeriod[] = []
  const gaps: Gap[] = []
  let left = LEFT
  for (const [index, period] of periods.entries()) {
    const start = left
    const right = start + unit * (sizes[index] ?? 0)
    placed.push({ period, left: start, right, x: (sampled) => start + unit * sampled })
    left = right
    const suspension = after[index]
    if (suspension === undefined) continue
    gaps.push({ left, right: left + gap, suspension })
    left += gap
  }
  return { periods: placed, gaps }
}

/** Labels with the number of spot checks, and with the day if the period spans several. */
function Ticks({
  period: { history },
  x,
  width,
}: {
  readonly period: Period
  readonly x: (sampled: number) => number
  readonly width: number
}) {
  const last = history.at(-1)
  if (last === undefined) return null
  const count = Math.max(1, Math.min(4, Math.floor(width / TICK_WIDTH)))
  const marked = Array.from({ length: count }, (_, index) => Math.round(((index + 1) * last.sampled) / count))
  return [...new Set(marked)].map((sampled) => {
    const point = history.find((one) => one.sampled >= sampled) ?? last
    const [before] = history
    const hasDays = before !== undefined && dayText(before.at) !== dayText(last.at)
    return (
      <text key={sampled} className="end" x={x(point.sampled)} y="224">
        {hasDays ? `${dayText(point.at)}, ` : ''}n = {countText(point.sampled)}
      </text>
    )
  })
}

interface Scales {
  readonly period: Period
  readonly x: (sampled: number) => number
  readonly y: (share: number) => number
}

/** The band starts at the first label, the line at 30 labels. */
function PeriodLines({ period: { history }, isOld, x, y }: Scales & { readonly isOld: boolean }) {
  if (history.length === 0) return null
  const above = history.map(({ sampled, upper }) => `${x(sampled)},${y(upper)}`)
  const below = history.map(({ sampled, lower }) => `${x(sampled)},${y(lower)}`).reverse()
  const line = history.filter(({ sampled }) => sampled >= ENOUGH).map(({ sampled, rate }) => `${x(sampled)},${y(rate)}`)
  return (
    <>
      <polygon className={`band ${isOld ? 'is-old' : ''}`} points={[...above, ...below].join(' ')} />
      {line.length === 0 ? null : <polyline className={`line ${isOld ? 'is-old' : ''}`} points={line.join(' ')} />}
    </>
  )
}

function PeriodStart({ period, x, width }: { readonly period: Period; readonly x: number; readonly width: number }) {
  const { number, start, certificate } = period
  const what = start.kind === 'release' ? 'Released' : `Activated ${certificate.slice(0, 6)}`
  const who = start.by === null ? '' : ` by ${start.by}`
  return (
    <g className="point" tabIndex={0}>
      <title>{`${what}${who}${start.note === null ? '' : `: ${start.note}`}`}</title>
      <line className="note" x1={x} x2={x} y1="14" y2={BOTTOM} />
      <text x={x + 4} y="14">
        {width < 60 ? number : `Period ${number}`}
      </text>
    </g>
  )
}

function Points({ period, x, y, width }: Scales & { readonly width: number }) {
  const { history, number } = period
  return history.map((point, index) => {
    const at = x(point.sampled)
    const next = history[index + 1]
    const hitWidth = Math.max(4, next === undefined ? 8 : x(next.sampled) - at)
    const few = point.sampled < ENOUGH ? ' (too few)' : ''
    return (
      <g key={point.sampled} className="point">
        <rect className="hit" x={at - hitWidth / 2} y={TOP} width={hitWidth} height={BOTTOM - TOP} />
        <line className="cross" x1={at} x2={at} y1={TOP} y2={BOTTOM} />
        <circle className="halo" cx={at} cy={y(point.rate)} r="4" />
        <Tip
          x={at}
          y={TOP + 8}
          within={width}
          lines={[
            `${dayText(point.at)}, period ${number}`,
            `${percentText(point.rate)} % wrong, ${percentText(point.lower)} % to ${percentText(point.upper)} %`,
            `${countText(point.wrong)} of ${countText(point.sampled)} spot checks${few}`,
          ]}
        />
      </g>
    )
  })
}

const HATCH = 6

/** Lines at 45 degrees, clipped to the rectangle. */
function Hatch({ left, right, suspension }: Gap) {
  const width = Math.max(2, right - left)
  const height = BOTTOM - TOP
  const count = Math.ceil((width + height) / HATCH)
  const path = Array.from({ length: count }, (_, index) => {
    const along = (index + 1) * HATCH
    const [x1, y1] = along <= height ? [0, height - along] : [along - height, 0]
    const [x2, y2] = along <= width ? [along, height] : [width, height - (along - width)]
    return `M${left + x1} ${TOP + y1}L${left + x2} ${TOP + y2}`
  })
  const { from, to, cause, by, note } = suspension
  const what = cause === 'shadow' ? 'In shadow' : 'Suspended'
  return (
    <g className="point" tabIndex={0}>
      <title>{`${what} ${dayText(from)} to ${to === null ? 'now' : dayText(to)}${by === null ? '' : ` by ${by}`}${note === null ? '' : `: ${note}`}`}</title>
      <rect className="hit" x={left} y={TOP} width={width} height={height} />
      <path className="hatch" d={path.join('')} />
    </g>
  )
}

/** The figures of a period as a sentence. */
export function sentenceOf({ number, wrong, uniform }: Period): string {
  if (wrong === null || uniform === null) return `Period ${number}: no spot check is counted yet.`
  const of = `${countText(wrong.count)} of ${countText(wrong.of)}`
  if (wrong.of < ENOUGH) return `Period ${number}: ${of} spot checks, too few to say.`
  return `Period ${number}: ${percentText(uniform.rate ?? wrong.share)} %, ${of}, at most ${atMostText(uniform.upper)} %.`
}
