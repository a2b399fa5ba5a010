import type { DebateView } from 'quorate/contract'
import { comparedText } from 'quorate/figures'
import { DataText } from '../../parts/data-text.tsx'
import { TEXT } from '../../text/english.ts'

/** The decision in words, with the numbers that made it. */
export function Words({ view }: { readonly view: DebateView }) {
  const { kind, answer, reason, verdict, bound, threshold, gold } = view
  const numbers = bound === null || threshold === null ? null : comparedText(bound, threshold)
  if (kind === 'act' && answer !== null) {
    return (
      <>
        {TEXT.debate.acts(verdict?.round ?? view.rounds ?? 0)}{' '}
        <strong>
          <DataText text={answer} />
        </strong>
        {numbers === null ? '.' : `: ${TEXT.debate.actsBecause(...numbers)}`}{' '}
        {gold === null ? null : gold === answer ? TEXT.debate.actedRight : TEXT.debate.actedWrong}
      </>
    )
  }
  if (kind === 'defer') {
    return (
      <>
        {TEXT.debate.defers} (<DataText text={reason ?? ''} />
        ): {TEXT.parts.reasons[reason ?? ''] ?? reason}
        {numbers === null ? '.' : `; ${TEXT.debate.bestBound(heldText(view), ...numbers)}`}
      </>
    )
  }
  if (view.isHidden) return TEXT.debate.hidden
  return verdict?.kind === 'continue' ? TEXT.debate.goesOn : TEXT.debate.undecided
}

/** Rounds whose bounds were looked at, as the command line counts them. */
function heldText({ verdict, rounds }: DebateView): string {
  return TEXT.debate.heldRounds(verdict?.path.length ?? rounds ?? 0)
}
