import { type Debate, type MonitorPower, monitorPower, promisedWrongRate } from '@quorate/certificate'
import type { MonitorView, Wealth } from '../../../contract/monitor.ts'
import { type ClassReport, classReport, type PromisedClass, promisedClasses } from '../../../monitor/class-report.ts'
import type { DriftReport } from '../../../monitor/drift-watch.ts'
import { type RiskReport, riskAlarm, riskReport, USUAL_ETA } from '../../../monitor/risk-report.ts'
import { type MonitorEvidence, type OtherEvidence, suspensionDue } from '../../../monitor/suspension-due.ts'
import { isBarred } from '../../../record/decision.ts'
import type { HiddenFigures } from '../../../store/decisions/monitor-records.ts'
import type { PolicyEvent } from '../../../store/decisions/policy-events.ts'
import type { SpotCheck } from '../../../store/store.ts'
import type { ServiceTools } from '../../services.ts'
import type { CachedCertificate, CertificateCache } from '../certificate-cache.ts'
import { createInOrder } from './in-order.ts'
import { beginningOf, createOtherWatches, hiddenOf, withoutHidden } from './monitor-others.ts'
import type { PolicyService } from './policy-service.ts'
import { createSampledOutcomes, type ReadOutcomes, type SampledOutcomes } from './sampled-outcomes.ts'
import { firstRoundOf, openDrift, type StoredDrift } from './stored-drift.ts'

/** Receives everything that the monitors count, and suspends the policy on an alarm. */
export interface MonitorWatch {
  /** Scores the first round of a debate; null: it has none and will have none. */
  score(arrived: Arrived, debate: Debate | null): void
  settled(decision: ArrivedDecision): void
  /** A label was added or removed. */
  labelled(runId: string, questionId: string): Promise<void>
  /** Restarts after a release or an activation, and reads what the store has. */
  restart(): Promise<void>
  /** Restarts if another process released the policy or activated a certificate. */
  follow(): Promise<void>
  /** Reads the debates of other processes, and stores how far it has come. */
  catchUp(): Promise<void>
  /**
   * The work to wait for before anything is acted on. After a start, a failed restart, or a release or an activation by another
   * process, there may be arrivals that this process has not assessed, and they may require a suspension. Null: it has assessed
   * all of them, up to the first one that is still being debated. The promise never rejects. It is not replaced by null if the
   * server stops before the work is done.
   */
  behind(): Promise<void> | null
  /** Reads the spot checks again, for labels of other processes. */
  reload(): Promise<void>
  /** Suspends the policy if the evidence requires it. */
  check(): Promise<void>
  evidence(): Promise<MonitorEvidence>
  /** The same for people, without the outcomes of hidden questions. */
  shown(): Promise<ShownEvidence>
  /** Resolves when nothing is being read, and the place is stored. */
  stop(): Promise<void>
}

export interface Arrived {
  readonly runId: string
  readonly questionId: string
  readonly certificateId: string | null
  /** Its arrival number in the store; null: it does not count, or this process does not know it. */
  readonly arrival: number | null
}

export interface ArrivedDecision {
  readonly runId: string
  readonly questionId: string
  readonly reason: string | null
  readonly isSpotCheck: boolean
}

export interface ShownEvidence {
  readonly risk: Pick<RiskReport, 'spotChecks'> & { readonly alarm: MonitorView['alarm'] }
  /** Up to the oldest hidden question. So is the alarm, because a later spot check would reveal its class. */
  readonly classes: readonly ClassReport[]
  /** Null: it is not known without hidden questions. */
  readonly drift: DriftReport | null
  readonly others: readonly (Pick<OtherEvidence, 'certificateId' | 'drift'> & { readonly alarm: Wealth })[]
  readonly hidden: HiddenFigures
}

export interface WatchParts {
  readonly tools: ServiceTools
  readonly policy: PolicyService
  readonly certificates: CertificateCache
  readonly mismatch: () => readonly string[]
}

/** The monitors of the active certificate since they restarted. */
interface Watched {
  /** The certificate that was active when they restarted. */
  readonly activeId: string | null
  /** Null also if the store does not have it. */
  readonly cached: CachedCertificate | null
  readonly beta: number
  /** The release at which they restarted; empty: none. */
  readonly eventId: string
  /** The last arrival that does not count. */
  readonly since: number
  readonly classes: readonly PromisedClass[]
  readonly spotChecks: SampledOutcomes
  readonly drift: StoredDrift
}

/** Arrivals that a start waits for. The rest is read while the server already answers requests that only read. */
const AT_START = 2000
const RETRY_MS = 5000

