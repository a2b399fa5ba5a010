import { type Drawing, inlineSvg, markupText } from 'quorate/figures'
import { useId, useRef } from 'react'
import { useWidth } from './chart.tsx'
import '../style/data-text.css'
import '../style/figure.css'

interface FigureProps {
  /** Called again with every new width: figures are laid out again, never shrunk. */
  readonly draw: (width: number) => Drawing
  readonly className?: string
  /** Kept free until the figure stands. */
  readonly minHeight?: 'low' | 'high'
}

/** The one place for drawn markup: it comes from `markup` of quorate/figures, which escapes every text of others. */
export function Figure({ draw, className = '', minHeight = 'low' }: FigureProps) {
  const id = useId()
  const frame = useRef<HTMLElement>(null)
  const width = useWidth(frame)
  const svg = width === null ? '' : markupText(inlineSvg(draw(width), id))
  return (
    <figure
      ref={frame}
      className={`drawn room-${minHeight} ${className}`}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own markup, see above
      dangerouslySetInnerHTML={{ __html: svg }}
    />
  )
}
