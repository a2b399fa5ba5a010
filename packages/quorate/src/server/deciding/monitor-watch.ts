import { type Debate, type MonitorPower, monitorPower } from '@quorate/certificate'
import type { DriftReport } from '../../monitor/drift-watch.ts'
import { holdDue } from '../../monitor/hold-due.ts'
import { type RiskReport, riskReport, USUAL_ETA } from '../../monitor/risk-report.ts'
import type { PolicyEvent } from '../../store/policy-events.ts'
import type { ServiceTools } from '../services.ts'
import type { CertificateShelf, Shelved } from './certificate-shelf.ts'
import { createDrawBook, type DrawBook, type ReadBook } from './draw-book.ts'
import { type KeptDrift, openDrift, scoreOf } from './drift-keeping.ts'
import type { PolicyDesk } from './policy-desk.ts'

/** Hears of everything that the monitors look at, and holds the policy when they say so. */
export interface MonitorWatch {
  /** The first round of a debate is there; null: it has none and will have none. */
  score(arrived: Arrived, debate: Debate | null): void
  settled(decision: Decided): void
  /** A label came or went. */
  labelled(runId: string, questionId: string): Promise<void>
  /** Begins anew, after each release and activation; reads what the store has since then. */
  restart(): Promise<void>
  /** Takes in what other processes debated, and notes how far it has come. */
  catchUp(): Promise<void>
  /** Reads the draws again, for labels of other processes. */
  reload(): Promise<void>
  /** Holds the policy if the evidence calls for it. */
  check(): Promise<void>
  evidence(): Promise<Evidence>
  /** Resolves when nothing is being read any more, and how far it has come is noted. */
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
  readonly isDrawn: boolean
}

export interface Evidence {
  readonly beta: number
  readonly risk: RiskReport
  readonly drift: DriftReport
  readonly mismatch: readonly string[]
}

export interface WatchParts {
  readonly tools: ServiceTools
  readonly policy: PolicyDesk
  readonly shelf: CertificateShelf
  readonly mismatch: () => readonly string[]
}

/** What is watched under one certificate since the monitors began anew. */
interface Watched {
  readonly shelved: Shelved | null
  readonly beta: number
  /** The last arrival that does not count any more. */
  readonly since: number
  readonly draws: DrawBook
  readonly drift: KeptDrift
}

/** Arrivals that a start waits for; more are taken in while requests are answered. */
const AT_START = 2000

export async function createWatch(parts: WatchParts): Promise<MonitorWatch> {
  const { policy, tools } = parts
  const powerOf = rememberedPower()
  let line: Promise<unknown> = Promise.resolve()
  let watched = await watchedNow(parts)
  if (await watched.drift.line.catchUp(AT_START)) void catchUp().catch(failed)

  function failed(error: unknown): void {
    tools.report('the monitor could not look at the store', error)
  }

  async function evidence(): Promise<Evidence> {
    const { beta, draws, since, drift } = watched
    const settings = { beta, spotCheckRate: tools.settings.spotCheckRate, eta: USUAL_ETA }
    const found = upToHold(await draws.read(), { since, hold: policy.hold(), certificateId: policy.activeId() })
    const power = settings.spotCheckRate === 0 ? undefined : powerOf(settings)
    const risk = riskReport({ ...settings, ...found, since, now: tools.now() }, power)
    return { beta, risk, drift: drift.line.report(), mismatch: parts.mismatch() }
  }

  async function check(): Promise<void> {
    const hold = holdDue(policy.events(), await evidence())
    if (hold !== null) await policy.holdFor(hold)
  }

  function checkDrift(): void {
    if (!watched.drift.line.report().isAlarm || policy.isHeld()) return
    void policy.withoutActing(check).catch((error: unknown) => tools.report('the policy could not be held', error))
  }

  /** One after the other: each goes on from where the last one was. */
  function inOrder(work: () => Promise<void>): Promise<void> {
    const done = line.then(work, work)
    line = done.catch(() => undefined)
    return done
  }

  function catchUp(): Promise<void> {
    return inOrder(async () => {
      const { drift } = watched
      while (!tools.stopping.aborted && drift === watched.drift && (await drift.line.catchUp(AT_START))) checkDrift()
      checkDrift()
      await drift.keep()
    })
  }

  return {
    score({ runId, questionId, certificateId, arrival }, debate) {
      const { shelved, drift } = watched
      if (arrival === null || shelved === null || certificateId !== shelved.certified.id) return
      drift.line.scored(arrival, { runId, questionId }, debate === null ? null : scoreOf(shelved, debate))
      checkDrift()
    },
    settled({ runId, questionId, isDrawn, reason }) {
      if (isDrawn) watched.draws.touch(runId, questionId)
      if (reason === 'held') watched.draws.passOver()
    },
    async labelled(runId, questionId) {
      watched.draws.touch(runId, questionId)
      await check()
    },
    async restart() {
      watched = await watchedNow(parts)
      // What came since then is in the store.
      await catchUp()
    },
    catchUp,
    reload: () => watched.draws.reload(),
    check,
    evidence,
    async stop() {
      await line
      await watched.drift.keep()
    },
  }
}

async function watchedNow({ tools, policy, shelf }: WatchParts): Promise<Watched> {
  const active = policy.activeId()
  const shelved = active === null ? null : shelf.known(active)
  const { arrival: since, eventId } = policy.restart()
  return {
    ...{ shelved, since },
    beta: shelved?.certified.certificate.budget.beta ?? tools.settings.budget.beta,
    draws: createDrawBook(tools.store, { certificateId: active, since }),
    drift: await openDrift(tools, { shelved, eventId, since }),
  }
}

/** At a hold the figures end: what arrives later is acted on by nobody, and would only make them look better. */
function upToHold({ draws, rates, arrivals }: ReadBook, { hold, since, certificateId }: Holding) {
  if (hold === null) return { draws, rates, arrivals, frozenAt: null }
  // Each certificate has arrivals of its own: one that was activated while held has none that count.
  const end = hold.certificateId === certificateId ? Math.max(since, Math.min(arrivals, hold.arrival)) : since
  return { draws: draws.filter(({ arrival }) => arrival <= end), rates, arrivals: end, frozenAt: hold.at }
}

interface Holding {
  readonly hold: PolicyEvent | null
  readonly since: number
  readonly certificateId: string | null
}

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
