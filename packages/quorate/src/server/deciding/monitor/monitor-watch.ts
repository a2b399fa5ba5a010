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
import { firstRoundOf, type KeptDrift, openDrift } from './drift-keeping.ts'
import { beginningOf } from './monitor-beginning.ts'
import { createOtherWatches, hiddenOf, withoutHidden } from './monitor-others.ts'
import type { PolicyService } from './policy-service.ts'
import { createSampledOutcomes, type ReadBook, type SampledOutcomes } from './sampled-outcomes.ts'

/** Receives everything that the monitors count, and suspends the policy on an alarm. */
export interface MonitorWatch {
  /** The first round of a debate is there; null: it has none and will have none. */
  score(arrived: Arrived, debate: Debate | null): void
  settled(decision: Decided): void
  /** A label came or went. */
  labelled(runId: string, questionId: string): Promise<void>
  /** Restarts after a release, and with another certificate after an activation; reads what the store has. */
  restart(): Promise<void>
  /** The same if another process released the policy or activated a certificate. */
  follow(): Promise<void>
  /** Takes in what other processes debated, and notes how far it has come. */
  catchUp(): Promise<void>
  /**
   * What is to be waited for before anything is acted on: after a start, and after another process activated a certificate,
   * there may be arrivals that nobody here has looked at, and they may call for a suspension. Null: it has looked at all of
   * them, up to the first one that is still being debated. It never rejects, and stays if the server is to stop before that.
   */
  behind(): Promise<void> | null
  /** Reads the spot checks again, for labels of other processes. */
  reload(): Promise<void>
  /** Suspends the policy if the evidence calls for it. */
  check(): Promise<void>
  evidence(): Promise<MonitorEvidence>
  /** The same for people, without what hidden questions came to. */
  shown(): Promise<ShownEvidence>
  /** Resolves when nothing is being read, and how far it has come is noted. */
  stop(): Promise<void>
}

export interface Arrived {
  readonly runId: string
  readonly questionId: string
  readonly certificateId: string | null
  /** Its number in the store; null: it does not count, or this process does not know it. */
  readonly arrival: number | null
}

export interface Decided {
  readonly runId: string
  readonly questionId: string
  readonly reason: string | null
  readonly isSpotCheck: boolean
}

