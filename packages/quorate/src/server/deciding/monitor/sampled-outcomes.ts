import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RateChange, SpotCheck, Store } from '../../../store/store.ts'

/**
 * The spot checks for a certificate since the monitors began, in memory: a page of the monitor must not read all of them again.
 */
export interface SampledOutcomes {
  /** What changed: its decision or its label. */
  touch(runId: string, questionId: string): void
  /** Something that had arrived is left out: it no longer counts. */
  passOver(): void
  /** Up to date with what was touched and what is new, in order of arrival. */
  read(): Promise<ReadBook>
  /** Reads all of it again: other processes write labels too. */
  reload(): Promise<void>
}

export interface ReadBook {
  readonly spotChecks: readonly SpotCheck[]
  readonly rates: readonly RateChange[]
  readonly arrivals: number
}

const PAGE = 500

/** `certificateId` null: there is none, and nothing arrives. */
export function createSampledOutcomes(
  { runs }: Store,
  { certificateId, since }: { readonly certificateId: string | null; readonly since: number },
): SampledOutcomes {
  if (certificateId === null) return NO_BOOK
  let spotChecks = new Map<number, SpotCheck>()
  let arrivalOf = new Map<string, number>()
  let last = since
  let touched = new Set<string>()
  let rates: readonly RateChange[] = []
  /** The last arrival whose rate is known. */
  let rated = since
  let isStale = false
  let line: Promise<unknown> = Promise.resolve()

  async function readOn(of: string): Promise<void> {
    for (;;) {
      const page = await runs.spotChecks({ certificateId: of, after: last, limit: PAGE })
      for (const spotCheck of page) keep(spotCheck)
      last = Math.max(last, page.at(-1)?.arrival ?? 0)
      if (page.length < PAGE) return
      // Requests wait meanwhile.
      await nextTurn()
    }
  }

  function keep(spotCheck: SpotCheck): void {
    spotChecks.set(spotCheck.arrival, spotCheck)
    arrivalOf.set(keyOf(spotCheck.runId, spotCheck.questionId), spotCheck.arrival)
  }

  /** Most of them stand together: a page has them all. */
  async function readAgain(of: string, keys: ReadonlySet<string>): Promise<void> {
    let arrivals = [...keys].flatMap((key) => arrivalOf.get(key) ?? []).sort((left, right) => left - right)
    for (let [first] = arrivals; first !== undefined; [first] = arrivals) {
      const limit = Math.min(PAGE, arrivals.length)
      const page = await runs.spotChecks({ certificateId: of, after: first - 1, limit })
      for (const spotCheck of page) if (spotCheck.arrival <= last) keep(spotCheck)
      const end = page.at(-1)?.arrival ?? Number.POSITIVE_INFINITY
      arrivals = arrivals.filter((arrival) => arrival > end)
    }
  }

  async function readRates(of: string): Promise<number> {
    if (isStale) {
      isStale = false
      rates = []
      rated = since
    }
    const arrivals = await runs.arrivals(of)
    const changes = await runs.rates({ certificateId: of, after: rated })
    // A stretch is told again from wherever it is asked for; what arrived meanwhile is asked for the next time.
    rates = [...rates, ...changes.filter(({ from }) => from <= arrivals)].filter(
      ({ spotCheckRate }, at, all) => spotCheckRate !== all[at - 1]?.spotCheckRate,
    )
    rated = Math.max(rated, arrivals)
    return arrivals
  }

  async function read(of: string): Promise<ReadBook> {
    const changed = touched
    touched = new Set()
    await readOn(of)
    await readAgain(of, changed)
    const arrivals = await readRates(of)
    return { spotChecks: [...spotChecks.values()].filter(({ arrival }) => arrival <= arrivals), rates, arrivals }
  }

  /** One after the other: each goes on from where the last one was. */
  function inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = line.then(work, work)
    line = done.catch(() => undefined)
    return done
  }

  return {
    touch: (runId, questionId) => touched.add(keyOf(runId, questionId)),
    passOver() {
      isStale = true
    },
    read: () => inOrder(() => read(certificateId)),
    reload: () =>
      inOrder(async () => {
        spotChecks = new Map()
        arrivalOf = new Map()
        last = since
        isStale = true
        await readOn(certificateId)
      }),
  }
}

const NO_BOOK: SampledOutcomes = Object.freeze({
  touch: () => undefined,
  passOver: () => undefined,
  read: async () => ({ spotChecks: [], rates: [], arrivals: 0 }),
  reload: async () => undefined,
})

function keyOf(runId: string, questionId: string): string {
  return `${runId} ${questionId}`
}
