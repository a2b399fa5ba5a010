import { setImmediate as nextTurn } from 'node:timers/promises'
import { canonicalJson, type Debate, parseDebate, sha256 } from '@quorate/certificate'
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
import { createDriftSequence, type DriftPlace, type DriftSequence, type ScoredArrival } from './drift-sequence.ts'

/** The drift monitor of a certificate since it restarted. */
export interface StoredDrift {
  readonly sequence: DriftSequence
  /** Stores the current place, from which the next server continues. */
  save(): Promise<void>
}

export interface DriftBeginning {
  readonly cached: CachedCertificate | null
  /** The release at which it restarted; empty: none. */
  readonly eventId: string
  /** The last arrival that does not count. */
  readonly since: number
}

type DriftTools = Pick<ServiceTools, 'store' | 'now'> & { readonly settings: { readonly seed: number } }

/** Continues from the stored place, else from the beginning. */
export async function openDrift(tools: DriftTools, { cached, ...beginning }: DriftBeginning): Promise<StoredDrift> {
  const { store, now, settings } = tools
  const reference = cached?.scores.reference ?? []
  const calibrated = cached?.certified.certificate.fingerprint.turns ?? null
  const watch = driftWatch({ eta: USUAL_ETA, reference, seed: settings.seed, calibrated })
  const start = { arrival: beginning.since, state: watch.start }
  if (cached === null) {
    const sequence = createDriftSequence({ watch, from: start, read: async () => [] })
    return { sequence, save: async () => undefined }
  }
  const certificateId = cached.certified.id
  const key = keyOf(tools, beginning)
  const from = (await storedPlace(tools, { certificateId, ...beginning })) ?? start
  let saved = from.arrival
  const sequence = createDriftSequence({
    watch,
    from,
    read: async (page) => {
      const rows = await store.monitor.arrived({ certificateId, ...page })
      // There may be many pages, so requests get a turn in between.
      await nextTurn()
      return scoredRows(store, rows, cached, now())
    },
  })
  return {
    sequence,
    async save() {
      const { arrival, state } = sequence.place()
      if (arrival === saved) return
      await store.monitor.keepDrift({ certificateId, key, arrival, state: JSON.stringify(state), at: now() })
      saved = arrival
    },
  }
}

export type BegunDrift = Omit<DriftBeginning, 'cached'> & { readonly certificateId: string }

/** The stored place and its report, without opening the certificate; null: nothing was stored yet. */
export async function readStoredDrift(
  tools: DriftTools,
  begun: BegunDrift,
): Promise<{ readonly arrival: number; readonly report: DriftReport } | null> {
  const place = await storedPlace(tools, begun)
  if (place === null) return null
  const watch = driftWatch({ eta: USUAL_ETA, reference: [], seed: tools.settings.seed })
  return { arrival: place.arrival, report: watch.view(place.state) }
}

async function storedPlace(tools: DriftTools, { certificateId, ...beginning }: BegunDrift): Promise<DriftPlace | null> {
  const stored = await tools.store.monitor.findDrift(certificateId)
  if (stored === null || stored.key !== keyOf(tools, beginning)) return null
  return { arrival: stored.arrival, state: readState(stored.state) }
}

function keyOf({ settings }: DriftTools, { eventId, since }: Omit<DriftBeginning, 'cached'>): string {
  return sha256(canonicalJson(['drift', eventId, since, settings.seed, USUAL_ETA, MISSING_ETA]))
}

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

/** A pending question is skipped this long after the last activity of its run. */
const GIVE_UP_MS = 3_600_000

async function scoredRows(
  store: Store,
  rows: readonly ArrivedQuestion[],
  cached: CachedCertificate,
  now: Millis,
): Promise<readonly ScoredArrival[]> {
  const scored: ScoredArrival[] = []
  for (const row of rows) {
    const { arrival, runId, questionId } = row
    const found = storedFirstRound(cached, row)
    const isGone = found === undefined && now - (await lastActivity(store, row, now)) > GIVE_UP_MS
    scored.push({ arrival, runId, questionId, ...(found ?? { score: isGone ? null : undefined }) })
    // Later arrivals must wait for it.
    if (found === undefined && !isGone) break
  }
  return scored
}

async function lastActivity({ debates }: Store, { runId, arrivedAt }: ArrivedQuestion, now: Millis): Promise<Millis> {
  if (now - arrivedAt <= GIVE_UP_MS) return arrivedAt
  const [latest] = await debates.latest({ after: null, limit: 1, filter: { runId }, now })
  return Math.max(arrivedAt, latest?.at ?? 0)
}

/** There may be many debates, so only this is checked here. `firstRoundOf` reads the rest as it reads any debate. */
const debatedSchema = z.looseObject({ rounds: z.array(z.unknown()) })

/** Undefined: it is still being debated. */
function storedFirstRound(cached: CachedCertificate, { status, debate }: ArrivedQuestion): FirstRound | undefined {
  const stored = debate === null ? null : parseStored(debatedSchema, debate, 'a debate')
  if (stored === null || stored.rounds.length === 0) return status === 'pending' ? undefined : NO_FIRST_ROUND
  return firstRoundOf(cached, stored as unknown as Debate) // firstRoundOf checks it
}

/** The part of a debate that the monitors read. */
type FirstRound = Required<Pick<ArrivedDebate, 'score' | 'missing'>>

const NO_FIRST_ROUND: FirstRound = Object.freeze({ score: null, missing: null })

/** Only the first round counts, because later ones exist only for debates that were not acted on. */
export function firstRoundOf({ scores, certified }: CachedCertificate, debate: Debate | null): FirstRound {
  if (debate === null) return NO_FIRST_ROUND
  const { id, group = null, options, rounds } = debate
  const first = { id, group, options, rounds: rounds.slice(0, 1) }
  const { panel } = certified.certificate
  return {
    score: scores.scoreOf(first),
    missing: panel === null ? null : parseDebate(first, { elicitation: panel.elicitation }).firstMissing,
  }
}