export async function createWatch(parts: WatchParts): Promise<MonitorWatch> {
  const { policy, tools } = parts
  const powerOf = rememberedPower()
  const inOrder = createInOrder()
  let watched = await watchedNow(parts)
  let others = createOtherWatches(parts)
  await others.find()
  let behind: Promise<void> | null = null
  let blocks = 0
  let blocked: Promise<void> = Promise.resolve()
  if (await watched.drift.sequence.catchUp(AT_START)) blockActing(Promise.resolve())

  async function evidence(): Promise<MonitorEvidence> {
    const { beta, spotChecks, since, drift } = watched
    const settings = { beta, spotCheckRate: tools.settings.spotCheckRate, eta: USUAL_ETA }
    const found = upToSuspension(await spotChecks.read(), policy.suspension(), since, policy.activeId())
    const power = settings.spotCheckRate === 0 ? undefined : powerOf(settings)
    const risk = riskReport({ ...settings, ...found, since, now: tools.now(), undoMs: tools.undoMs }, power)
    const classes = classesOf(found.spotChecks)
    const mismatch = parts.mismatch()
    return { beta, risk, classes, drift: drift.sequence.report(), mismatch, others: await others.evidence() }
  }

  function classesOf(spotChecks: readonly SpotCheck[]): readonly ClassReport[] {
    const times = { now: tools.now(), undoMs: tools.undoMs }
    return classReport({ classes: watched.classes, spotChecks, eta: USUAL_ETA, ...times })
  }

  /**
   * The rate is about the questions before the oldest hidden one: leaving out later spot checks one by one would keep those
   * that people label first. The alarm also includes later ones and counts hidden spot checks as not wrong, like every open
   * one.
   */
  async function shown(): Promise<ShownEvidence> {
    const { beta, spotChecks, since, drift } = watched
    const settings = { beta, spotCheckRate: tools.settings.spotCheckRate, eta: USUAL_ETA }
    const certificateId = policy.activeId()
    const found = upToSuspension(await spotChecks.read(), policy.suspension(), since, certificateId)
    const hidden = certificateId === null ? NOTHING_HIDDEN : await hiddenOf(tools, certificateId)
    const power = settings.spotCheckRate === 0 ? undefined : powerOf(settings)
    const input = { ...settings, ...found, since, now: tools.now(), undoMs: tools.undoMs }
    const visible = beforeHidden(found, hidden, since)
    const risk = riskReport({ ...input, ...visible }, power)
    const alarm = riskAlarm({ ...input, spotChecks: withoutHidden(found.spotChecks, hidden) })
    return {
      risk: { spotChecks: risk.spotChecks, alarm: { ...risk.alarm, ...alarm } },
      classes: classesOf(visible.spotChecks),
      drift: drift.sequence.reportAt((hidden.firstArrival ?? Number.POSITIVE_INFINITY) - 1),
      others: await others.shown(),
      hidden,
    }
  }

  async function check(): Promise<void> {
    const { eventId } = watched
    const found = await evidence()
    // Released in the meantime: the evidence that it was released from must not suspend it again.
    if (eventId !== (policy.lastRelease()?.id ?? '')) return
    const suspension = suspensionDue(policy.events(), found)
    if (suspension !== null) await policy.suspendFor(suspension)
  }

  function checkDrift(): void {
    const report = watched.drift.sequence.report()
    if (!(report.isAlarm || report.missing.isAlarm) || policy.isSuspended()) return
    void policy.withoutActing(check).catch((error: unknown) => tools.report('the policy could not be suspended', error))
  }

  function catchUpActive(): Promise<void> {
    return inOrder(async () => {
      const { drift } = watched
      while (!tools.stopping.aborted && drift === watched.drift && (await drift.sequence.catchUp(AT_START))) {
        checkDrift()
        // If the server is killed now, the next one does not start over.
        await drift.save()
      }
      checkDrift()
      await drift.save()
    })
  }

  /**
   * Nothing may act until the monitors have begun and everything that arrived is assessed. A failed beginning is retried. A
   * later block replaces this one. If the server stops before that, nothing acts any more.
   */
  function blockActing(begun: Promise<void>): void {
    const own = ++blocks
    const isNeeded = () => own === blocks && !tools.stopping.aborted
    const assessed = begun
      .catch(() => {}) // The caller reports it.
      .then(() => assessAll(isNeeded))
      .then(() => {
        if (isNeeded()) behind = null
      })
    behind = assessed
    blocked = blocked.then(() => assessed)
  }

  /** Retries if the store cannot be read, and starts again if the monitors restart in the meantime. */
  async function assessAll(isNeeded: () => boolean): Promise<void> {
    while (isNeeded()) {
      try {
        if (!isFollowing()) await begin()
        const { drift } = watched
        await catchUpActive()
        await check()
        if (drift === watched.drift) return
      } catch (error) {
        tools.report('the monitor could not read the store', error)
        await tools.sleep(RETRY_MS, tools.stopping)
      }
    }
  }

  function allOutcomes(): readonly SampledOutcomes[] {
    return [watched.spotChecks, ...others.outcomes()]
  }

  /** Whether the monitors are those of the active certificate since the last release. */
  function isFollowing(): boolean {
    const isSame = (watched.cached?.certified.id ?? null) === policy.activeId()
    return isSame && watched.eventId === (policy.lastRelease()?.id ?? '')
  }

  async function begin(): Promise<void> {
    const active = policy.activeId()
    if (active !== null) await parts.certificates.open(active)
    const begun = await watchedNow(parts)
    const begunOthers = createOtherWatches(parts)
    await begunOthers.find()
    // Both at once: a beginning that failed halfway must not look like one that follows the policy.
    watched = begun
    others = begunOthers
  }

  async function restart(): Promise<void> {
    try {
      await begin()
      // The store has everything that arrived since then.
      await catchUpActive()
    } catch (error) {
      blockActing(Promise.resolve())
      throw error
    }
  }

  return {
    score({ runId, questionId, certificateId, arrival }, debate) {
      const { cached, drift } = watched
      if (arrival === null || certificateId === null) return
      if (certificateId !== cached?.certified.id) return others.notice(certificateId)
      const { score, missing } = firstRoundOf(cached, debate)
      drift.sequence.scored(arrival, { runId, questionId, missing }, score)
      checkDrift()
    },
    settled({ runId, questionId, isSpotCheck, reason }) {
      if (!isSpotCheck && !isBarred(reason)) return
      for (const outcomes of allOutcomes()) {
        if (isSpotCheck) outcomes.touch(runId, questionId)
        if (isBarred(reason)) outcomes.arrivalsChanged()
      }
    },
    async labelled(runId, questionId) {
      for (const outcomes of allOutcomes()) outcomes.touch(runId, questionId)
      await check()
    },
    restart,
    async follow() {
      if (isFollowing()) {
        const active = policy.activeId()
        // Keeps it among the open certificates.
        if (active !== null) await parts.certificates.open(active)
        return
      }
      const begun = begin()
      // Other processes may have decided with it, and this process has not assessed that.
      blockActing(begun)
      await begun
    },
    async catchUp() {
      await catchUpActive()
      // Their certificates may have to be opened, but no request waits for that.
      await inOrder(() => others.catchUp())
    },
    async reload() {
      await others.find()
      for (const outcomes of allOutcomes()) await outcomes.reload()
    },
    behind() {
      // Any request may be the first to read that another process changed the policy.
      const hasBegun = watched.activeId === policy.activeId() && watched.eventId === (policy.lastRelease()?.id ?? '')
      if (behind === null && !hasBegun) blockActing(Promise.resolve())
      return behind
    },
    check,
    evidence,
    shown,
    async stop() {
      await blocked
      await inOrder(() => watched.drift.save())
    },
  }
}

