import type { ArrivedDebate, DriftReport, DriftWatch, WatchState } from '../../../monitor/drift-watch.ts'

type Name = Omit<ArrivedDebate, 'score'>

/** An arrival with its score; null: it has none and is skipped; undefined: it is still being debated. */
export type ScoredArrival = Name & { readonly arrival: number; readonly score: number | null | undefined }

export interface DriftPlace {
  /** The last arrival that `state` includes. */
  readonly arrival: number
  readonly state: WatchState
}

/** Observes debates in order of arrival. One that is still being debated delays all later ones, whatever their scores are. */
export interface DriftSequence {
  /** Adds a score that this process knows. Only the first score of an arrival counts. */
  scored(arrival: number, debate: Name, score: number | null): void
  /** Reads at most about `most` arrivals from the store, where other processes add them too; true: there may be more. */
  catchUp(most: number): Promise<boolean>
  place(): DriftPlace
  report(): DriftReport
  /** The report after this arrival; null: it is no longer in memory. */
  reportAt(arrival: number): DriftReport | null
}

export interface DriftSequenceParts {
  readonly watch: DriftWatch
  readonly from: DriftPlace
  /** Arrivals from the store, in order and without gaps. */
  readonly read: (page: { readonly after: number; readonly limit: number }) => Promise<readonly ScoredArrival[]>
}

const PAGE = 100
/** Reports of the latest arrivals that stay in memory, at least. */
const MOST_PAST = 20_000

export function createDriftSequence({ watch, from, read }: DriftSequenceParts): DriftSequence {
  const known = new Map<number, ArrivedDebate>()
  let { arrival: last, state } = from
  /** The report after each arrival up to the last one. */
  let past = [watch.view(state)]

  function take(debate: ArrivedDebate): void {
    last += 1
    known.delete(last)
    state = watch.observe(state, [debate])
    past.push(watch.view(state))
    if (past.length >= 2 * MOST_PAST) past = past.slice(-MOST_PAST)
  }

  function advance(): void {
    for (let next = known.get(last + 1); next !== undefined; next = known.get(last + 1)) take(next)
  }

  /** False: the next arrival is still being debated, or there is none. */
  function takeStored(rows: readonly ScoredArrival[]): boolean {
    const before = last
    for (const { arrival, score, ...name } of rows) {
      if (arrival <= last) continue
      if (score === undefined || arrival > last + 1) break
      take({ ...name, score })
      advance()
    }
    return last > before
  }

  return {
    scored(arrival, debate, score) {
      if (arrival <= last || known.has(arrival)) return
      known.set(arrival, { ...debate, score })
      advance()
    },
    async catchUp(most) {
      for (const end = last + most; last < end; ) {
        const nearest = [...known.keys()].reduce((least, next) => Math.min(least, next), Number.POSITIVE_INFINITY)
        const limit = Math.min(PAGE, nearest - last - 1)
        const after = last
        const rows = await read({ after, limit })
        const hasMoved = takeStored(rows) || last > after
        if (!hasMoved || rows.length === 0) return false
      }
      return true
    },
    place: () => ({ arrival: last, state }),
    report: () => watch.view(state),
    reportAt: (arrival) => past.at(Math.min(-1, arrival - last - 1)) ?? null,
  }
}
