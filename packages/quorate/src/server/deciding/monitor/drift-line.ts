import type { ArrivedDebate, DriftReport, DriftWatch, WatchState } from '../../../monitor/drift-watch.ts'

type Name = Omit<ArrivedDebate, 'score'>

/** What is known of an arrival: its score, null where it has none and is passed over, undefined while it is debated. */
export type ScoredArrival = Name & { readonly arrival: number; readonly score: number | null | undefined }

export interface DriftPlace {
  /** The last arrival that is taken in. */
  readonly arrival: number
  readonly state: WatchState
}

/** Debates in order of arrival: who is still being debated holds up those behind, whatever their scores are. */
export interface DriftLine {
  /** What this process knows at once. The first one counts. */
  scored(arrival: number, debate: Name, score: number | null): void
  /** Takes in what others know, up to so many arrivals; true: there may be more. */
  catchUp(most: number): Promise<boolean>
  place(): DriftPlace
  report(): DriftReport
  /** As it was after this arrival; null: no longer known. */
  reportAt(arrival: number): DriftReport | null
}

export interface DriftLineParts {
  readonly watch: DriftWatch
  readonly from: DriftPlace
  /** Arrivals from the store, in order and without gaps. */
  readonly read: (page: { readonly after: number; readonly limit: number }) => Promise<readonly ScoredArrival[]>
}

const PAGE = 100
/** Reports of the latest arrivals that are kept. */
const MOST_PAST = 20_000

export function createDriftLine({ watch, from, read }: DriftLineParts): DriftLine {
  const known = new Map<number, ArrivedDebate>()
  let { arrival: last, state } = from
  /** After each arrival up to the last one. */
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

  /** False: the next one is still being debated, or there is none. */
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
