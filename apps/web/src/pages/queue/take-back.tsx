import { TEXT } from '../../text/english.ts'
import type { Said } from './desk-state.ts'
import { useNow } from './use-desk.ts'

const WORDS = TEXT.queue

interface TakeBackProps {
  readonly said: Said
  readonly isBusy: boolean
  readonly keyText: string | null
  readonly onTakeBack: (id: string) => void
}

/** Undo while its seconds run, then a retraction that asks first. */
export function TakeBack({ said, isBusy, keyText, onTakeBack }: TakeBackProps) {
  const seconds = Math.ceil((said.undoUntil - useNow(250)) / 1000)
  if (said.isRetracted) return <span className="soft">{WORDS.retracted}</span>
  const isUndo = seconds > 0
  return (
    <button
      type="button"
      className={isUndo ? 'undo' : 'undo quiet'}
      disabled={isBusy}
      onClick={() => onTakeBack(said.item.id)}
    >
      {isUndo ? WORDS.undo : WORDS.retract}{' '}
      {isUndo ? (
        <span className="seconds" role="timer" aria-live="off">
          {WORDS.undoLeft(seconds)}
        </span>
      ) : null}{' '}
      {keyText === null ? null : <kbd>{keyText}</kbd>}
    </button>
  )
}
