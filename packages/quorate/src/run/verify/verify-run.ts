import { z } from 'zod'
import { SAMPLED, sampleSchema } from '../exchange/regrade-sample.ts'
import { commitmentOf } from '../intake.ts'
import { closingFault, isFailure } from './verify-closing.ts'
import { type CoinFacts, type RecordFacts, type RunFacts, recordFault } from './verify-record.ts'

/** Checks rows that reviews and callers add to a chain, besides its decisions. */
interface ReviewCheck {
  /** Why no run would have written this row; null if it follows from the earlier rows; undefined: another kind of row. */
  next(kind: string, body: unknown): string | null | undefined
}

const reviewSchema = z.looseObject({ reviewId: z.string(), questionId: z.string(), outcome: z.looseObject({}) })
const certifiedSchema = z.looseObject({
  decisionId: z.string(),
  questionId: z.string(),
  debate: z.looseObject({ id: z.string() }),
})

const releasedSchema = z.strictObject({
  reviewId: z.string(),
  questionId: z.string(),
  reviewer: z.string(),
  by: z.string(),
})
const revealedSchema = z.looseObject({ questionId: z.string(), by: z.string() })

/** The part of a row that says what happened. */
export interface ChainRow {
  readonly runId: string
  readonly kind: string
  readonly body: unknown
}

/** Checks that the rows of a chain, in order, could come from one run. A whole chain may still say what no run would. */
export interface RunCheck {
  /** Why no run would have written this row; null if it follows from the earlier rows. */
  next(row: ChainRow): string | null
  /** What is wrong with the run as a whole; null: nothing. */
  end(): string | null
  /** Coins of decisions that were tossed again, and those whose key is not disclosed yet. */
  coins(): { readonly tossed: number; readonly sealed: number }
}

/** A sampling key in the first line of a bundle. */
export interface DisclosedKey {
  readonly commitment: string
  /** Null: not disclosed yet. */
  readonly key: string | null
}

export function checkRun(keys: readonly DisclosedKey[]): RunCheck {
  const seen: Seen = { facts: null, last: new Map(), isClosed: false, coins: { tossed: 0, sealed: 0 }, keys }
  const reviews = checkReviews((questionId) => seen.last.has(questionId))
  return {
    next({ runId, kind, body }) {
      if (kind === 'run-opened') return takeOpening(seen, runId, body)
      if (seen.facts === null) return 'the run must be opened first'
      if (kind === 'run-resumed') return takeResuming(seen, seen.facts, body)
      if (kind === 'decision') return takeDecision(seen, seen.facts, body)
      if (kind === 'sampling-key') return takeKey(seen, seen.facts, body)
      if (kind === 'run-closed') {
        seen.isClosed = true
        return closingFault(body, { ...seen.facts, decisions: [...seen.last.values()] })
      }
      if (kind === 'calls-archived')
        return archivedSchema.safeParse(body).success ? null : 'expected an archive of calls'
      const found = reviews.next(kind, body)
      return found === undefined ? `expected a kind of row that is known, got ${JSON.stringify(kind)}` : found
    },
    end: () => keysFault(seen),
    coins: () => seen.coins,
  }
}

/** State of the check; changes with every row. */
interface Seen {
  facts: OpenedFacts | null
  /** The latest decision of each question. */
  readonly last: Map<string, RecordFacts>
  isClosed: boolean
  readonly coins: { tossed: number; sealed: number }
  readonly keys: readonly DisclosedKey[]
}

interface OpenedFacts extends RunFacts {
  readonly kind: 'debate' | 'decide'
  readonly questions: number
  readonly isImported: boolean
}

/** What may change when a run is resumed. */
const overrides = {
  mismatch: z.array(z.string()).optional(),
  allowMismatch: z.boolean().optional(),
  upFront: z.string().nullable().optional(),
  seen: z.array(z.string()).optional(),
}

const commitment = z.string().regex(/^[0-9a-f]{64}$/)
const keySchema = z.strictObject({ number: z.int().min(2), commitment })

const openedSchema = z.looseObject({
  kind: z.enum(['debate', 'decide']),
  questions: z.number(),
  imported: z.boolean().optional(),
  // An import has none of these.
  isShadow: z.boolean().optional(),
  spotCheckRate: z.number().optional(),
  samplingCommitment: commitment.nullable().optional(),
  ...overrides,
})

const archivedSchema = z.strictObject({ calls: z.int().min(0), digest: z.string() })

const resumedSchema = z.looseObject(overrides)

function takeOpening(seen: Seen, runId: string, body: unknown): string | null {
  if (seen.facts !== null) return 'the run is opened a second time'
  const read = openedSchema.safeParse(body)
  if (!read.success) return faultOf(read.error, 'an opening')
  const { kind, questions, imported: isImported = false, isShadow = null, spotCheckRate = null } = read.data
  const { samplingCommitment = null } = read.data
  if (kind === 'decide' && !isImported && samplingCommitment === null) return 'it does not commit to a sampling key'
  const coins = samplingCommitment === null ? null : committed(seen, [samplingCommitment])
  if (typeof coins === 'string') return coins
  // A run that was opened without questions takes them as they come, with a rate that may change.
  const rate = questions === 0 ? null : spotCheckRate
  seen.facts = {
    kind,
    questions,
    isImported,
    runId,
    isShadow,
    ...overridesOf(read.data),
    coins: coins && { ...coins, rate },
  }
  return null
}

