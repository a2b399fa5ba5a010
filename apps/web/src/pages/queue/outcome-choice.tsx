import type { ReviewOutcome } from 'quorate/contract'
import { DataBlock } from '../../parts/data-text.tsx'
import { OutcomeText } from './outcome-text.tsx'

interface OutcomeChoiceProps {
  readonly id: string
  readonly outcome: ReviewOutcome
  /** Of the option, beside its name. */
  readonly text: string | null
  readonly isChosen: boolean
  /** Null: it has none, or keys are off. */
  readonly keyText: string | null
  readonly onChoose: () => void
}

/** A real radio button; all of its row can be pressed. */
export function OutcomeChoice({ id, outcome, text, isChosen, keyText, onChoose }: OutcomeChoiceProps) {
  return (
    <label className={`choice ${isChosen ? 'chosen' : ''}`} htmlFor={id}>
      <input
        type="radio"
        id={id}
        name="outcome"
        checked={isChosen}
        onChange={onChoose}
        aria-keyshortcuts={keyText ?? undefined}
      />
      <span className="choice-text">
        <span className="choice-name">
          <OutcomeText outcome={outcome} />
        </span>
        {text === null ? null : <DataBlock text={text} />}
      </span>
      {keyText === null ? null : (
        <span className="key" aria-hidden="true">
          <kbd>{keyText}</kbd>
        </span>
      )}
    </label>
  )
}
