import { visibleText } from 'quorate/figures'
import { shownText } from './shown-text.ts'
import '../style/data-text.css'

/** A name or a short text of others, on one line, kept apart from the direction of what stands beside it. */
export function DataText({ text }: { readonly text: string }) {
  return <bdi className="data-text">{visibleText(text)}</bdi>
}

/** A text of others with its own lines; nothing in it is interpreted. */
export function DataBlock({ text, className = '' }: { readonly text: string; readonly className?: string }) {
  return (
    <div className={`data-block ${className}`} dir="auto">
      {shownText(text)}
    </div>
  )
}
