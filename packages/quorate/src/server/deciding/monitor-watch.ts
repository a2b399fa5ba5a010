import { type Debate, type MonitorPower, monitorPower } from '@quorate/certificate'
import { z } from 'zod'
import { type DriftReport, driftWatch } from '../../monitor/drift-watch.ts'
import { holdDue } from '../../monitor/hold-due.ts'
import { type RiskReport, riskReport, USUAL_ETA } from '../../monitor/risk-report.ts'
import type { PolicyEvent } from '../../store/policy-events.ts'
import type { ServiceTools } from '../services.ts'
import { arrivedDecisions } from './arrived-decisions.ts'
import type { CertificateShelf, Shelved } from './certificate-shelf.ts'
import { type Counted, countDecision, type DecisionTally, emptyTally } from './decision-tally.ts'
import { createDrawBook, type DrawBook, type ReadBook } from './draw-book.ts'
import { createDriftLine, type DriftLine } from './drift-line.ts'
import type { PolicyDesk } from './policy-desk.ts'

/** Hears of everything that the monitors look at, and holds the policy when they say so. */
export interface MonitorWatch {
  /** In order of arrival, before any of its scores. */
  arrived(question: Arrived): void
  /** A debate whose first round is there. */
  score(id: string, debate: Debate): void
  scored(id: string, score: number | null): void
  settled(decision: Arrived & Counted & { readonly isDrawn: boolean }): void
  /** A label came or went. */
  labelled(runId: string, questionId: string): Promise<void>
  /** Begins anew, after each release and activation; reads what the store has since then. */
  restart(): Promise<void>
  /** Reads the draws again, for labels of other processes. */
  reload(): Promise<void>
  /** Holds the policy if the evidence calls for it. */
  check(): Promise<void>
  evidence(): Promise<Evidence>
  /** Of the active certificate. */
  tally(): DecisionTally
}

export interface Arrived {
  readonly id: string
  readonly runId: string
  readonly questionId: string
  readonly certificateId: string | null
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
  readonly eventId: string
  /** The last arrival that does not count any more. */
  readonly since: number
  readonly draws: DrawBook
  readonly line: DriftLine
  readonly tally: DecisionTally
}

export async function createWatch(parts: WatchParts): Promise<MonitorWatch> {
  const { policy, tools } = parts
  const powerOf = rememberedPower()
  let watched = watchedNow(parts)
  await readStored(parts, watched)

  async function evidence(): Promise<Evidence> {
    const { beta, draws, since } = watched
    const settings = { beta, spotCheckRate: tools.settings.spotCheckRate, eta: USUAL_ETA }
    const found = upToHold(await draws.read(), { since, hold: policy.hold(), certificateId: policy.activeId() })
    const power = settings.spotCheckRate === 0 ? undefined : powerOf(settings)
    const risk = riskReport({ ...settings, ...found, since, now: tools.now() }, power)
    return { beta, risk, drift: watched.line.report(), mismatch: parts.mismatch() }
  }

  async function check(): Promise<void> {
    const hold = holdDue(policy.events(), await evidence())
    if (hold !== null) await policy.holdFor(hold)
  }

  function checkDrift(): void {
    if (!watched.line.report().isAlarm || policy.isHeld()) return
    void policy.withoutActing(check).catch((error: unknown) => tools.report('the policy could not be held', error))
  }

  function scored(id: string, score: number | null): void {
    watched.line.scored(id, score)
    if (score !== null) checkDrift()
  }

  return {
    arrived({ id, runId, questionId, certificateId }) {
      if (id < watched.eventId || certificateId !== watched.shelved?.certified.id) return
      watched.line.arrived(id, { runId, questionId })
    },
    scored,
    score(id, debate) {
      scored(id, watched.shelved === null ? null : scoreOf(watched.shelved, debate))
    },
    settled(decision) {
      if (decision.certificateId === watched.shelved?.certified.id) countDecision(watched.tally, decision)
      if (decision.isDrawn) watched.draws.touch(decision.runId, decision.questionId)
      if (decision.reason === 'held') watched.draws.passOver()
    },
    async labelled(runId, questionId) {
      watched.draws.touch(runId, questionId)
      await check()
    },
    async restart() {
      const before = watched
      const next = watchedNow(parts)
      const isSame = before.shelved?.certified.id === next.shelved?.certified.id
      watched = isSame ? { ...next, tally: before.tally } : next
      // What is decided from here on is heard of; the certificate may have decided before.
      if (!isSame) await readStored(parts, next, next.eventId)
    },
    reload: () => watched.draws.reload(),
    check,
    evidence,
    tally: () => watched.tally,
  }
}

function watchedNow({ tools, policy, shelf }: WatchParts): Watched {
  const active = policy.activeId()
  const shelved = active === null ? null : shelf.known(active)
  const { arrival, eventId } = policy.restart()
  const reference = shelved?.scores.reference ?? []
  const drift = driftWatch({ eta: USUAL_ETA, reference, seed: tools.settings.seed })
  return {
    shelved,
    beta: shelved?.certified.certificate.budget.beta ?? tools.settings.budget.beta,
    eventId,
    since: arrival,
    draws: createDrawBook(tools.store, { certificateId: active, since: arrival }),
    line: createDriftLine(drift),
    tally: emptyTally(),
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

/** What earlier processes decided with the certificate. */
async function readStored({ tools }: WatchParts, watched: Watched, until?: string): Promise<void> {
  const { shelved, eventId, line, tally } = watched
  if (shelved === null) return
  for await (const { stored, arrivedAs } of arrivedDecisions(tools.store, shelved.certified.id)) {
    const { id, runId, questionId, kind, reason } = stored
    if (until !== undefined && arrivedAs >= until) return
    const { debate } = heldSchema.parse(JSON.parse(stored.decision))
    countDecision(tally, { kind, reason, rounds: debate.rounds.length })
    if (arrivedAs < eventId) continue
    line.arrived(id, { runId, questionId })
    line.scored(id, debate.rounds.length === 0 ? null : scoreOf(shelved, debate as unknown as Debate)) // scoreOf checks it
  }
}

/** There may be many, so only what is needed is looked at; `scoreOf` reads the rest as it reads any debate. */
const heldSchema = z.object({ debate: z.looseObject({ rounds: z.array(z.unknown()) }) })

/** Only the first round counts: later ones exist only for debates that were not acted on. */
function scoreOf({ scores }: Shelved, debate: Debate): number | null {
  const { id, group = null, options, rounds } = debate
  return scores.scoreOf({ id, group, options, rounds: rounds.slice(0, 1) })
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
