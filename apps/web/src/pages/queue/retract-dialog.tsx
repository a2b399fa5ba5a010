import { Modal } from '../../parts/modal.tsx'
import { TEXT } from '../../text/english.ts'
import { OutcomeText } from './outcome-text.tsx'
import type { Said } from './review-state.ts'
import { reviewSession } from './use-review-session.ts'

const WORDS = TEXT.queue

interface RetractDialogProps {
  /** What may be retracted; null: nothing is asked. */
  readonly said: Said | null
  readonly onClose: () => void
}

export function RetractDialog({ said, onClose }: RetractDialogProps) {
  return (
    <Modal title={WORDS.retractTitle} isOpen={said !== null} onClose={onClose}>
      {said === null ? null : (
        <>
          <p>
            {WORDS.youSaid}{' '}
            <strong>
              <OutcomeText outcome={said.outcome} />
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
                void reviewSession.undo(said.item.id)
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
