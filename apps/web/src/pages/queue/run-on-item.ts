import type { Command } from './key-commands.ts'
import { isSameOutcome, NOTE_ID, outcomeId, outcomesOf } from './outcomes.ts'
import { handOf, type ReviewState } from './review-state.ts'
import { reviewSession } from './use-review-session.ts'

/** What a key does to the item in hand. */
export function runOnItem(command: Command, state: ReviewState): void {
  const hand = handOf(state)
  if (hand === null) return
  const outcomes = outcomesOf(hand.item)
  const choose = (index: number) => {
    const outcome = outcomes[index]
    if (outcome === undefined || state.work !== null) return
    reviewSession.choose(outcome)
    // The radio button says itself what was chosen.
    document.getElementById(outcomeId(index))?.focus()
  }
  const chosen = outcomes.findIndex((outcome) => isSameOutcome(hand.draft.outcome, outcome))
  const { length } = outcomes
  if (command.kind === 'option') choose(command.index)
  else if (command.kind === 'cannot-tell') choose(length - 2)
  else if (command.kind === 'bad-question') choose(length - 1)
  else if (command.kind === 'next-option') choose((chosen + 1) % length)
  else if (command.kind === 'previous-option') choose(chosen < 0 ? length - 1 : (chosen + length - 1) % length)
  else if (command.kind === 'note') document.getElementById(NOTE_ID)?.focus()
  else if (command.kind === 'skip') void reviewSession.skip()
  else if (command.kind === 'release') void reviewSession.release()
}
