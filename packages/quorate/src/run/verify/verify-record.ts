import type { z } from 'zod'
import { decisionSchema } from '../../record/decision.ts'
import { reviewSchema } from '../../record/review.ts'
import { reviewOf } from '../decision-record.ts'
import { isSampled } from '../intake.ts'

/** What earlier rows say about all decisions of the run. */
export interface RunFacts {
  readonly runId: string
  /** Null: the run does not say. */
  readonly isShadow: boolean | null
  /** Null: the run samples nothing. */
  readonly samplingKeys: SamplingKeys | null
  /** Fields in which the panel differs from the calibrated one; null: the run does not say. */
  readonly mismatch: readonly string[] | null
  readonly allowMismatch: boolean
  /** The reason why every question is deferred; null if there is none. */
  readonly upFront: string | null
  readonly seen: ReadonlySet<string>
}

/** What the selections of a run are derived from. */
export interface SamplingKeys {
  /** Commitments to keys in the chain so far, in order. */
  readonly commitments: readonly string[]
  /** The keys that the bundle discloses, each checked against its commitment; null: not disclosed yet. */
  readonly keys: readonly (string | null)[]
  /** The rate of every question; null: it may change from question to question. */
  readonly rate: number | null
}

/** The ledger also records whether a person reviews the decision. */
const recordSchema = decisionSchema.extend({
  review: reviewSchema.pick({ source: true, reason: true }).nullable(),
})

type Recorded = z.infer<typeof recordSchema>

export interface RecordFacts extends Pick<Recorded, 'questionId' | 'kind' | 'reason'> {
  /** Whether the selection was repeated, or could not be because its key is not disclosed yet. */
  readonly selection: 'repeated' | 'unchecked'
}

/** How a decision contradicts itself or its run, in words; otherwise its facts. Its arithmetic is not checked here. */
export function recordFault(body: unknown, facts: RunFacts): string | RecordFacts {
  const read = recordSchema.safeParse(body)
  if (!read.success) return `expected a decision: ${read.error.issues[0]?.path.join('.')} is missing or wrong`
  const record = read.data
  return (
    placeFault(record, facts) ??
    kindFault(record) ??
    selectionFault(record, facts) ??
    runFault(record, facts) ??
    reviewFault(record) ??
    factsOf(record, facts)
  )
}

/** Only what is needed, because it is kept for every question. */
function factsOf({ questionId, kind, reason, sampling }: Recorded, { samplingKeys }: RunFacts): RecordFacts {
  const isUnchecked = sampling !== null && (samplingKeys?.keys[sampling.key - 1] ?? null) === null
  return { questionId, kind, reason, selection: isUnchecked ? 'unchecked' : 'repeated' }
}

/** A decision names its key and its rate, so its selection can be repeated. */
function selectionFault(
  { questionId, isSpotCheck, sampling }: Recorded,
  { runId, samplingKeys }: RunFacts,
): string | null {
  if (samplingKeys === null)
    return isSpotCheck || sampling !== null ? 'it is sampled in a run that samples nothing' : null
  if (sampling === null) return 'expected the key and the rate of its selection: sampling is null'
  const { key: number, rate } = sampling
  if (number > samplingKeys.commitments.length)
    return `it was selected with key ${number}, which the chain has not committed to`
  if (samplingKeys.rate !== null && rate !== samplingKeys.rate)
    return `it was selected with the rate ${rate}, but its run has ${samplingKeys.rate}`
  const key = samplingKeys.keys[number - 1] ?? null
  if (key === null) return null
  const isSame = isSpotCheck === isSampled(questionId, { runId, key, spotCheckRate: rate })
  return isSame ? null : 'repeated with the key of its run, its selection has another result'
}

function placeFault({ runId, questionId, debate }: Recorded, facts: RunFacts): string | null {
  if (runId !== facts.runId) return 'it is a decision of another run'
  return debate.id === questionId ? null : 'it is about another question than its debate'
}

function kindFault({ kind, answer, reason, bound, round, path }: Recorded): string | null {
  if (kind === 'act') {
    return answer !== null && bound !== null && reason === null ? null : 'it acts without an answer, or with a reason'
  }
  if (answer !== null || bound !== null || reason === null)
    return 'it defers with an answer or a bound, or for no reason'
  return round === path.length ? null : `it defers in round ${round} after ${path.length} assessed rounds`
}

/** The mismatch that is only found while the panel answers. */
const FOUND_LATER = 'served'

function runFault(record: Recorded, { isShadow, mismatch, allowMismatch, upFront, seen }: RunFacts): string | null {
  const { questionId, kind } = record
  if (isShadow !== null && record.isShadow !== isShadow) return 'it is in shadow and its run is not, or the reverse'
  if (seen.has(questionId) && !record.isSeen) return 'its question was calibrated on, and it does not say so'
  if (mismatch !== null) {
    const known = record.mismatch.filter((field) => field !== FOUND_LATER)
    if (known.join('\n') !== mismatch.join('\n')) return 'it names other differences of the panel than its run does'
    if (kind === 'act' && record.mismatch.length > 0 && !allowMismatch)
      return 'it acts with a panel that is not the calibrated one'
  }
  if (upFront !== null && record.reason !== upFront) return `its run defers every question as ${upFront}`
  return null
}

function reviewFault(record: Recorded): string | null {
  const wanted = reviewOf(record)
  const { review } = record
  const isSame = review?.source === wanted?.source && review?.reason === wanted?.reason
  return isSame ? null : 'its review does not match the decision'
}
