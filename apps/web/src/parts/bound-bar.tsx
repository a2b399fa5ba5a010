import { comparedText, linearScale, probabilitySpan } from 'quorate/figures'
import { TEXT } from '../text/english.ts'
import { Missing } from './rate.tsx'
import '../style/data-text.css'
import '../style/figure.css'

const WIDTH = 96
const HEIGHT = 14

interface BoundBarProps {
  readonly bound: number | null
  readonly threshold: number | null
}

/** The bound as one bar against its line, with its number; the line looks the same everywhere. */
export function BoundBar({ bound, threshold }: BoundBarProps) {
  if (threshold === null) return <Missing why={TEXT.parts.noBound} />
  const scale = linearScale(probabilitySpan(threshold), { from: 0, to: WIDTH })
  const [text, line] = comparedText(bound ?? threshold, threshold)
  const kind = bound !== null && bound >= threshold ? 'act' : 'defer'
  return (
    <span className="bound-bar">
      <svg className="figure" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <rect className="track" x="0" y="3" width={WIDTH} height="8" />
        {bound === null ? null : <rect className={kind} x="0" y="3" width={scale(bound)} height="8" />}
        <line className="threshold" x1={scale(threshold)} x2={scale(threshold)} y1="0" y2={HEIGHT} />
      </svg>{' '}
      {bound === null ? <Missing why={TEXT.parts.noBound} /> : <span>{text}</span>}{' '}
      <span className="hidden">{TEXT.parts.line(line)}</span>
    </span>
  )
}
