import { TEXT } from '../../text/english.ts'
import { commandKey, type LetterCommand } from './key-commands.ts'
import { OutcomeText } from './outcome-text.tsx'
import type { Hand, Work } from './review-state.ts'
import { reviewSession } from './use-review-session.ts'

const WORDS = TEXT.queue

interface FormActionsProps {
  readonly hand: Hand
  readonly work: Work | null
  readonly hasKeys: boolean
}

/** At the bottom, where thumbs are. After the lock ran out the first button claims the item again. */
export function FormActions({ hand, work, hasKeys }: FormActionsProps) {
  const { draft, isExpired } = hand
  const isBusy = work !== null
  const keyOf = (command: LetterCommand) => (hasKeys ? <kbd>{commandKey(command)}</kbd> : null)
  return (
    <div className="actions">
      {isExpired ? (
        <button
          type="button"
          className="primary main-action"
          disabled={isBusy}
          onClick={() => void reviewSession.claimAgain()}
        >
          {work === 'claim' ? WORDS.claiming : WORDS.claimAgain}
        </button>
      ) : (
        <button
          type="submit"
          className="primary main-action"
          aria-disabled={draft.outcome === null || isBusy}
          title={draft.outcome === null ? WORDS.chooseFirst : undefined}
        >
          {work === 'submit' ? WORDS.submitting : draft.outcome === null ? WORDS.choose : WORDS.submit}
          {draft.outcome === null ? null : (
            <span className="submits">
              <OutcomeText outcome={draft.outcome} />
            </span>
          )}
          {hasKeys ? <kbd>Enter</kbd> : null}
        </button>
      )}
      <button type="button" title={WORDS.skipTitle} disabled={isBusy} onClick={() => void reviewSession.skip()}>
        {WORDS.skip} {keyOf('skip')}
      </button>
      <button type="button" title={WORDS.releaseTitle} disabled={isBusy} onClick={() => void reviewSession.release()}>
        {WORDS.release} {keyOf('release')}
      </button>
    </div>
  )
}
