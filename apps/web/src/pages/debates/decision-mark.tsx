import type { DebateRow } from 'quorate/contract'
import { deferText } from 'quorate/record'
import { DataText } from '../../parts/data-text.tsx'
import { Mark, type Outcome, OutcomeMark } from '../../parts/mark.tsx'

const WORDS = {
  decision: { act: 'Act', defer: 'Defer', wrong: 'Act, wrong' },
} as const

type Decided = Pick<DebateRow, 'kind' | 'answer' | 'answerText' | 'reason' | 'gold' | 'status' | 'isHidden'>

/** A shape, a colour and a word for each outcome: acts, defers or was wrong. */
export function DecisionMark({ row }: { readonly row: Decided }) {
  const outcome = outcomeOf(row)
  if (outcome === null) {
    return row.isHidden ? (
      <>
        <span className="outcome">
          <Mark name="none" /> Hidden
        </span>{' '}
        <span className="interval">until it is reviewed</span>
      </>
    ) : (
      <span className="soft">not decided</span>
    )
  }
  return (
    <>
      <span className={`outcome is-${outcome}`}>
        <OutcomeMark outcome={outcome} /> {WORDS.decision[outcome]}
      </span>{' '}
      <span className="interval">
        {row.kind === 'act' && row.answer !== null ? <DataText text={row.answerText ?? row.answer} /> : null}
        {row.kind === 'defer' && row.reason !== null ? <DataText text={deferText(row.reason)} /> : null}
      </span>
    </>
  )
}

/** Null if nothing was decided. */
export function outcomeOf({ kind, answer, gold }: Decided): Outcome | null {
  if (kind === 'act' && gold !== null && answer !== gold) return 'wrong'
  return kind
}
