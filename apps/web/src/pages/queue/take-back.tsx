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

/** The server measures the time to undo by its own clock, so the panel's answer arrives a little later. */
const REVEAL_MS = 6000

/** Explains when a blind reviewer sees the panel's answer: after the time to undo, or after a second reading. */
export function PanelLater({ submission }: { readonly submission: Submission }) {
  const isOver = useNow(1000) > submission.undoUntil + REVEAL_MS
  if (!isUnrevealed(submission)) return null
  return <> {isOver ? WORDS.panelHidden : WORDS.panelLater}</>
}

/** Undoes a submission while there is time. After that, it retracts it, with a confirmation. */
export function TakeBack({ submission, isBusy, keyText, onTakeBack }: TakeBackProps) {
  const most = useSession().data?.undoMs ?? Number.POSITIVE_INFINITY
  // The time left never exceeds the whole time to undo, even if our clock is wrong.
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
