import { clopperPearsonInterval } from '@quorate/certificate'
import type { CountedShare } from '../../../contract/figures.ts'
import type { DecisionCount } from '../../../store/decisions/monitor-records.ts'
import type { Store } from '../../../store/store.ts'

/** Counts of the decisions of one certificate, made by any process. */
export interface DecisionTally {
  readonly acted: number
  readonly decided: number
  /** Rounds debated, in total. */
  readonly rounds: number
  /** Only questions that could have been acted on: a round that is not debated because nothing may act is no saving. */
  readonly debated: { readonly decided: number; readonly rounds: number }
  readonly deferred: Readonly<Record<string, number>>
}

const NOTHING_MAY_ACT: ReadonlySet<string | null> = new Set(['suspended', 'budget-infeasible', 'uncalibrated'])

/** `certificateId` null: there is none, so nothing is decided. `hidden` is subtracted. */
export async function readTally(
  { monitor }: Store,
  certificateId: string | null,
  hidden: readonly DecisionCount[] = [],
): Promise<DecisionTally> {
  const all = certificateId === null ? [] : await monitor.counts(certificateId)
  const counts = all.map((count) => without(count, hidden)).filter(({ decided }) => decided > 0)
  const sum = (of: typeof counts, part: 'decided' | 'rounds') => of.reduce((total, count) => total + count[part], 0)
  const deferred = counts.filter(({ kind }) => kind === 'defer')
  const debated = counts.filter(({ reason }) => !NOTHING_MAY_ACT.has(reason))
  return {
    debated: { decided: sum(debated, 'decided'), rounds: sum(debated, 'rounds') },
    acted: sum(counts, 'decided') - sum(deferred, 'decided'),
    decided: sum(counts, 'decided'),
    rounds: sum(counts, 'rounds'),
    deferred: Object.fromEntries(deferred.map(({ reason, decided }) => [reason ?? '', decided])),
  }
}

/** Never negative, although the two counts are read one after the other. */
function without(count: DecisionCount, hidden: readonly DecisionCount[]): DecisionCount {
  const left = hidden.find(({ kind, reason }) => kind === count.kind && reason === count.reason)
  if (left === undefined) return count
  const decided = Math.max(0, count.decided - left.decided)
  return { ...count, decided, rounds: Math.max(0, count.rounds - left.rounds) }
}

/** The share with its 95 % interval; null if `of` is 0. */
export function shareOf(count: number, of: number): CountedShare | null {
  if (of === 0) return null
  const { lower, upper } = clopperPearsonInterval(count, of, 0.95)
  return { count, of, share: count / of, lower, upper }
}
