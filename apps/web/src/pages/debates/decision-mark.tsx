import type { DebateRow } from 'quorate/contract'
import { DataText } from '../../parts/data-text.tsx'
import { type Outcome, OutcomeMark } from '../../parts/outcome-mark.tsx'
import { TEXT } from '../../text/english.ts'

type Decided = Pick<DebateRow, 'kind' | 'answer' | 'reason' | 'gold' | 'status' | 'isHidden'>

/** Acts, defers or was wrong: a shape, a colour and a word each. */
export function DecisionMark({ row }: { readonly row: Decided }) {
  const outcome = outcomeOf(row)
  if (outcome === null) {
    return <span className="soft">– {row.isHidden ? TEXT.debates.hidden : TEXT.parts.undecided}</span>
  }
  return (
    <>
      <span className={`outcome is-${outcome}`}>
        <OutcomeMark outcome={outcome} /> {TEXT.parts.decision[outcome]}
      </span>
      <span className="interval">
        {row.kind === 'act' && row.answer !== null ? <DataText text={row.answer} /> : null}
        {row.kind === 'defer' && row.reason !== null ? (
          <DataText text={TEXT.parts.reasons[row.reason] ?? row.reason} />
        ) : null}
      </span>
    </>
  )
}

/** Null: nothing was decided. */
export function outcomeOf({ kind, answer, gold }: Decided): Outcome | null {
  if (kind === 'act' && gold !== null && answer !== gold) return 'wrong'
  return kind
}
