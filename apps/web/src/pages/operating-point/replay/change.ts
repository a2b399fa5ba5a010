import type { StoredDebates } from './stored-debates.ts'

/** How two sets of decisions on the same debates differ. */
export interface Change {
  readonly debates: number
  /** Acted on now but not before. */
  readonly more: Outcomes
  /** Acted on before but not now. */
  readonly fewer: Outcomes
  /** Acted on both times, now in an earlier round. */
  readonly earlier: number
  /** Acted on both times, now in a later round. */
  readonly later: number
}

export interface Outcomes {
  readonly count: number
  readonly right: number
  readonly wrong: number
  readonly unlabelled: number
}

/** `before` and `now` have the round in which each debate is acted on, from 1; 0 if it is deferred. */
export function changeOf(stored: StoredDebates, before: Uint8Array, now: Uint8Array): Change {
  const more = { count: 0, right: 0, wrong: 0, unlabelled: 0 }
  const fewer = { count: 0, right: 0, wrong: 0, unlabelled: 0 }
  let [earlier, later] = [0, 0]
  for (const [row, round] of now.entries()) {
    const was = before[row] ?? 0
    if (was === round) continue
    if (was > 0 && round > 0) {
      if (round < was) earlier += 1
      else later += 1
      continue
    }
    const outcomes = was === 0 ? more : fewer
    outcomes.count += 1
    outcomes[outcomeAt(stored, row, Math.max(was, round))] += 1
  }
  return { debates: now.length, more, fewer, earlier, later }
}

function outcomeAt({ isLabelled, isRightAt }: StoredDebates, row: number, round: number) {
  if (isLabelled[row] !== 1) return 'unlabelled'
  return isRightAt(row, round) ? 'right' : 'wrong'
}
