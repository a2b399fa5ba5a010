import type { MonitorView } from 'quorate/contract'
import { countText, percentText } from 'quorate/figures'
import { dayText } from 'quorate/record'
import { Chart, Tip } from '../../parts/chart.tsx'
import { ENOUGH } from '../../parts/enough.ts'

type Period = MonitorView['periods'][number]

interface RateChartProps {
  readonly periods: readonly Period[]
  readonly suspensions: MonitorView['suspensions']
  readonly beta: number
  readonly now: number
}

const TOP = 22
const BOTTOM = 206
const LEFT = 48
const RIGHT = 10
const HOUR = 3_600_000
const STEPS = [HOUR, 6 * HOUR, 24 * HOUR, 48 * HOUR, 168 * HOUR, 336 * HOUR, 730 * HOUR, 2190 * HOUR, 8760 * HOUR]
/** A label of the time axis needs so much room. */
const TICK_ROOM = 74

/** One chart for all periods: rates of periods are never pooled, and suspensions are hatched. */
export function RateChart({ periods, suspensions, beta, now }: RateChartProps) {
  const from = Math.min(...periods.map((period) => Math.min(period.from, period.history[0]?.at ?? period.from)))
  const to = Math.max(now, ...periods.flatMap(({ history }) => history.at(-1)?.at ?? []))
  const shown = periods.flatMap(({ history }) =>
    history.filter(({ sampled }) => sampled >= ENOUGH).map(({ rate }) => rate),
  )
  const most = Math.min(1, Math.max(2 * beta, 1.2 * Math.max(0, ...shown)))
  const last = periods.at(-1)
  const label = `Wrong actions of all questions since ${dayText(from)}, ${periods.length === 1 ? '1 period' : `${periods.length} periods`}. ${last === undefined ? '' : sentenceOf(last)}`
  return (
    <Chart
      label={label}
      height={232}
      draw={(width) => {
        const x = (at: number) => LEFT + ((at - from) / Math.max(1, to - from)) * (width - LEFT - RIGHT)
        const y = (share: number) => BOTTOM - (Math.min(share, most) / most) * (BOTTOM - TOP)
        return (
          <>
            {[0, most / 2, most].map((share) => (
              <g key={share}>
                <line className="grid" x1={LEFT} x2={width - RIGHT} y1={y(share)} y2={y(share)} />
                <text className="end" x={LEFT - 6} y={y(share) + 4}>
                  {percentText(share)} %
                </text>
              </g>
            ))}
            {ticksOf(from, to, width).map((at) => (
              <text key={at} className="middle" x={x(at)} y="224">
                {to - from < 48 * HOUR ? timeText(at) : dayText(at)}
              </text>
            ))}
            {periods.map((period, index) => (
              <PeriodLines key={period.number} period={period} isOld={index < periods.length - 1} x={x} y={y} />
            ))}
            {suspensions
              .filter((one) => (one.to ?? to) > from)
              .map((one) => (
                <Hatch key={one.from} left={x(Math.max(from, one.from))} right={x(one.to ?? to)} />
              ))}
            <line className="limit" x1={LEFT} x2={width - RIGHT} y1={y(beta)} y2={y(beta)} />
            <text className="strong" x={LEFT + 4} y={y(beta) - 5}>
              beta {percentText(beta)} %
            </text>
            {periods.map((period) => (
              <PeriodStart key={period.number} period={period} x={Math.max(LEFT, x(period.from))} width={width} />
            ))}
            {periods.map((period) => (
              <Points key={period.number} period={period} x={x} y={y} width={width} />
            ))}
          </>
        )
      }}
    />
  )
}

interface Scales {
  readonly period: Period
  readonly x: (at: number) => number
  readonly y: (share: number) => number
}

/** The band from the first label on, the line from 30 on. */
function PeriodLines({ period: { history }, isOld, x, y }: Scales & { readonly isOld: boolean }) {
  if (history.length === 0) return null
  const above = history.map(({ at, upper }) => `${x(at)},${y(upper)}`)
  const below = history.map(({ at, lower }) => `${x(at)},${y(lower)}`).reverse()
  const line = history.filter(({ sampled }) => sampled >= ENOUGH).map(({ at, rate }) => `${x(at)},${y(rate)}`)
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
  const isNarrow = width - x < 50
  return (
    <g className="point" tabIndex={0}>
      <title>{`${what}${who}${start.note === null ? '' : `: ${start.note}`}`}</title>
      <line className="note" x1={x} x2={x} y1="14" y2={BOTTOM} />
      <text className={isNarrow ? 'end' : ''} x={isNarrow ? x - 4 : x + 4} y="14">
        Period {number}
      </text>
    </g>
  )
}

function Points({ period, x, y, width }: Scales & { readonly width: number }) {
  const { history, number } = period
  return history.map((point, index) => {
    const at = x(point.at)
    const next = history[index + 1]
    const room = Math.max(4, next === undefined ? 8 : x(next.at) - at)
    const few = point.sampled < ENOUGH ? ' (too few)' : ''
    return (
      <g key={point.sampled} className="point">
        <rect className="hit" x={at - room / 2} y={TOP} width={room} height={BOTTOM - TOP} />
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

/** Lines at 45 degrees, cut to the rectangle. */
function Hatch({ left, right }: { readonly left: number; readonly right: number }) {
  const width = Math.max(2, right - left)
  const height = BOTTOM - TOP
  const count = Math.ceil((width + height) / HATCH)
  const path = Array.from({ length: count }, (_, index) => {
    const along = (index + 1) * HATCH
    const [x1, y1] = along <= height ? [0, height - along] : [along - height, 0]
    const [x2, y2] = along <= width ? [along, height] : [width, height - (along - width)]
    return `M${left + x1} ${TOP + y1}L${left + x2} ${TOP + y2}`
  })
  return <path className="hatch" d={path.join('')} />
}

function ticksOf(from: number, to: number, width: number): readonly number[] {
  const most = Math.max(2, Math.floor((width - LEFT) / TICK_ROOM))
  const step = STEPS.find((one) => (to - from) / one <= most) ?? STEPS.at(-1) ?? HOUR
  const first = Math.ceil(from / step) * step
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step)
}

/** 14:00, in UTC as the days are. */
function timeText(at: number): string {
  return new Date(at).toISOString().slice(11, 16)
}

/** What a period came to, in words. */
export function sentenceOf({ number, wrong, uniform }: Period): string {
  if (wrong === null || uniform === null) return `Period ${number}: no spot check is counted yet.`
  const of = `${countText(wrong.count)} of ${countText(wrong.of)}`
  if (wrong.of < ENOUGH) return `Period ${number}: ${of} spot checks, too few to say.`
  return `Period ${number}: ${percentText(uniform.rate ?? wrong.share)} %, ${of}, at most ${percentText(uniform.upper)} %.`
}
