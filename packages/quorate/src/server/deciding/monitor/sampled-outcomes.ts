import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RateChange, SpotCheck, Store } from '../../../store/store.ts'
import { createInOrder } from './in-order.ts'

/**
 * The spot checks of a certificate since its monitors restarted. They stay in memory, so that the page of the monitor does not
 * read all of them again.
 */
export interface SampledOutcomes {
  /** The decision or the label of this question changed. */
  touch(runId: string, questionId: string): void
  /** A question that had arrived no longer counts. */
  arrivalsChanged(): void
  /** Reads new and touched spot checks and returns all, in order of arrival. */
  read(): Promise<ReadOutcomes>
  /** Reads everything again, because other processes write labels too. */
  reload(): Promise<void>
}

export interface ReadOutcomes {
  readonly spotChecks: readonly SpotCheck[]
  readonly rates: readonly RateChange[]
  readonly arrivals: number
}

const PAGE = 500

/** `certificateId` null: there is none, so nothing arrives. */
export function createSampledOutcomes(
  { runs }: Store,
  { certificateId, since }: { readonly certificateId: string | null; readonly since: number },
): SampledOutcomes {
  if (certificateId === null) return NO_OUTCOMES
  let spotChecks = new Map<number, SpotCheck>()
  let arrivalOf = new Map<string, number>()
  let last = since
  let touched = new Set<string>()
  let rates: readonly RateChange[] = []
  /** The last arrival whose rate is known. */
  let rated = since
  let isStale = false
  const inOrder = createInOrder()

  async function readOn(of: string): Promise<void> {
    for (;;) {
      const page = await runs.spotChecks({ certificateId: of, after: last, limit: PAGE })
      for (const spotCheck of page) keep(spotCheck)
      last = Math.max(last, page.at(-1)?.arrival ?? 0)
      if (page.length < PAGE) return
      // Other requests get a turn in between.
      await nextTurn()
    }
  }

  function keep(spotCheck: SpotCheck): void {
    spotChecks.set(spotCheck.arrival, spotCheck)
    arrivalOf.set(keyOf(spotCheck.runId, spotCheck.questionId), spotCheck.arrival)
  }

  /** Most touched arrivals are close to each other, so a page usually contains them all. */
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
    // The store repeats the rate at the first arrival that is asked for. Later arrivals than `arrivals` are read the next time.
    rates = [...rates, ...changes.filter(({ from }) => from <= arrivals)].filter(
      ({ spotCheckRate }, at, all) => spotCheckRate !== all[at - 1]?.spotCheckRate,
    )
    rated = Math.max(rated, arrivals)
    return arrivals
  }

  async function read(of: string): Promise<ReadOutcomes> {
    const changed = touched
    touched = new Set()
    await readOn(of)
    await readAgain(of, changed)
    const arrivals = await readRates(of)
    return { spotChecks: [...spotChecks.values()].filter(({ arrival }) => arrival <= arrivals), rates, arrivals }
  }

  return {
    touch: (runId, questionId) => touched.add(keyOf(runId, questionId)),
    arrivalsChanged() {
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

const NO_OUTCOMES: SampledOutcomes = Object.freeze({
  touch: () => undefined,
  arrivalsChanged: () => undefined,
  read: async () => ({ spotChecks: [], rates: [], arrivals: 0 }),
  reload: async () => undefined,
})

function keyOf(runId: string, questionId: string): string {
  return `${runId} ${questionId}`
}