async function watchedNow({ tools, policy, certificates }: WatchParts): Promise<Watched> {
  const active = policy.activeId()
  const cached = active === null ? null : certificates.known(active)
  const release = policy.lastRelease()
  const eventId = release?.id ?? ''
  const since = active === null ? 0 : await beginningOf(tools.store, active, release)
  return {
    activeId: active,
    cached,
    eventId,
    since,
    beta: cached === null ? tools.settings.budget.beta : promisedWrongRate(cached.certified.certificate),
    classes: cached === null ? [] : promisedClasses(cached.certified.certificate),
    spotChecks: createSampledOutcomes(tools.store, { certificateId: active, since }),
    drift: await openDrift(tools, { cached, eventId, since }),
  }
}

/** The figures end at a suspension: later arrivals are not acted on and would only make the figures look better. */
function upToSuspension(
  { spotChecks, rates, arrivals }: ReadOutcomes,
  suspension: PolicyEvent | null,
  since: number,
  certificateId: string | null,
) {
  if (suspension === null) return { spotChecks, rates, arrivals, frozenAt: null }
  // Each certificate has its own arrivals. While suspended, none is counted for a certificate that was activated since.
  const end =
    suspension.certificateId === certificateId ? Math.max(since, Math.min(arrivals, suspension.arrival)) : arrivals
  return {
    spotChecks: spotChecks.filter(({ arrival }) => arrival <= end),
    rates,
    arrivals: end,
    frozenAt: suspension.at,
  }
}

function beforeHidden({ spotChecks, arrivals }: ReadOutcomes, { firstArrival }: HiddenFigures, since: number) {
  if (firstArrival === null) return { spotChecks, arrivals }
  const end = Math.max(since, Math.min(arrivals, firstArrival - 1))
  return { spotChecks: spotChecks.filter(({ arrival }) => arrival <= end), arrivals: end }
}

const NOTHING_HIDDEN: HiddenFigures = Object.freeze({ counts: [], firstArrival: null, sampled: [] })

/** Caches the power of a setting, which takes a while to compute and never changes. */
function rememberedPower(): (settings: Parameters<typeof monitorPower>[0]) => MonitorPower {
  const known = new Map<string, MonitorPower>()
  return (settings) => {
    const key = JSON.stringify(settings)
    const power = known.get(key) ?? monitorPower(settings)
    known.set(key, power)
    return power
  }
}
