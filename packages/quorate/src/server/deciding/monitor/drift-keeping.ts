import { setImmediate as nextTurn } from 'node:timers/promises'
import { canonicalJson, type Debate, readDebate, sha256 } from '@quorate/certificate'
import { z } from 'zod'
import {
  type ArrivedDebate,
  type DriftReport,
  driftWatch,
  MISSING_ETA,
  type WatchState,
} from '../../../monitor/drift-watch.ts'
import { USUAL_ETA } from '../../../monitor/risk-report.ts'
import { parseStored } from '../../../record/parse-stored.ts'
import type { ArrivedQuestion } from '../../../store/decisions/monitor-records.ts'
import type { Millis, Store } from '../../../store/store.ts'
import type { ServiceTools } from '../../services.ts'
import type { CachedCertificate } from '../certificate-cache.ts'
import { createDriftLine, type DriftLine, type DriftPlace, type ScoredArrival } from './drift-line.ts'

/** The drift monitor of a certificate since it restarted, and how far it has come in the store. */
export interface KeptDrift {
  readonly line: DriftLine
  /** Where a server that begins goes on from. */
  keep(): Promise<void>
}

export interface DriftBeginning {
  readonly cached: CachedCertificate | null
  /** The event that it began with, and the last arrival that does not count. */
  readonly eventId: string
  readonly since: number
}

type DriftTools = Pick<ServiceTools, 'store' | 'now'> & { readonly settings: { readonly seed: number } }

/** At the place that was kept last, else at its beginning. */
export async function openDrift(tools: DriftTools, { cached, ...beginning }: DriftBeginning): Promise<KeptDrift> {
  const { store, now, settings } = tools
  const reference = cached?.scores.reference ?? []
  const calibrated = cached?.certified.certificate.fingerprint.turns ?? null
  const watch = driftWatch({ eta: USUAL_ETA, reference, seed: settings.seed, calibrated })
  const start = { arrival: beginning.since, state: watch.start }
  if (cached === null) return { line: createDriftLine({ watch, from: start, read: async () => [] }), keep: nothing }
  const certificateId = cached.certified.id
  const key = keyOf(tools, beginning)
  const from = (await keptPlace(tools, { certificateId, ...beginning })) ?? start
  let last = from.arrival
  const line = createDriftLine({
    watch,
    from,
    read: async (page) => {
      const rows = await store.monitor.arrived({ certificateId, ...page })
      // There may be many pages, and requests wait meanwhile.
      await nextTurn()
      return scoredRows(store, rows, cached, now())
    },
  })
  return {
    line,
    async keep() {
      const { arrival, state } = line.place()
      if (arrival === last) return
      await store.monitor.keepDrift({ certificateId, key, arrival, state: JSON.stringify(state), at: now() })
      last = arrival
    },
  }
}

export type BegunDrift = Omit<DriftBeginning, 'cached'> & { readonly certificateId: string }

/** How far it has come, without opening the certificate: null before it was kept for the first time. */
export async function keptDrift(
  tools: DriftTools,
  begun: BegunDrift,
): Promise<{ readonly arrival: number; readonly report: DriftReport } | null> {
  const place = await keptPlace(tools, begun)
  if (place === null) return null
  const watch = driftWatch({ eta: USUAL_ETA, reference: [], seed: tools.settings.seed })
  return { arrival: place.arrival, report: watch.view(place.state) }
}

async function keptPlace(tools: DriftTools, { certificateId, ...beginning }: BegunDrift): Promise<DriftPlace | null> {
  const kept = await tools.store.monitor.findDrift(certificateId)
  if (kept === null || kept.key !== keyOf(tools, beginning)) return null
  return { arrival: kept.arrival, state: readState(kept.state) }
}

function keyOf({ settings }: DriftTools, { eventId, since }: Omit<DriftBeginning, 'cached'>): string {
  return sha256(canonicalJson(['drift', eventId, since, settings.seed, USUAL_ETA, MISSING_ETA]))
}

const nothing = async () => undefined

const stateSchema: z.ZodType<WatchState> = z.object({
  counts: z.array(z.int()),
  arrivals: z.int(),
  stakes: z.array(z.array(z.number())),
  capital: z.number(),
  largestCapital: z.number(),
  alarm: z.int().nullable(),
  missing: z.object({
    questions: z.int(),
    missing: z.number(),
    largestLogCapital: z.number(),
    alarm: z.int().nullable(),
  }),
})

function readState(json: string): WatchState {
  return parseStored(stateSchema, json, 'the state of the drift monitor')
}

/** So long after the last sign of its run a question that nobody goes on with is passed over. */
const PATIENCE_MS = 3_600_000

async function scoredRows(
  store: Store,
  rows: readonly ArrivedQuestion[],
  cached: CachedCertificate,
  now: Millis,
): Promise<readonly ScoredArrival[]> {
  const scored: ScoredArrival[] = []
  for (const row of rows) {
    const { arrival, runId, questionId } = row
    const found = storedSight(cached, row)
    const isGone = found === undefined && now - (await lastSign(store, row, now)) > PATIENCE_MS
    scored.push({ arrival, runId, questionId, ...(found ?? { score: isGone ? null : undefined }) })
    // It holds up those behind.
    if (found === undefined && !isGone) break
  }
  return scored
}

async function lastSign({ debates }: Store, { runId, arrivedAt }: ArrivedQuestion, now: Millis): Promise<Millis> {
  if (now - arrivedAt <= PATIENCE_MS) return arrivedAt
  const [latest] = await debates.latest({ after: null, limit: 1, filter: { runId }, now })
  return Math.max(arrivedAt, latest?.at ?? 0)
}

/** There may be many, so only what is needed is looked at; `scoreOf` reads the rest as it reads any debate. */
const debatedSchema = z.looseObject({ rounds: z.array(z.unknown()) })

function storedSight(cached: CachedCertificate, { status, debate }: ArrivedQuestion): FirstRound | undefined {
  const stored = debate === null ? null : parseStored(debatedSchema, debate, 'a debate')
  if (stored === null || stored.rounds.length === 0) return status === 'pending' ? undefined : NO_FIRST_ROUND
  return firstRoundOf(cached, stored as unknown as Debate) // firstRoundOf checks it
}

/** What the monitors read of a debate. */
type FirstRound = Required<Pick<ArrivedDebate, 'score' | 'missing'>>

const NO_FIRST_ROUND: FirstRound = Object.freeze({ score: null, missing: null })

/** Only the first round counts: later ones exist only for debates that were not acted on. */
export function firstRoundOf({ scores, certified }: CachedCertificate, debate: Debate | null): FirstRound {
  if (debate === null) return NO_FIRST_ROUND
  const { id, group = null, options, rounds } = debate
  const first = { id, group, options, rounds: rounds.slice(0, 1) }
  const { panel } = certified.certificate
  return {
    score: scores.scoreOf(first),
    missing: panel === null ? null : readDebate(first, { elicitation: panel.elicitation }).firstMissing,
  }
}
