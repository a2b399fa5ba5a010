import { clopperPearsonInterval } from '@quorate/certificate'
import type { Share } from '../../contract/figures.ts'

/** How decisions of one certificate came out; changes as they come. */
export interface DecisionTally {
  acted: number
  decided: number
  /** Rounds held, of all debates together. */
  rounds: number
  readonly deferred: Map<string, number>
}

export function emptyTally(): DecisionTally {
  return { acted: 0, decided: 0, rounds: 0, deferred: new Map() }
}

export interface Counted {
  readonly kind: 'act' | 'defer'
  readonly reason: string | null
  readonly rounds: number
}

export function countDecision(tally: DecisionTally, { kind, reason, rounds }: Counted): void {
  tally.decided += 1
  tally.rounds += rounds
  if (kind === 'act') tally.acted += 1
  else tally.deferred.set(reason ?? '', (tally.deferred.get(reason ?? '') ?? 0) + 1)
}

/** With its 95 % interval; null of nothing. */
export function shareOf(count: number, of: number): Share | null {
  if (of === 0) return null
  const { lower, upper } = clopperPearsonInterval(count, of, 0.95)
  return { count, of, share: count / of, lower, upper }
}
