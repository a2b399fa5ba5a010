import { TEXT } from '../../text/english.ts'

const WIDTH = 180
const HEIGHT = 16
/** The line stands here, so that a wealth beyond it still shows. */
const LINE_AT = 150

interface WealthBarProps {
  readonly wealth: number
  readonly alarmAt: number
}

/** Wealth multiplies, so its scale is logarithmic: from 1 (nothing is known) to the line and beyond. */
export function WealthBar({ wealth, alarmAt }: WealthBarProps) {
  const share = Math.max(0, Math.log(wealth)) / Math.log(alarmAt)
  const end = Math.min(WIDTH, Math.max(0, share * LINE_AT) || 0)
  const isAlarm = wealth >= alarmAt
  return (
    <span className="bound-bar">
      <svg className="figure" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <rect className="track" x="0" y="4" width={WIDTH} height="8" />
        <rect className={isAlarm ? 'wrong' : 'slack'} x="0" y="4" width={end} height="8" />
        <line className="threshold" x1={LINE_AT} x2={LINE_AT} y1="0" y2={HEIGHT} />
      </svg>{' '}
      <span>{TEXT.overview.wealth(wealthText(wealth), wealthText(alarmAt))}</span>
    </span>
  )
}

function wealthText(wealth: number): string {
  if (wealth >= 10_000) return wealth.toExponential(1)
  return wealth >= 100 || Number.isInteger(wealth) ? wealth.toFixed(0) : wealth.toFixed(2)
}
