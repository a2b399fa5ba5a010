import { visibleText } from 'quorate/figures'
import { shownText } from './shown-text.ts'
import '../style/data-text.css'

/** A name or short text from outside, on one line. Its writing direction does not affect the text beside it. */
export function DataText({ text }: { readonly text: string }) {
  return <bdi className="data-text">{visibleText(text)}</bdi>
}

/** A text from outside with its own lines. No markup in it is interpreted. */
export function DataBlock({ text, className = '' }: { readonly text: string; readonly className?: string }) {
  return (
    <div className={`data-block ${className}`} dir="auto">
      {shownText(text)}
    </div>
  )
}