export interface ShownEvidence {
  readonly risk: Pick<RiskReport, 'spotChecks'> & { readonly alarm: MonitorView['alarm'] }
  /** Up to the oldest hidden question, the alarm too: a later spot check would tell its class. */
  readonly classes: readonly ClassReport[]
  /** Null: not known without them. */
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

/** What is watched under the active certificate since the monitors restarted. */
interface Watched {
  readonly cached: CachedCertificate | null
  readonly beta: number
  /** The release that it began with; empty: none. */
  readonly eventId: string
  /** The last arrival that no longer counts. */
  readonly since: number
  readonly classes: readonly PromisedClass[]
  readonly spotChecks: SampledOutcomes
  readonly drift: KeptDrift
}

/** Arrivals that a start waits for; more are taken in while requests that only read are answered. */
const AT_START = 2000
const AGAIN_MS = 5000

export async function createWatch(parts: WatchParts): Promise<MonitorWatch> {
  const { policy, tools } = parts
  const powerOf = rememberedPower()
  let line: Promise<unknown> = Promise.resolve()
  let watched = await watchedNow(parts)
  let others = createOtherWatches(parts)
  await others.find()
  let behind: Promise<void> | null = null
  if (await watched.drift.line.catchUp(AT_START)) holding(lookAtAll)

  function failed(error: unknown): void {
    tools.report('the monitor could not read the store', error)
  }

  async function evidence(): Promise<MonitorEvidence> {
    const { beta, spotChecks, since, drift } = watched
    const settings = { beta, spotCheckRate: tools.settings.spotCheckRate, eta: USUAL_ETA }
    const found = upToSuspension(await spotChecks.read(), policy.suspension(), since, policy.activeId())
    const power = settings.spotCheckRate === 0 ? undefined : powerOf(settings)
    const risk = riskReport({ ...settings, ...found, since, now: tools.now(), undoMs: tools.undoMs }, power)
    const classes = classesOf(found.spotChecks)
    const mismatch = parts.mismatch()
    return { beta, risk, classes, drift: drift.line.report(), mismatch, others: await others.evidence() }
  }

  function classesOf(spotChecks: readonly SpotCheck[]): readonly ClassReport[] {
    const times = { now: tools.now(), undoMs: tools.undoMs }
    return classReport({ classes: watched.classes, spotChecks, eta: USUAL_ETA, ...times })
  }

  /**
   * The rate is about the questions before the oldest hidden one: to leave out later spot checks one by one would leave those
   * that people label first. The alarm goes on with hidden spot checks as not wrong, as it does with every open one.
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
      drift: drift.line.reportAt((hidden.firstArrival ?? Number.POSITIVE_INFINITY) - 1),
      others: await others.shown(),
      hidden,
    }
  }

  async function check(): Promise<void> {
    const { eventId } = watched
    const found = await evidence()
    // Released meanwhile: what it was released from must not suspend it again.
    if (eventId !== (policy.lastRelease()?.id ?? '')) return
    const suspension = suspensionDue(policy.events(), found)
    if (suspension !== null) await policy.suspendFor(suspension)
  }

  function checkDrift(): void {
    const report = watched.drift.line.report()
    if (!(report.isAlarm || report.missing.isAlarm) || policy.isSuspended()) return
    void policy.withoutActing(check).catch((error: unknown) => tools.report('the policy could not be suspended', error))
  }

  /** One after the other: each goes on from where the last one was. */
  function inOrder(work: () => Promise<void>): Promise<void> {
    const done = line.then(work, work)
    line = done.catch(() => undefined)
    return done
  }

  function catchUpActive(): Promise<void> {
    return inOrder(async () => {
      const { drift } = watched
      while (!tools.stopping.aborted && drift === watched.drift && (await drift.line.catchUp(AT_START))) {
        checkDrift()
        // A server that is killed meanwhile does not start over.
        await drift.keep()
      }
      checkDrift()
      await drift.keep()
    })
  }

  /** Everything that could act waits until the work is done. If the server is to stop before that, nothing acts any more. */
  function holding(work: () => Promise<void>): void {
    const opened = () => {
      if (behind === held && !tools.stopping.aborted) behind = null
    }
    const held: Promise<void> = work().then(opened, opened)
    behind = held
  }

  /** Also where the store cannot be read for a while, or the monitors restart meanwhile. */
  async function lookAtAll(): Promise<void> {
    while (!tools.stopping.aborted) {
      try {
        const { drift } = watched
        await catchUpActive()
        await check()
        if (drift === watched.drift) return
      } catch (error) {
        failed(error)
        await tools.sleep(AGAIN_MS, tools.stopping)
      }
    }
  }

  function books(): readonly SampledOutcomes[] {
    return [watched.spotChecks, ...others.books()]
  }

  async function begin(): Promise<void> {
    const active = policy.activeId()
    if (active !== null) await parts.certificates.open(active)
    watched = await watchedNow(parts)
    others = createOtherWatches(parts)
  }

  async function restart(): Promise<void> {
    await begin()
    await others.find()
    // What came since then is in the store.
    await catchUpActive()
  }

  return {
    score({ runId, questionId, certificateId, arrival }, debate) {
      const { cached, drift } = watched
      if (arrival === null || certificateId === null) return
      if (certificateId !== cached?.certified.id) return others.notice(certificateId)
      const { score, missing } = firstRoundOf(cached, debate)
      drift.line.scored(arrival, { runId, questionId, missing }, score)
      checkDrift()
    },
    settled({ runId, questionId, isSpotCheck, reason }) {
      if (!isSpotCheck && !isBarred(reason)) return
      for (const book of books()) {
        if (isSpotCheck) book.touch(runId, questionId)
        if (isBarred(reason)) book.passOver()
      }
    },
    async labelled(runId, questionId) {
      for (const book of books()) book.touch(runId, questionId)
      await check()
    },
    restart,
    async follow() {
      const active = policy.activeId()
      const isSame = (watched.cached?.certified.id ?? null) === active
      if (isSame && watched.eventId === (policy.lastRelease()?.id ?? '')) {
        // So it stays among those that are open.
        if (active !== null) await parts.certificates.open(active)
        return
      }
      const begun = begin()
      // Other processes may have decided with it, and nobody here has looked at that.
      holding(() => begun.then(lookAtAll))
      await begun
      await others.find()
    },
    async catchUp() {
      await catchUpActive()
      // Their certificates may have to be opened: no request waits for that.
      await inOrder(() => others.catchUp())
    },
    async reload() {
      await others.find()
      for (const book of books()) await book.reload()
    },
    behind: () => behind,
    check,
    evidence,
    shown,
    async stop() {
      await behind
      await line
      await watched.drift.keep()
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
    cached,
    eventId,
    since,
    beta: cached === null ? tools.settings.budget.beta : promisedWrongRate(cached.certified.certificate),
    classes: cached === null ? [] : promisedClasses(cached.certified.certificate),
    spotChecks: createSampledOutcomes(tools.store, { certificateId: active, since }),
    drift: await openDrift(tools, { cached, eventId, since }),
  }
}

/** At a suspension the figures end: what arrives later is acted on by nobody, and would only make them look better. */
function upToSuspension(
  { spotChecks, rates, arrivals }: ReadBook,
  suspension: PolicyEvent | null,
  since: number,
  certificateId: string | null,
) {
  if (suspension === null) return { spotChecks, rates, arrivals, frozenAt: null }
  // Each certificate has arrivals of its own; while suspended none is counted for one that was activated since.
  const end =
    suspension.certificateId === certificateId ? Math.max(since, Math.min(arrivals, suspension.arrival)) : arrivals
  return {
    spotChecks: spotChecks.filter(({ arrival }) => arrival <= end),
    rates,
    arrivals: end,
    frozenAt: suspension.at,
  }
}

function beforeHidden({ spotChecks, arrivals }: ReadBook, { firstArrival }: HiddenFigures, since: number) {
  if (firstArrival === null) return { spotChecks, arrivals }
  const end = Math.max(since, Math.min(arrivals, firstArrival - 1))
  return { spotChecks: spotChecks.filter(({ arrival }) => arrival <= end), arrivals: end }
}

const NOTHING_HIDDEN: HiddenFigures = Object.freeze({ counts: [], firstArrival: null, sampled: [] })

/** The power of a setting takes a while to compute and never changes. */
function rememberedPower(): (settings: Parameters<typeof monitorPower>[0]) => MonitorPower {
  const known = new Map<string, MonitorPower>()
  return (settings) => {
    const key = JSON.stringify(settings)
    const power = known.get(key) ?? monitorPower(settings)
    known.set(key, power)
    return power
  }
}
