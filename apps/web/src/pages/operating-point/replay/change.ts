import type { StoredDebates } from './stored-debates.ts'

/** How two ways of deciding the same debates differ. */
export interface Change {
  readonly debates: number
  /** Acted on now and not before. */
  readonly more: Outcomes
  /** Acted on before and not now. */
  readonly fewer: Outcomes
  /** Acted on both times, now earlier or later. */
  readonly earlier: number
  readonly later: number
}

export interface Outcomes {
  readonly count: number
  readonly right: number
  readonly wrong: number
  readonly unlabelled: number
}

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
