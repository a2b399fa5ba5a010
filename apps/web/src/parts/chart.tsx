import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import '../style/chart.css'

interface ChartProps {
  /** Describes the chart to people who do not see it. */
  readonly label: string
  readonly height: number
  /** Called for every new width, because a chart is laid out again and not scaled. */
  readonly draw: (width: number) => ReactNode
}

const MIN_WIDTH = 260

/** A chart that is as wide as its container. */
export function Chart({ label, height, draw }: ChartProps) {
  const frame = useRef<HTMLElement>(null)
  const width = useWidth(frame)
  return (
    <figure ref={frame} className="chart-frame">
      <svg
        className="chart"
        role="img"
        aria-label={label}
        width={width ?? MIN_WIDTH}
        height={height}
        viewBox={`0 0 ${width ?? MIN_WIDTH} ${height}`}
      >
        {width === null ? null : draw(width)}
      </svg>
    </figure>
  )
}

/** The current width of an element in pixels; null before the first layout. */
export function useWidth(frame: React.RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null)
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    const measure = () => setWidth(Math.max(MIN_WIDTH, Math.floor(element.clientWidth)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  return width
}

interface TipProps {
  readonly x: number
  readonly y: number
  /** Width of the chart, which the tooltip must not exceed. */
  readonly within: number
  readonly lines: readonly string[]
}

/** Estimated width of a letter in pixels. */
const TIP_LETTER = 6.2

/** Shown while its group is hovered or focused. */
export function Tip({ x, y, within, lines }: TipProps) {
  const width = Math.max(...lines.map((line) => line.length)) * TIP_LETTER + 20
  const left = Math.max(0, Math.min(within - width, x + 10 + width > within ? x - 10 - width : x + 10))
  return (
    <g className="tip">
      <rect x={left} y={y} width={width} height={lines.length * 15 + 10} rx="4" />
      {lines.map((line, index) => (
        <text key={line} className={index === 0 ? 'strong' : ''} x={left + 10} y={y + 17 + index * 15}>
          {line}
        </text>
      ))}
    </g>
  )
}
