import { comparedText, linearScale, probabilitySpan } from 'quorate/figures'
import { Missing } from './rate.tsx'
import '../style/data-text.css'
import '../style/figure.css'

const WIDTH = 96
const HEIGHT = 14

interface BoundBarProps {
  readonly bound: number | null
  readonly threshold: number | null
  /** Shows the number with its threshold: 0.87 ≥ 0.86. */
  readonly isPair?: boolean
  /** The decision. A score that reaches its threshold may still be deferred. */
  readonly kind?: 'act' | 'defer'
}

/** A score or bound as a bar against its threshold, with its number. The threshold looks the same on every page. */
export function BoundBar({ bound, threshold, isPair = false, kind }: BoundBarProps) {
  if (threshold === null) return <Missing why="no bound" />
  const scale = linearScale(probabilitySpan(threshold), { from: 0, to: WIDTH })
  const [text, needed] = comparedText(bound ?? threshold, threshold)
  const isReached = bound !== null && bound >= threshold
  return (
    <span className="bound-bar">
      <svg className="figure" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <rect className="track" x="0" y="3" width={WIDTH} height="8" />
        {bound === null ? null : (
          <rect
            className={kind ?? (isReached ? 'act' : 'defer')}
            x="0"
            y="3"
            width={Math.max(0, scale(bound))}
            height="8"
          />
        )}
        <line className="threshold" x1={scale(threshold)} x2={scale(threshold)} y1="0" y2={HEIGHT} />
      </svg>{' '}
      {bound === null ? (
        <Missing why="no bound" />
      ) : (
        <span>{isPair ? `${text} ${isReached ? '≥' : '<'} ${needed}` : text}</span>
      )}{' '}
      {isPair ? null : <span className="hidden">against the threshold {needed}</span>}
    </span>
  )
}
