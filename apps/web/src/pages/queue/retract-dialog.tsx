import { Modal } from '../../parts/modal.tsx'
import { OutcomeText } from './outcome-text.tsx'
import { QUEUE_TEXT } from './queue-words.ts'
import type { Submission } from './session/review-state.ts'
import { reviewSession } from './session/use-review-session.ts'

const WORDS = QUEUE_TEXT

interface RetractDialogProps {
  /** The submission to retract; null while the dialog is closed. */
  readonly submission: Submission | null
  readonly onClose: () => void
}

export function RetractDialog({ submission, onClose }: RetractDialogProps) {
  return (
    <Modal title={WORDS.retractTitle} isOpen={submission !== null} onClose={onClose}>
      {submission === null ? null : (
        <>
          <p>
            {WORDS.youSaid}{' '}
            <strong>
              <OutcomeText outcome={submission.outcome} />
            </strong>
            .
          </p>
          <p>{WORDS.retractWhy}</p>
          <p className="buttons">
            <button type="button" onClick={onClose}>
              {WORDS.keep}
            </button>
            <button
              type="button"
              className="primary"
              onClick={() => {
                void reviewSession.undo(submission.item.id)
                onClose()
              }}
            >
              {WORDS.retractYes}
            </button>
          </p>
        </>
      )}
    </Modal>
  )
}
