import { type Drawing, inlineSvg, markupText } from 'quorate/figures'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import '../style/data-text.css'
import '../style/figure.css'

interface FigureProps {
  /** Called again with every new width: figures are laid out anew, never shrunk. */
  readonly draw: (width: number) => Drawing
  readonly className?: string
  /** Kept free until the figure stands. */
  readonly minHeight?: 'low' | 'high'
}

const LEAST_WIDTH = 260

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

function useWidth(frame: React.RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null)
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    const measure = () => setWidth(Math.max(LEAST_WIDTH, Math.floor(element.clientWidth)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  return width
}
