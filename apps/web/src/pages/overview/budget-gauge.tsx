import type { CountedShare } from 'quorate/contract'
import { countText, percentText } from 'quorate/figures'
import { Chart, Tip } from '../../parts/chart.tsx'
import { declaredText, ENOUGH } from '../../parts/number-text.ts'

interface BudgetGaugeProps {
  readonly beta: number
  readonly wrong: CountedShare
  readonly rate: number
  readonly lower: number
  readonly upper: number
  readonly level: number
}

const EDGE = 8
const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2]
const MAX_TICKS = 6

/** The share of questions acted on and wrong, with the band that is valid at every moment, against beta. */
export function BudgetGauge({ beta, wrong, rate, lower, upper, level }: BudgetGaugeProps) {
  const isFew = wrong.of < ENOUGH
  const least = Math.min(1, Math.max(beta * 1.2, rate * 1.2, Math.min(upper, beta * 2)))
  const step = STEPS.find((one) => least / one <= MAX_TICKS) ?? 0.2
  const count = Math.min(Math.round(1 / step), Math.ceil(least / step - 1e-9))
  const most = count * step
  const ticks = Array.from({ length: count + 1 }, (_, index) => index * step)
  const figures = `${percentText(rate)} %, ${countText(wrong.count)} of ${countText(wrong.of)} spot checks`
  const label = `Wrong actions: ${figures}, between ${percentText(lower)} % and ${percentText(upper)} %. Allowed: ${declaredText(beta)} %.`
  return (
    <Chart
      label={label}
      height={86}
      draw={(width) => {
        const x = (share: number) => EDGE + (Math.min(share, most) / most) * (width - 2 * EDGE)
        const end = x(upper)
        return (
          <>
            {ticks.map((tick, index) => (
              <g key={tick}>
                <line className="grid" x1={x(tick)} x2={x(tick)} y1="24" y2="62" />
                <text className={index === 0 ? '' : index === count ? 'end' : 'middle'} x={x(tick)} y="78">
                  {declaredText(tick)} %
                </text>
              </g>
            ))}
            <rect className="track" x={x(0)} y="34" width={x(most) - x(0)} height="18" />
            <g className="point" tabIndex={0}>
              <rect className="band" x={x(lower)} y="34" width={Math.max(1, end - x(lower))} height="18" />
              <rect className="hit" x={x(lower)} y="26" width={Math.max(8, end - x(lower))} height="34" />
              {isFew ? (
                <circle className="hollow" cx={x(rate)} cy="43" r="6" />
              ) : (
                <>
                  <path className="wrong" d={`M${x(rate) - 5} 38l10 10m0 -10l-10 10`} />
                  <text className="strong" x={x(rate) + 11} y="47">
                    {percentText(rate)} %
                  </text>
                </>
              )}
              <Tip
                x={x(rate)}
                y={56}
                within={width}
                lines={[
                  isFew ? `${figures} (too few)` : figures,
                  `${percentText(lower)} % to ${percentText(upper)} % at every moment (${Number((level * 100).toFixed(1))} %)`,
                ]}
              />
            </g>
            <line className="limit" x1={x(beta)} x2={x(beta)} y1="20" y2="62" />
            <text className={`strong ${x(beta) > width / 2 ? 'end' : ''}`} x={x(beta)} y="13">
              beta {declaredText(beta)} % allowed
            </text>
          </>
        )
      }}
    />
  )
}
