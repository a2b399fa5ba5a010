import { commandKey, type LetterCommand } from './key-commands.ts'
import { OutcomeText } from './outcome-text.tsx'
import { QUEUE_TEXT } from './queue-words.ts'
import { isComplete } from './session/outcomes.ts'
import type { Claim, Work } from './session/review-state.ts'
import { reviewSession } from './session/use-review-session.ts'

const WORDS = QUEUE_TEXT

/** The buttons at the bottom, in reach of a thumb. After the claim has expired, the first one claims the item again. */
export function FormActions({
  claim,
  work,
  hasKeys,
}: {
  readonly claim: Claim
  readonly work: Work | null
  readonly hasKeys: boolean
}) {
  const { draft, isExpired } = claim
  const outcome = isComplete(claim.item, draft.outcome) ? draft.outcome : null
  const isChoice = claim.item.asks.kind === 'option'
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
          aria-disabled={outcome === null || isBusy}
          title={outcome === null ? WORDS.chooseFirst : undefined}
        >
          {work === 'submit'
            ? WORDS.submitting
            : outcome === null
              ? isChoice
                ? WORDS.choose
                : WORDS.answerFirst
              : WORDS.submit}
          {outcome === null ? null : (
            <span className="submits">
              <OutcomeText outcome={outcome} />
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
