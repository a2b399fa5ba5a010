import { tallyRun } from '../runs/run-tally.ts'
import type { SharedRun } from '../store/shared-store.ts'
import type { QuestionStatus, Run, Spend, Store } from '../store/store.ts'

/** What only reading all questions and calls of a run tells. */
export interface RunCounts {
  readonly statuses: Readonly<Record<QuestionStatus, number>>
  readonly spend: Spend
  /** How old the counts are; 0: they were counted now. */
  readonly countedMsAgo: number
  /** Between the last two counts; null before there are two. */
  readonly speed: Speed | null
}

export interface Speed {
  readonly debatesPerSecond: number
  readonly callsPerSecond: number
}

export interface RunCounter {
  of(run: Pick<Run, 'id'>, shared: SharedRun): Promise<RunCounts>
}

/** Whoever watches a run takes at most this share of the time of one connection for it. */
const MOST_SHARE = 0.05

interface Counted extends Pick<RunCounts, 'statuses' | 'spend' | 'speed'> {
  readonly at: number
  readonly tookMs: number
}

/** Counts again when the last time is long enough ago for how long it took: a large run is not read over and over. */
export function createRunCounts(store: Store, elapsed: () => number): RunCounter {
  const known = new Map<string, Counted>()
  const count = async (runId: string, before: Counted | undefined): Promise<Counted> => {
    const start = elapsed()
    const [{ statuses }, spend] = await Promise.all([tallyRun(store, runId), store.calls.spend(runId)])
    const at = elapsed()
    return { statuses, spend, at, tookMs: at - start, speed: speedOf({ statuses, spend, at }, before) }
  }
  return {
    async of({ id }, shared) {
      const before = known.get(id)
      const isFresh = before !== undefined && elapsed() - before.at < before.tookMs / MOST_SHARE
      const counted = isFresh ? before : await count(id, before)
      known.set(id, counted)
      const { statuses, speed, at } = counted
      const spend = isFresh ? laterSpend(counted.spend, shared) : counted.spend
      return { statuses, spend, speed, countedMsAgo: isFresh ? elapsed() - at : 0 }
    },
  }
}

function speedOf({ statuses, spend, at }: Omit<Counted, 'speed' | 'tookMs'>, before: Counted | undefined) {
  const seconds = (at - (before?.at ?? at)) / 1000
  if (before === undefined || !(seconds > 0)) return null
  return {
    debatesPerSecond: (before.statuses.pending - statuses.pending) / seconds,
    callsPerSecond: (spend.calls.answered - before.spend.calls.answered) / seconds,
  }
}

/** The row of a run with a cap has its money to the last commit, unless a single process has the run for itself. */
function laterSpend(counted: Spend, { capMicroUsd, committedMicroUsd, reservedMicroUsd }: SharedRun): Spend {
  if (capMicroUsd === null || committedMicroUsd < counted.committedMicroUsd) return counted
  return { ...counted, committedMicroUsd, reservedMicroUsd }
}
