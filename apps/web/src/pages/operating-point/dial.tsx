import type { DialPoint } from '@quorate/certificate'
import { countText, percentText } from 'quorate/figures'
import { Chart, Tip } from '../../parts/chart.tsx'
import { declaredText } from '../../parts/number-text.ts'
import { Term } from '../../parts/term.tsx'
import { Slider } from './slider.tsx'

interface DialProps {
  readonly name: 'beta' | 'floor'
  readonly title: string
  readonly value: number
  readonly points: readonly DialPoint[]
  /** The number of stored debates that the shares refer to. */
  readonly of: number
  readonly isBinding: boolean
  /** Names the axis and the fixed dial. */
  readonly along: string
  /** What limits the share where this dial is flat; empty if nothing does. */
  readonly other: string
  readonly change: (value: number) => void
}

/** A change below one percentage point counts as none. */
export const SMALLEST_CHANGE = 0.01

/** One dial: its value, a slider, and the share acted on along it. */
export function Dial(props: DialProps) {
  const { name, title, value, points, isBinding, along, change } = props
  const label = `Acts on against ${along}: ${points.map((point) => `${percentText(point.act)} % at ${declaredText(point.value)} %`).join(', ')}`
  return (
    <div className={`dial ${isBinding ? 'is-binding' : ''}`}>
      <header>
        <h3>
          <Term name={name}>{name === 'beta' ? 'Beta' : 'Floor'}</Term>: {title}
        </h3>
        {points.length === 0 ? null : (
          <span className={`chip ${isBinding ? 'is-ink' : ''}`}>{isBinding ? 'this one binds' : 'room left'}</span>
        )}
      </header>
      <div className="dial-value">
        <p className="value">{declaredText(value)} %</p>
        <Slider name={name} value={value} isUnused={false} isTotal change={change} />
      </div>
      {points.length === 0 ? null : (
        <Chart label={label} height={142} draw={(width) => <DialCurve {...props} width={width} />} />
      )}
      <details className="numbers" hidden={points.length === 0}>
        <summary>Show as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{name}</th>
              <th scope="col" className="number">
                Acts on
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.value}>
                <th scope="row">{declaredText(point.value)} %</th>
                <td className="number">{percentText(point.act)} %</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  )
}

const TOP = 24
const BOTTOM = 108
const LEFT = 44
const RIGHT = 14

/** The share acted on along the dial. The part where a looser dial changes nothing is shaded. */
function DialCurve({ name, value, points, of, along, other, width }: DialProps & { readonly width: number }) {
  const now = points.find((point) => point.value === value)
  const [from = 0, to = 1] = [points[0]?.value, points.at(-1)?.value]
  const flat = flatFrom(name, points)
  const loosest = name === 'beta' ? to : from
  const x = (at: number) => LEFT + ((at - from) / Math.max(1e-9, to - from)) * (width - LEFT - RIGHT)
  const y = (act: number) => BOTTOM - act * (BOTTOM - TOP)
  return (
    <>
      {flat === null ? null : (
        <>
          <rect
            className="flat"
            x={Math.min(x(flat), x(loosest))}
            y={TOP}
            width={Math.abs(x(loosest) - x(flat))}
            height={BOTTOM - TOP}
          />
          <text className="middle" x={(x(flat) + x(loosest)) / 2} y={BOTTOM - 8}>
            {other === '' ? 'flat' : `flat: ${other}`}
          </text>
        </>
      )}
      {[0, 0.5, 1].map((act) => (
        <g key={act}>
          <line className="grid" x1={LEFT} x2={width - RIGHT} y1={y(act)} y2={y(act)} />
          <text className="end" x={LEFT - 6} y={y(act) + 4}>
            {act * 100} %
          </text>
        </g>
      ))}
      <text x={LEFT} y="12">
        acts on, of {countText(of)} stored debates
      </text>
      <polyline className="act-line" points={points.map((point) => `${x(point.value)},${y(point.act)}`).join(' ')} />
      <line className="limit" x1={x(value)} x2={x(value)} y1={TOP} y2={BOTTOM} />
      {points.map((point) => (
        <g key={point.value} className="point">
          <rect className="hit" x={x(point.value) - 8} y={TOP} width="16" height={BOTTOM - TOP} />
          <circle className="act" cx={x(point.value)} cy={y(point.act)} r={point.value === value ? 5 : 3} />
          <Tip
            x={x(point.value)}
            y={TOP}
            within={width}
            lines={[
              `${percentText(point.act)} % acted on`,
              `${countText(Math.round(point.act * of))} of ${countText(of)}, ${name} ${declaredText(point.value)} %`,
            ]}
          />
        </g>
      ))}
      {now === undefined ? null : (
        <text className="strong" x={Math.min(x(value) + 8, width - 80)} y={Math.max(TOP + 10, y(now.act) - 8)}>
          {percentText(now.act)} % now
        </text>
      )}
      <text x={LEFT} y="122">
        {declaredText(from)} %
      </text>
      <text className="end" x={width - RIGHT} y="122">
        {declaredText(to)} %
      </text>
      <text className="middle" x={(LEFT + width - RIGHT) / 2} y="136">
        {along}
      </text>
    </>
  )
}

/** The value from which a looser dial changes nothing; null if every step changes something. */
function flatFrom(name: 'beta' | 'floor', points: readonly DialPoint[]): number | null {
  const looser = name === 'beta' ? points : points.toReversed()
  const last = looser.at(-1)
  if (last === undefined) return null
  const first = looser.findIndex(({ act }) => Math.abs(act - last.act) < SMALLEST_CHANGE)
  return first < 0 || first >= looser.length - 1 ? null : (looser[first]?.value ?? null)
}
