import '../style/chart.css'

interface RunBarProps {
  readonly acted: number
  readonly deferred: number
  readonly of: number
}

/** Acted on, deferred and left, of all questions; the numbers stand beside it. */
export function RunBar({ acted, deferred, of }: RunBarProps) {
  const x = (count: number) => (of === 0 ? 0 : (count / of) * 120)
  return (
    <svg className="chart run-bar" viewBox="0 0 120 8" height="8" preserveAspectRatio="none" aria-hidden="true">
      <rect className="track" width="120" height="8" />
      <rect className="act" width={x(acted)} height="8" />
      <rect className="defer" x={x(acted)} width={x(deferred)} height="8" />
    </svg>
  )
}
