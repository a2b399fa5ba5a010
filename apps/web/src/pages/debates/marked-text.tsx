import { visibleText } from 'quorate/figures'
import '../../style/data-text.css'

/** A text of others with the words that were searched for marked; nothing in it is interpreted. */
export function MarkedText({ text, words }: { readonly text: string; readonly words: string }) {
  const shown = visibleText(text)
  const found = words === '' ? -1 : shown.toLowerCase().indexOf(words.toLowerCase())
  return (
    <bdi className="data-text">
      {found < 0 ? (
        shown
      ) : (
        <>
          {shown.slice(0, found)}
          <mark>{shown.slice(found, found + words.length)}</mark>
          {shown.slice(found + words.length)}
        </>
      )}
    </bdi>
  )
}
