import './open-outcomes.css'
import type { labelsWith } from './option-keys.ts'
import { QUEUE_TEXT } from './queue-words.ts'
import { ANSWER_ID, outcomeId } from './session/outcomes.ts'
import { reviewSession } from './session/use-review-session.ts'

interface LabelSearchProps {
  readonly words: string
  readonly setWords: (words: string) => void
  readonly found: ReturnType<typeof labelsWith>
  readonly hasKeys: boolean
}

/** Enter chooses the first label found. A second Enter submits it. */
export function LabelSearch({ words, setWords, found, hasKeys }: LabelSearchProps) {
  const choose = () => {
    const [first] = found
    if (first === undefined) return
    reviewSession.choose({ kind: 'option', option: first.option.name })
    document.getElementById(outcomeId(first.index))?.focus()
  }
  return (
    <div className="label-search">
      <label htmlFor={ANSWER_ID}>
        {QUEUE_TEXT.findLabel} {hasKeys ? <kbd>T</kbd> : null}
      </label>
      <input
        id={ANSWER_ID}
        type="search"
        autoComplete="off"
        value={words}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
          if (event.key !== 'Enter') return
          event.preventDefault()
          choose()
        }}
      />
      <span className="soft" role="status">
        {found.length === 0 ? QUEUE_TEXT.noLabel : QUEUE_TEXT.labelsFound(found.length)}
      </span>
    </div>
  )
}
