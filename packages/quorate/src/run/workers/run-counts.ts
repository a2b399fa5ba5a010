import type { SharedRun } from '../../store/shared-store.ts'
import type { Run, Spend, Store } from '../../store/store.ts'
import { type RunTally, tallyRun } from '../progress.ts'

/** Counts that require reading all questions and calls of a run. */
export interface RunCounts extends Omit<RunTally, 'questions'> {
  readonly spend: Spend
  /** Age of the counts in milliseconds; 0: they were counted now. */
  readonly countedMsAgo: number
  /** From the counts of the last minute; null before there are two. */
  readonly speed: Speed | null
}

export interface Speed {
  readonly overMs: number
  readonly debatesPerSecond: number
  readonly callsPerSecond: number
}

export interface RunCounter {
  of(run: Run, shared: SharedRun): Promise<RunCounts>
}

/** Counting may use at most this share of the time of a database connection. */
const MOST_SHARE = 0.05

/** Over a shorter time a few debates would make the speed jump. Over a longer time it would be out of date. */
const SPEED_MS = 60_000

interface CountedRun extends Omit<RunCounts, 'countedMsAgo'> {
  readonly snapshots: readonly Snapshot[]
  readonly tookMs: number
  /** True: counted after the run ended, so the counts no longer change. */
  readonly isFinal: boolean
}

interface Snapshot {
  readonly at: number
  readonly ended: number
  readonly answered: number
}

/** Counts again only after a time in proportion to how long the last count took, so large runs are rarely read. */
export function createRunCounts(store: Store, elapsed: () => number): RunCounter {
  const known = new Map<string, CountedRun>()
  const count = async ({ id, status }: Run, before: readonly Snapshot[]): Promise<CountedRun> => {
    const start = elapsed()
    const [tally, spend] = await Promise.all([tallyRun(store, id), store.calls.spend(id)])
    const { questions, statuses, acted, deferred } = tally
    const snapshot: Snapshot = { at: elapsed(), ended: questions - statuses.pending, answered: spend.calls.answered }
    // The previous snapshot stays, however old it is, because large runs are rarely counted.
    const snapshots = [
      ...before.filter(({ at }, index) => index === before.length - 1 || snapshot.at - at <= SPEED_MS),
      snapshot,
    ]
    const counts = { statuses, acted, deferred, spend, speed: speedOf(snapshots) }
    return { ...counts, snapshots, tookMs: snapshot.at - start, isFinal: status === 'done' }
  }
  return {
    async of(run, shared) {
      const before = known.get(run.id)
      const msAgo = elapsed() - (before?.snapshots.at(-1)?.at ?? 0)
      const isFinal = before?.isFinal === true && run.status === 'done'
      const isFresh = before !== undefined && (isFinal || msAgo < before.tookMs / MOST_SHARE)
      const counted = isFresh ? before : await count(run, before?.snapshots ?? [])
      known.set(run.id, counted)
      const { snapshots: _, tookMs: __, isFinal: ___, ...counts } = counted
      const spend = isFresh && !isFinal ? laterSpend(counted.spend, shared) : counted.spend
      return { ...counts, spend, countedMsAgo: isFresh && !isFinal ? msAgo : 0 }
    },
  }
}

/** Never negative, even if questions are asked again and become pending. */
function speedOf(snapshots: readonly Snapshot[]): Speed | null {
  const [first, last] = [snapshots[0], snapshots.at(-1)]
  if (first === undefined || last === undefined || !(last.at > first.at)) return null
  const overMs = last.at - first.at
  const perSecond = (count: number) => Math.max(0, count) / (overMs / 1000)
  return {
    overMs,
    debatesPerSecond: perSecond(last.ended - first.ended),
    callsPerSecond: perSecond(last.answered - first.answered),
  }
}

/** The row of a run with a cap has its spend up to the last commit, unless a single process owns the run. */
function laterSpend(counted: Spend, { capMicroUsd, committedMicroUsd, reservedMicroUsd }: SharedRun): Spend {
  if (capMicroUsd === null || committedMicroUsd < counted.committedMicroUsd) return counted
  return { ...counted, committedMicroUsd, reservedMicroUsd }
}
