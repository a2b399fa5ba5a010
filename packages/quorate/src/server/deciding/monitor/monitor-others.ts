import { promisedWrongRate } from '@quorate/certificate'
import { storedPromise } from '../../../monitor/promised-rate.ts'
import { riskAlarm, USUAL_ETA } from '../../../monitor/risk-report.ts'
import type { OtherEvidence } from '../../../monitor/suspension-due.ts'
import type { HiddenFigures } from '../../../store/decisions/monitor-records.ts'
import type { PolicyEvent } from '../../../store/decisions/policy-events.ts'
import type { SpotCheck, Store } from '../../../store/store.ts'
import type { ServiceTools } from '../../services.ts'
import type { CertificateCache } from '../certificate-cache.ts'
import type { PolicyService } from './policy-service.ts'
import { createSampledOutcomes, type ReadOutcomes, type SampledOutcomes } from './sampled-outcomes.ts'
import { openDrift, readStoredDrift } from './stored-drift.ts'

/**
 * The monitors of all certificates except the active one, because a request that names a certificate by its id acts on it too.
 */
export interface OtherWatches {
  /** Watches the certificate from now on: its first question may just have arrived. */
  notice(certificateId: string): void
  outcomes(): readonly SampledOutcomes[]
  /** Finds the certificates of the store that have decided since the last release. */
  find(): Promise<void>
  /** Reads new debates, one certificate after the other. */
  catchUp(): Promise<void>
  evidence(): Promise<readonly OtherEvidence[]>
  /** The same for people, without the outcomes of hidden questions. A drift that includes a hidden question is left out. */
  shown(): Promise<readonly OtherEvidence[]>
}

export function hiddenOf({ store, now }: ServiceTools, certificateId: string) {
  return store.monitor.hidden({ certificateId, now: now() })
}

/**
 * The last arrival for a certificate that its monitors no longer count: the one before the last release. Without a release all
 * arrivals count, even those before its activation.
 */
export async function beginningOf(
  { policy }: Store,
  certificateId: string,
  release: PolicyEvent | null,
): Promise<number> {
  return release === null ? 0 : policy.arrivalBefore(release, certificateId)
}

/** Treats hidden spot checks as not sampled, which is the same as not wrong for the alarm. */
export function withoutHidden<Arrived extends Pick<SpotCheck, 'arrival'>>(
  spotChecks: readonly Arrived[],
  { sampled }: HiddenFigures,
): readonly Arrived[] {
  const left = new Set(sampled)
  return left.size === 0 ? spotChecks : spotChecks.filter(({ arrival }) => !left.has(arrival))
}

export interface OtherParts {
  readonly tools: ServiceTools
  readonly policy: PolicyService
  readonly certificates: CertificateCache
}

interface Watched {
  readonly certificateId: string
  /** The largest share of wrong actions that it promises. */
  readonly beta: number
  readonly since: number
  readonly eventId: string
  readonly spotChecks: SampledOutcomes
  /** Only the report stays in memory, because an open certificate takes tens of megabytes. */
  drift: Awaited<ReturnType<typeof readStoredDrift>>
}

/** The newest certificates of the store. Older ones stopped deciding long ago. */
const MOST_CERTIFICATES = 500
/** Arrivals that are read before other work gets a turn. */
const AT_ONCE = 2000

export function createOtherWatches({ tools, policy, certificates }: OtherParts): OtherWatches {
  const { store, stopping } = tools
  const active = policy.activeId()
  const watches = new Map<string, Watched>()
  const noticed = new Set<string>()

  async function add(certificateId: string): Promise<void> {
    if (certificateId === active || watches.has(certificateId)) return
    const since = await beginningOf(store, certificateId, policy.lastRelease())
    if ((await store.runs.arrivals(certificateId)) <= since) return
    const known = certificates.known(certificateId)
    const beta = known === null ? await storedRate(certificateId) : promisedWrongRate(known.certified.certificate)
    if (beta === null || watches.has(certificateId)) return
    const spotChecks = createSampledOutcomes(store, { certificateId, since })
    const eventId = policy.lastRelease()?.id ?? ''
    watches.set(certificateId, { certificateId, beta, since, eventId, spotChecks, drift: null })
  }

  async function storedRate(certificateId: string): Promise<number | null> {
    const stored = await store.certificates.find(certificateId)
    return stored === null ? null : storedPromise(stored.file, `certificate ${certificateId}`)
  }

  async function catchUp(watched: Watched): Promise<void> {
    const { certificateId, eventId, since } = watched
    watched.drift ??= await readStoredDrift(tools, { certificateId, eventId, since })
    const arrivals = await store.runs.arrivals(certificateId)
    if (watched.drift !== null && watched.drift.arrival >= arrivals) return
    const cached = await certificates.open(certificateId)
    if (cached === null) return
    const { sequence, save } = await openDrift(tools, { cached, eventId, since })
    while (!stopping.aborted && (await sequence.catchUp(AT_ONCE)));
    await save()
    watched.drift = { arrival: sequence.place().arrival, report: sequence.report() }
  }

  function alarmOf({ beta, since }: Watched, outcomes: ReadOutcomes): OtherEvidence['alarm'] {
    const { spotCheckRate } = tools.settings
    const times = { now: tools.now(), undoMs: tools.undoMs, frozenAt: null }
    return riskAlarm({ beta, eta: USUAL_ETA, spotCheckRate, since, ...times, ...outcomes })
  }

  async function evidenceOf(watched: Watched): Promise<OtherEvidence> {
    const { certificateId, beta, spotChecks, drift } = watched
    return { certificateId, beta, alarm: alarmOf(watched, await spotChecks.read()), drift: drift?.report ?? null }
  }

  async function shownOf(watched: Watched): Promise<OtherEvidence> {
    const { certificateId, beta, spotChecks, drift } = watched
    const read = await spotChecks.read()
    const hidden = await hiddenOf(tools, certificateId)
    const isWhole = drift === null || hidden.firstArrival === null || hidden.firstArrival > drift.arrival
    const alarm = alarmOf(watched, { ...read, spotChecks: withoutHidden(read.spotChecks, hidden) })
    return { certificateId, beta, alarm, drift: isWhole ? (drift?.report ?? null) : null }
  }

  return {
    notice(certificateId) {
      if (certificateId === active || watches.has(certificateId) || noticed.has(certificateId)) return
      noticed.add(certificateId)
      void add(certificateId)
        .catch((error: unknown) => tools.report('the monitor could not read the store', error))
        .finally(() => noticed.delete(certificateId))
    },
    outcomes: () => [...watches.values()].map(({ spotChecks }) => spotChecks),
    async find() {
      for (const { id } of await store.certificates.list(MOST_CERTIFICATES)) await add(id)
    },
    async catchUp() {
      for (const watched of watches.values()) if (!stopping.aborted) await catchUp(watched)
    },
    evidence: () => Promise.all([...watches.values()].map(evidenceOf)),
    shown: () => Promise.all([...watches.values()].map(shownOf)),
  }
}
