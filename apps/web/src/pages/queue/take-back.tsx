import { useSession } from '../../api/queries.ts'
import { QUEUE_TEXT } from './queue-words.ts'
import { isUnrevealed, type Submission } from './session/review-state.ts'
import { useNow } from './session/use-review-session.ts'

const WORDS = QUEUE_TEXT

interface TakeBackProps {
  readonly submission: Submission
  readonly isBusy: boolean
  readonly keyText: string | null
  readonly onTakeBack: (id: string) => void
}

/** The server keeps the time to undo by its own clock, so that the answer comes a little later. */
const REVEAL_MS = 6000

/** When a blind reviewer sees what the panel said: after the time to undo or, of a question that two people read, after both. */
export function PanelLater({ submission }: { readonly submission: Submission }) {
  const isOver = useNow(1000) > submission.undoUntil + REVEAL_MS
  if (!isUnrevealed(submission)) return null
  return <> {isOver ? WORDS.panelHidden : WORDS.panelLater}</>
}

/** Undo while its seconds run, then a retraction that asks first. */
export function TakeBack({ submission, isBusy, keyText, onTakeBack }: TakeBackProps) {
  const most = useSession().data?.undoMs ?? Number.POSITIVE_INFINITY
  // By the server's clock it never is more than the whole of it, whatever ours says.
  const seconds = Math.ceil(Math.min(most, submission.undoUntil - useNow(250)) / 1000)
  if (submission.isRetracted) return <span className="soft">{WORDS.retracted}</span>
  const isUndo = seconds > 0
  return (
    <button
      type="button"
      className={isUndo ? 'undo' : 'undo quiet'}
      disabled={isBusy}
      onClick={() => onTakeBack(submission.item.id)}
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
