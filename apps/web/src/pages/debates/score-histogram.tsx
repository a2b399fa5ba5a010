import type { DebateSummary } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { Chart, Tip } from '../../parts/chart.tsx'
import { Mark } from '../../parts/mark.tsx'
import { Term } from '../../parts/term.tsx'

const TOP = 14
const BOTTOM = 66

/** How far scores are from the threshold; a wrong action has a cross above its bar. */
export function ScoreHistogram({ summary }: { readonly summary: DebateSummary }) {
  const { bars, acted, deferred, wrong } = summary
  if (bars.length === 0) return null
  const from = Math.min(-0.02, ...bars.map((bar) => bar.from))
  const to = Math.max(0.02, ...bars.map((bar) => bar.to))
  const most = Math.max(...bars.map((bar) => bar.acted + bar.deferred))
  const label = `Score minus threshold: ${countText(acted)} acted on, ${countText(deferred)} deferred, ${countText(wrong)} wrong.`
  return (
    <section className="section histogram">
      <p className="legend">
        <strong>
          Score minus <Term name="threshold">threshold</Term>
        </strong>
        <span>
          <Mark name="act" /> {countText(acted)} acted on
        </span>
        <span>
          <Mark name="defer" /> {countText(deferred)} deferred
        </span>
        {wrong === 0 ? null : (
          <span>
            <Mark name="wrong" /> {countText(wrong)} wrong
          </span>
        )}
      </p>
      <Chart
        label={label}
        height={84}
        draw={(width) => {
          const x = (value: number) => ((value - from) / (to - from)) * width
          const height = (count: number) => (count / most) * (BOTTOM - TOP)
          return (
            <>
              <line className="axis" x1="0" x2={width} y1={BOTTOM} y2={BOTTOM} />
              {bars.map((bar) => {
                const [left, wide] = [x(bar.from) + 1, Math.max(2, x(bar.to) - x(bar.from) - 2)]
                const [low, high] = [height(bar.deferred), height(bar.acted)]
                return (
                  <g key={bar.from} className="point">
                    <rect className="hit" x={left} y={TOP} width={wide} height={BOTTOM - TOP} />
                    <rect className="defer" x={left} y={BOTTOM - low} width={wide} height={low} />
                    <rect className="act" x={left} y={BOTTOM - low - high} width={wide} height={high} />
                    {bar.wrong === 0 ? null : <path className="wrong" d={`M${left + wide / 2 - 3} 2l6 6m0 -6l-6 6`} />}
                    <Tip
                      x={left + wide / 2}
                      y={TOP}
                      within={width}
                      lines={[
                        `${bar.from.toFixed(2)} to ${bar.to.toFixed(2)}`,
                        `${countText(bar.acted)} acted on, ${countText(bar.deferred)} deferred, ${countText(bar.wrong)} wrong`,
                      ]}
                    />
                  </g>
                )
              })}
              <line className="floor" x1={x(0)} x2={x(0)} y1="0" y2={BOTTOM} />
              <text className="strong middle" x={Math.min(width - 30, Math.max(30, x(0)))} y="80">
                threshold
              </text>
              <text x="0" y="80">
                {from.toFixed(2)}
              </text>
              <text className="end" x={width} y="80">
                +{to.toFixed(2)}
              </text>
            </>
          )
        }}
      />
    </section>
  )
}
