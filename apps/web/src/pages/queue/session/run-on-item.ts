import type { Command } from '../key-commands.ts'
import {
  ANSWER_ID,
  GRADES,
  graded,
  gradeId,
  gradeOf,
  isSameOutcome,
  NOTE_ID,
  outcomeId,
  outcomesOf,
} from './outcomes.ts'
import { type Claim, claimOf, type ReviewState } from './review-state.ts'
import { reviewSession } from './use-review-session.ts'

/** Runs the command of a key on the current item. */
export function runOnItem(command: Command, state: ReviewState): void {
  const claim = claimOf(state)
  if (claim === null) return
  const outcomes = outcomesOf(claim.item)
  const choose = (index: number) => {
    const outcome = outcomes[index]
    if (outcome === undefined || state.work !== null) return
    reviewSession.choose(outcome)
    // A focused radio button is announced by screen readers.
    document.getElementById(outcomeId(index))?.focus()
  }
  const chosen = outcomes.findIndex((outcome) => isSameOutcome(claim.draft.outcome, outcome))
  const { length } = outcomes
  if (command.kind === 'option' && claim.item.asks.kind === 'grades') gradeCurrent(claim, command.index)
  else if (command.kind === 'option') choose(command.index)
  else if (command.kind === 'type') document.getElementById(ANSWER_ID)?.focus()
  else if (command.kind === 'cannot-tell') choose(length - 2)
  else if (command.kind === 'bad-question') choose(length - 1)
  else if (command.kind === 'next-option') choose((chosen + 1) % length)
  else if (command.kind === 'previous-option') choose(chosen < 0 ? length - 1 : (chosen + length - 1) % length)
  else if (command.kind === 'note') document.getElementById(NOTE_ID)?.focus()
  else if (command.kind === 'skip') void reviewSession.skip()
  else if (command.kind === 'release') void reviewSession.release()
}

/** Grades the focused answer, or else the first one without a grade. Then it focuses the next one without a grade. */
function gradeCurrent({ item, draft }: Claim, index: number): void {
  const grade = GRADES[index]
  if (item.asks.kind !== 'grades' || grade === undefined) return
  const { candidates } = item.asks
  const focused = candidates.findIndex((_, at) =>
    GRADES.some((__, of) => document.activeElement?.id === gradeId(at, of)),
  )
  const ungraded = candidates.findIndex(({ id }) => gradeOf(draft.outcome, id) === undefined)
  const current = focused >= 0 ? focused : Math.max(0, ungraded)
  const candidate = candidates[current]
  if (candidate === undefined) return
  const outcome = graded(item, draft.outcome, { answer: candidate.id, right: grade.right })
  reviewSession.choose(outcome)
  const next = candidates.findIndex(({ id }) => gradeOf(outcome, id) === undefined)
  document.getElementById(next >= 0 ? gradeId(next, 0) : gradeId(current, index))?.focus()
}
