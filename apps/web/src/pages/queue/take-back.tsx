import { useSession } from '../../api/queries.ts'
import { TEXT } from '../../text/english.ts'
import type { Said } from './review-state.ts'
import { useNow } from './use-review-session.ts'

const WORDS = TEXT.queue

interface TakeBackProps {
  readonly said: Said
  readonly isBusy: boolean
  readonly keyText: string | null
  readonly onTakeBack: (id: string) => void
}

/** Undo while its seconds run, then a retraction that asks first. */
export function TakeBack({ said, isBusy, keyText, onTakeBack }: TakeBackProps) {
  const most = useSession().data?.undoMs ?? Number.POSITIVE_INFINITY
  // By the server's clock it never is more than the whole of it, whatever ours says.
  const seconds = Math.ceil(Math.min(most, said.undoUntil - useNow(250)) / 1000)
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
