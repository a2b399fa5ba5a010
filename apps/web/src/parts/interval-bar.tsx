import { percentText } from 'quorate/figures'
import '../style/chart.css'
import { declaredText } from './number-text.ts'

interface IntervalBarProps {
  /** Where the axis begins; it ends at 1. */
  readonly from: number
  readonly share: number
  readonly lower: number
  readonly upper: number
  readonly floor: number | null
  readonly kind: 'act' | 'defer' | 'few'
}

const HEIGHT = 16

/** A share with its interval against the floor, as wide as its container. A vertical line marks the floor. */
export function IntervalBar({ from, share, lower, upper, floor, kind }: IntervalBarProps) {
  const x = (value: number) => `${((Math.max(from, Math.min(1, value)) - from) / (1 - from)) * 100}%`
  const at = x(share)
  const label = `${percentText(share)} %, between ${percentText(lower)} % and ${percentText(upper)} %${floor === null ? '' : `, floor ${declaredText(floor)} %`}`
  return (
    <svg className="chart interval-bar" role="img" aria-label={label} height={HEIGHT}>
      <title>{label}</title>
      <rect className="track" x="0" y="5" width="100%" height="6" />
      <line className={`interval-line is-${kind}`} x1={x(lower)} x2={x(upper)} y1="8" y2="8" />
      {floor === null ? null : <line className="floor" x1={x(floor)} x2={x(floor)} y1="0" y2={HEIGHT} />}
      {kind === 'act' ? <circle className="act" cx={at} cy="8" r="4.5" /> : null}
      {kind === 'defer' ? (
        <svg x={at} y="8" overflow="visible" aria-hidden="true">
          <path className="defer" d="M0 -5l5 5l-5 5l-5 -5Z" />
        </svg>
      ) : null}
      {kind === 'few' ? <circle className="hollow" cx={at} cy="8" r="4.5" /> : null}
    </svg>
  )
}
