import type { MonitorView, Period, SuspensionView } from '../../../contract/monitor.ts'
import { storedPromise } from '../../../monitor/promised-rate.ts'
import { riskReport, USUAL_ETA } from '../../../monitor/risk-report.ts'
import type { PolicyEvent } from '../../../store/decisions/policy-events.ts'
import type { SpotCheck, Store } from '../../../store/store.ts'
import type { ServiceContext } from '../service-context.ts'
import { hiddenOf } from './monitor-others.ts'

/** The latest periods, which are shown. */
const MOST_PERIODS = 12
/** How long figures of a past period are cached. They change only when an old spot check is labelled. */
const CACHE_MS = 60_000
const PAGE = 500

/** A period as its events define it. */
export interface PeriodPlace {
  readonly number: number
  readonly certificateId: string
  readonly start: PolicyEvent
  /** The event that ended it, a suspension or the activation of another certificate; null: it has not ended. */
  readonly end: PolicyEvent | null
  /** The last arrival for the certificate before it. */
  readonly since: number
  /** The last arrival for the certificate in this period; null: the latest. */
  readonly until: number | null
}

type OpenPeriod = Omit<PeriodPlace, 'end' | 'until'>

/** The periods of a policy, from its events in the order of their commits. */
export function periodPlaces(events: readonly PolicyEvent[]): readonly PeriodPlace[] {
  const places: PeriodPlace[] = []
  let open: OpenPeriod | null = null
  let active: string | null = null
  let isSuspended = false
  let hasRelease = false
  const seen = new Set<string>()
  const close = (period: OpenPeriod | null, end: PolicyEvent | null, until: number | null) => {
    if (period !== null) places.push({ ...period, end, until })
  }
  const begin = (start: PolicyEvent, certificateId: string): OpenPeriod => {
    // Monitors count from the first arrival for a certificate, even if it decided before its activation.
    const since = hasRelease || seen.has(certificateId) ? start.arrival : 0
    seen.add(certificateId)
    return { number: places.length + 1, certificateId, start, since }
  }
  for (const event of events) {
    if (event.kind === 'activate' && event.certificateId !== null) {
      active = event.certificateId
      if (isSuspended) continue
      close(open, event, null)
      open = begin(event, active)
    } else if (event.kind === 'suspend' && !isSuspended) {
      isSuspended = true
      close(open, event, event.certificateId === active ? event.arrival : null)
      open = null
    } else if (event.kind === 'release' && isSuspended) {
      isSuspended = false
      hasRelease = true
      if (active !== null) open = begin(event, active)
    }
  }
  close(open, null, null)
  return places.map((place, index) => ({ ...place, until: place.until ?? nextSince(places, index) }))
}

/** If a certificate is activated again later, its arrivals belong to the later period from then on. */
function nextSince(places: readonly PeriodPlace[], index: number): number | null {
  const own = places[index]?.certificateId
  return places.slice(index + 1).find(({ certificateId }) => certificateId === own)?.since ?? null
}

/** The periods in which nothing was acted on, oldest first. */
export function suspensionsOf(events: readonly PolicyEvent[]): SuspensionView[] {
  const all: SuspensionView[] = []
  for (const { kind, at, cause, by, note } of events) {
    const last = all.at(-1)
    if (kind === 'suspend' && last?.to !== null) all.push({ from: at, to: null, cause, by, note })
    else if (kind === 'release' && last !== undefined && last.to === null) all[all.length - 1] = { ...last, to: at }
  }
  return all
}

interface AskedPeriods {
  readonly hidesBlind: boolean
  readonly at: number
  /** The monitor's figures, which are those of the last period; null: no certificate is active. */
  readonly current: MonitorView['spotChecks'] | null
}

type Figures = Pick<Period, 'beta' | 'wrong' | 'uniform' | 'history'>

/** The latest periods with their figures, which survive a suspension, a release or another certificate. */
export function createPeriods({ tools, policy }: ServiceContext) {
  const cache = new Map<string, { readonly at: number; readonly figures: Promise<Figures> }>()
  const betaOf = createBetas(tools.store)

  async function figuresOf(place: PeriodPlace, hidesBlind: boolean): Promise<Figures> {
    const { certificateId, since } = place
    const { store, now, undoMs } = tools
    const beta = await betaOf(certificateId)
    const arrivals = place.until ?? (await store.runs.arrivals(certificateId))
    const firstHidden = hidesBlind ? (await hiddenOf(tools, certificateId)).firstArrival : null
    const end = Math.max(since, firstHidden === null ? arrivals : Math.min(arrivals, firstHidden - 1))
    const spotChecks = await spotChecksOf(store, certificateId, since, end)
    if (beta === null || spotChecks.length === 0) return { beta, wrong: null, uniform: null, history: [] }
    const rates = await store.runs.rates({ certificateId, after: since })
    const times = { now: now(), undoMs, frozenAt: null }
    const input = { beta, spotCheckRate: 0, eta: USUAL_ETA, spotChecks, rates, since, arrivals: end, ...times }
    const { wrong, uniform, history } = riskReport(input).spotChecks
    return { beta, wrong, uniform, history }
  }

  function cachedFigures(place: PeriodPlace, { hidesBlind, at }: AskedPeriods): Promise<Figures> {
    const key = `${place.start.id} ${place.end?.id ?? ''} ${hidesBlind}`
    const before = cache.get(key)
    if (before !== undefined && at - before.at < CACHE_MS) return before.figures
    const figures = figuresOf(place, hidesBlind)
    cache.set(key, { at, figures })
    figures.catch(() => cache.delete(key))
    return figures
  }

  return async (asked: AskedPeriods): Promise<Period[]> => {
    const places = periodPlaces(policy.events()).slice(-MOST_PERIODS)
    const shown: Period[] = []
    for (const [index, place] of places.entries()) {
      const isLast = index === places.length - 1
      const { certificateId: certificate, number, start, end } = place
      const monitored = isLast && asked.current !== null && certificate === policy.activeId() ? asked.current : null
      const own =
        monitored === null ? await cachedFigures(place, asked) : await monitoredFigures(monitored, certificate)
      const { kind, by, note } = start
      shown.push({
        number,
        certificate,
        from: start.at,
        to: end?.at ?? null,
        start: { kind: kind === 'release' ? 'release' : 'activate', by, note },
        ...own,
      })
    }
    return shown
  }

  async function monitoredFigures(
    { wrong, uniform, history }: MonitorView['spotChecks'],
    certificate: string,
  ): Promise<Figures> {
    return { beta: await betaOf(certificate), wrong, uniform, history }
  }
}

/** A certificate's file may be large and never changes, so it is read once. */
function createBetas({ certificates }: Store) {
  const known = new Map<string, number>()
  return async (id: string): Promise<number | null> => {
    const beta = known.get(id)
    if (beta !== undefined) return beta
    const stored = await certificates.find(id)
    if (stored === null) return null
    const promised = storedPromise(stored.file, `certificate ${id}`)
    known.set(id, promised)
    return promised
  }
}

async function spotChecksOf(
  { runs }: Store,
  certificateId: string,
  since: number,
  end: number,
): Promise<readonly SpotCheck[]> {
  const found: SpotCheck[] = []
  for (let after = since; ; ) {
    const page = await runs.spotChecks({ certificateId, after, limit: PAGE })
    found.push(...page.filter(({ arrival }) => arrival <= end))
    const last = page.at(-1)?.arrival
    if (last === undefined || page.length < PAGE || last >= end) return found
    after = last
  }
}