/** The chain and the first line must name the same keys. */
function committed({ keys }: Seen, commitments: readonly string[]): Omit<CoinFacts, 'rate'> | string {
  const last = commitments.length - 1
  const named = keys[last]
  if (named?.commitment !== commitments[last])
    return `line 1 does not name the sampling key ${last + 1} that the chain commits to`
  if (named !== undefined && named.key !== null && commitmentOf(named.key) !== named.commitment)
    return `the sampling key ${last + 1} of line 1 is not the one that the chain commits to`
  return { commitments, keys: keys.slice(0, commitments.length).map(({ key }) => key) }
}

function takeKey(seen: Seen, facts: OpenedFacts, body: unknown): string | null {
  const read = keySchema.safeParse(body)
  if (!read.success) return faultOf(read.error, 'a sampling key')
  if (facts.coins === null) return 'a run that samples nothing has no sampling key'
  const commitments = [...facts.coins.commitments, read.data.commitment]
  if (read.data.number !== commitments.length)
    return `expected the sampling key ${commitments.length}, got ${read.data.number}`
  const coins = committed(seen, commitments)
  if (typeof coins === 'string') return coins
  seen.facts = { ...facts, coins: { ...facts.coins, ...coins } }
  return null
}

/** A key that is no longer in use must be disclosed, so that no coin can be kept from being tossed again. */
function keysFault({ facts, keys, isClosed }: Seen): string | null {
  if (facts === null || facts.coins === null)
    return keys.length === 0 ? null : 'line 1 names sampling keys of a run that samples nothing'
  const withheld = keys.findIndex(({ key }, index) => key === null && (isClosed || index < keys.length - 1))
  return withheld < 0 ? null : `line 1 withholds the sampling key ${withheld + 1}, although it is no longer in use`
}

function takeResuming(seen: Seen, facts: OpenedFacts, body: unknown): string | null {
  const read = resumedSchema.safeParse(body)
  if (!read.success) return faultOf(read.error, 'a resumption')
  seen.facts = { ...facts, ...overridesOf(read.data) }
  return null
}

function overridesOf(body: z.infer<typeof resumedSchema>) {
  const { mismatch = null, allowMismatch = false, upFront = null, seen = [] } = body
  return { mismatch, allowMismatch, upFront, seen: new Set(seen) }
}

function takeDecision({ last, coins }: Seen, facts: OpenedFacts, body: unknown): string | null {
  const record = recordFault(body, facts)
  if (typeof record === 'string') return record
  const before = last.get(record.questionId)
  // Only a question that failed is asked and decided again.
  if (before !== undefined && !isFailure(before)) return `${JSON.stringify(record.questionId)} is decided a second time`
  last.set(record.questionId, record)
  coins[record.coin] += 1
  return null
}

function faultOf(error: z.ZodError, what: string): string {
  return `expected ${what} of a run: ${error.issues[0]?.path.join('.') || 'a field'} is missing or wrong`
}

/** A decided question is reviewed once, and only a submitted review is undone. */
export function checkReviews(isDecided: (questionId: string) => boolean): ReviewCheck {
  const reviewed = new Set<string>()
  return {
    next(kind, body) {
      if (kind === 'certified') return certifiedFault(body)
      if (kind === 'claim-released')
        return releasedSchema.safeParse(body).success ? null : 'expected the claim, its reviewer and who released it'
      if (kind === SAMPLED)
        return sampleSchema.safeParse(body).success ? null : 'expected the ids of the sampled debates'
      if (kind === 'blind-revealed')
        return revealedSchema.safeParse(body).success ? null : 'expected the question and the person who saw it'
      if (!['review', 'review-undone', 'review-retracted'].includes(kind)) return undefined
      const read = reviewSchema.safeParse(body)
      if (!read.success)
        return `expected a review: ${read.error.issues[0]?.path.join('.') || 'a field'} is missing or wrong`
      const { reviewId, questionId } = read.data
      if (!isDecided(questionId)) return `expected that ${JSON.stringify(questionId)} is decided before its review`
      const isReviewed = reviewed.has(reviewId)
      if (kind === 'review') {
        reviewed.add(reviewId)
        return isReviewed ? `${JSON.stringify(questionId)} is reviewed a second time` : null
      }
      if (kind === 'review-undone') reviewed.delete(reviewId)
      return isReviewed ? null : `a review of ${JSON.stringify(questionId)} is undone that was never submitted`
    },
  }
}

/** Checks a round of a caller's debate that decided nothing. */
function certifiedFault(body: unknown): string | null {
  const read = certifiedSchema.safeParse(body)
  if (!read.success) return 'expected a certified round: a field is missing or wrong'
  return read.data.debate.id === read.data.questionId ? null : 'it is about another question than its debate'
}
