import { type Drawing, inlineSvg, markupText } from 'quorate/figures'
import { useId, useRef } from 'react'
import { useWidth } from './chart.tsx'
import '../style/data-text.css'
import '../style/figure.css'

interface FigureProps {
  /** Called for every new width, because a figure is laid out again and not scaled. */
  readonly draw: (width: number) => Drawing
  readonly className?: string
  /** The space that is reserved until the figure is rendered. */
  readonly minHeight?: 'low' | 'high'
}

/** The only place that inserts markup. It comes from `markup` of quorate/figures, which escapes every text from outside. */
export function Figure({ draw, className = '', minHeight = 'low' }: FigureProps) {
  const id = useId()
  const frame = useRef<HTMLElement>(null)
  const width = useWidth(frame)
  const svg = width === null ? '' : markupText(inlineSvg(draw(width), id))
  return (
    <figure
      ref={frame}
      className={`drawn min-height-${minHeight} ${className}`}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own markup, see above
      dangerouslySetInnerHTML={{ __html: svg }}
    />
  )
}
