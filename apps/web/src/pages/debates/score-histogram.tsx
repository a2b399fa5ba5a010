import type { DebateSummary } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { type PointerEvent, useRef, useState } from 'react'
import { Chart, Tip } from '../../parts/chart.tsx'
import { Mark } from '../../parts/mark.tsx'
import { Term } from '../../parts/term.tsx'

const TOP = 14
const BOTTOM = 66
/** The distance between labels of the axis. */
const STEP = 0.1

interface ScoreHistogramProps {
  readonly summary: DebateSummary
  /** Filters by the range that the user dragged over. */
  readonly choose: (from: number, to: number) => void
}

/** How far scores are from the threshold. A bar with a wrong action has a cross above it. Dragging filters. */
export function ScoreHistogram({ summary, choose }: ScoreHistogramProps) {
  const { bars, acted, deferred, wrong, hidden } = summary
  const [dragged, setDragged] = useState<readonly [number, number] | null>(null)
  const plot = useRef<SVGRectElement>(null)
  if (bars.length === 0) return null
  const barWidth = bars[0] === undefined ? 0.02 : bars[0].to - bars[0].from
  const from = Math.min(-barWidth, ...bars.map((bar) => bar.from))
  const to = Math.max(barWidth, ...bars.map((bar) => bar.to))
  const most = Math.max(...bars.map((bar) => bar.acted + bar.deferred))
  /** The edge of a bar that is nearest to the pointer. */
  const edgeAt = ({ clientX }: PointerEvent) => {
    const box = plot.current?.getBoundingClientRect()
    if (box === undefined || box.width === 0) return 0
    const share = Math.max(0, Math.min(1, (clientX - box.left) / box.width))
    return Math.round((from + share * (to - from)) / barWidth) * barWidth
  }
  const end = () => {
    setDragged(null)
    if (dragged === null) return
    const [low = 0, high = 0] = [...dragged].sort((left, right) => left - right)
    if (high > low) choose(low, high)
  }
  return (
    <section className="section histogram">
      <p className="legend">
        <strong>
          Score minus <Term name="threshold">threshold</Term>
        </strong>
        <span>
          <Mark name="act" /> {countText(acted)} act
        </span>
        <span>
          <Mark name="defer" /> {countText(deferred)} defer
        </span>
        {wrong === 0 ? null : (
          <span>
            <Mark name="wrong" /> {countText(wrong)} wrong
          </span>
        )}
        {hidden === 0 ? null : (
          <span>
            <Mark name="none" /> {countText(hidden)} hidden
          </span>
        )}
        <span className="only-wide">drag to filter</span>
      </p>
      <Chart
        label={`Score minus threshold: ${countText(acted)} acted on, ${countText(deferred)} deferred, ${countText(wrong)} wrong.`}
        height={84}
        draw={(width) => {
          const x = (value: number) => ((value - from) / (to - from)) * width
          return (
            <g
              className="drag"
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId)
                setDragged([edgeAt(event), edgeAt(event)])
              }}
              onPointerMove={(event) => {
                if (dragged !== null) setDragged([dragged[0], edgeAt(event)])
              }}
              onPointerUp={end}
              onPointerCancel={() => setDragged(null)}
            >
              <rect ref={plot} className="hit" x="0" y="0" width={width} height={BOTTOM} />
              <line className="axis" x1="0" x2={width} y1={BOTTOM} y2={BOTTOM} />
              {bars.map((bar) => (
                <Bar key={bar.from} bar={bar} x={x} most={most} />
              ))}
              {dragged === null ? null : (
                <rect
                  className="dragged"
                  x={x(Math.min(...dragged))}
                  y="0"
                  width={Math.abs(x(dragged[1]) - x(dragged[0]))}
                  height={BOTTOM}
                />
              )}
              {bars.map((bar) => (
                <BarTip key={bar.from} bar={bar} x={x} within={width} />
              ))}
              <line className="floor" x1={x(0)} x2={x(0)} y1="0" y2={BOTTOM} />
              {ticksOf(from, to)
                .filter((at) => at === 0 || Math.abs(x(at) - x(0)) > 56)
                .map((at) => (
                  <text
                    key={at}
                    className={at === 0 ? 'strong middle' : 'middle'}
                    x={Math.min(width - 30, Math.max(at === 0 ? 30 : 14, x(at)))}
                    y="80"
                  >
                    {at === 0 ? 'threshold' : `${at > 0 ? '+' : ''}${at.toFixed(1)}`}
                  </text>
                ))}
            </g>
          )
        }}
      />
      <details className="numbers">
        <summary>Show as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Score minus threshold</th>
              <th scope="col" className="number">
                Act
              </th>
              <th scope="col" className="number">
                Defer
              </th>
              <th scope="col" className="number">
                Wrong
              </th>
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.from}>
                <th scope="row">
                  <button type="button" className="link" onClick={() => choose(bar.from, bar.to)}>
                    {bar.from.toFixed(2)} to {bar.to.toFixed(2)}
                  </button>
                </th>
                <td className="number">{countText(bar.acted)}</td>
                <td className="number">{countText(bar.deferred)}</td>
                <td className="number">{countText(bar.wrong)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}

interface BarPlace {
  readonly bar: DebateSummary['bars'][number]
  readonly x: (value: number) => number
}

function Bar({ bar, x, most }: BarPlace & { readonly most: number }) {
  const height = (count: number) => (count / most) * (BOTTOM - TOP)
  const [left, width] = edgesOf({ bar, x })
  const [low, high] = [height(bar.deferred), height(bar.acted)]
  return (
    <g>
      <rect className="defer" x={left} y={BOTTOM - low} width={width} height={low} />
      <rect className="act" x={left} y={BOTTOM - low - high} width={width} height={high} />
      {bar.wrong === 0 ? null : <path className="wrong" d={`M${left + width / 2 - 3} 2l6 6m0 -6l-6 6`} />}
    </g>
  )
}

/** Rendered after all bars, so that no bar covers the tooltip. */
function BarTip({ bar, x, within }: BarPlace & { readonly within: number }) {
  const [left, width] = edgesOf({ bar, x })
  return (
    <g className="point">
      <rect className="hit" x={left} y={TOP} width={width} height={BOTTOM - TOP} />
      <Tip
        x={left + width / 2}
        y={TOP}
        within={within}
        lines={[
          `${bar.from.toFixed(2)} to ${bar.to.toFixed(2)}`,
          `${countText(bar.acted)} act, ${countText(bar.deferred)} defer, ${countText(bar.wrong)} wrong`,
        ]}
      />
    </g>
  )
}

function edgesOf({ bar, x }: BarPlace): readonly [number, number] {
  return [x(bar.from) + 1, Math.max(2, x(bar.to) - x(bar.from) - 2)]
}

function ticksOf(from: number, to: number): readonly number[] {
  const first = Math.ceil(from / STEP)
  return Array.from({ length: Math.floor(to / STEP) - first + 1 }, (_, index) => (first + index) * STEP || 0)
}
