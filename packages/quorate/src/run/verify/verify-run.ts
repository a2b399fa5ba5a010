import { z } from 'zod'
import type { RunLedgerKind } from '../../record/ledger.ts'
import { sampleSchema } from '../exchange/regrade-sample.ts'
import { commitmentOf } from '../intake.ts'
import { closingFault, mayBeAskedAgain } from './verify-closing.ts'
import { type RecordFacts, type RunFacts, recordFault, type SamplingKeys } from './verify-record.ts'

/** Why no run would have written a row of this kind; null if it follows from the earlier rows. */
type RowCheck = (body: unknown) => string | null

const reviewSchema = z.looseObject({ reviewId: z.string(), questionId: z.string(), outcome: z.looseObject({}) })
const certifiedSchema = z.looseObject({
  decisionId: z.string(),
  questionId: z.string(),
  debate: z.looseObject({ id: z.string() }),
})

const itemSchema = z.strictObject({ reviewId: z.string(), questionId: z.string(), by: z.string() })
const releasedSchema = itemSchema.extend({ reviewer: z.string() })
const assignedSchema = itemSchema.extend({ assignedTo: z.string().nullable(), dueAt: z.number().nullable() })
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
  /** Selections of spot checks that were repeated, and those whose key is not disclosed yet. */
  selections(): { readonly repeated: number; readonly unchecked: number }
}

/** A sampling key in the first line of a bundle. */
export interface DisclosedKey {
  readonly commitment: string
  /** Null: not disclosed yet. */
  readonly key: string | null
}

export function checkRun(keys: readonly DisclosedKey[]): RunCheck {
  const seen: Seen = { facts: null, last: new Map(), isClosed: false, selections: { repeated: 0, unchecked: 0 }, keys }
  const checks = rowChecks(seen)
  return {
    next({ runId, kind, body }) {
      if (kind === 'run-opened') return takeOpening(seen, runId, body)
      if (seen.facts === null) return 'the run must be opened first'
      if (isKind(checks, kind)) return checks[kind](body, seen.facts)
      return `expected a kind of row that is known, got ${JSON.stringify(kind)}`
    },
    end: () => keysFault(seen),
    selections: () => seen.selections,
  }
}

type OpenedCheck = (body: unknown, facts: OpenedFacts) => string | null

/** One check for each kind of row that a run writes after its opening. */
function rowChecks(seen: Seen): Record<Exclude<RunLedgerKind, 'run-opened'>, OpenedCheck> {
  return {
    'run-resumed': (body, facts) => takeResuming(seen, facts, body),
    'run-closed': (body, facts) => takeClosing(seen, facts, body),
    'sampling-key': (body, facts) => takeKey(seen, facts, body),
    decision: (body, facts) => takeDecision(seen, facts, body),
    ...reviewChecks((questionId) => seen.last.has(questionId)),
    'round-certified': certifiedFault,
    'calls-archived': matches(archivedSchema, 'an archive of calls'),
    'regrades-sampled': matches(sampleSchema, 'the ids of the sampled debates'),
    'blind-revealed': matches(revealedSchema, 'the question and the person who saw it'),
  }
}

function isKind<Kind extends string>(checks: Readonly<Record<Kind, unknown>>, kind: string): kind is Kind {
  return Object.hasOwn(checks, kind)
}

/** For a row whose body says everything that can be checked. */
function matches(schema: z.ZodType, what: string): RowCheck {
  return (body) => (schema.safeParse(body).success ? null : `expected ${what}`)
}

/** State of the check; changes with every row. */
interface Seen {
  facts: OpenedFacts | null
  /** The latest decision of each question. */
  readonly last: Map<string, RecordFacts>
  isClosed: boolean
  readonly selections: { repeated: number; unchecked: number }
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
  const samplingKeys = samplingCommitment === null ? null : committed(seen, [samplingCommitment])
  if (typeof samplingKeys === 'string') return samplingKeys
  // A run that was opened without questions takes them as they come, with a rate that may change.
  const rate = questions === 0 ? null : spotCheckRate
  seen.facts = {
    kind,
    questions,
    isImported,
    runId,
    isShadow,
    ...overridesOf(read.data),
    samplingKeys: samplingKeys && { ...samplingKeys, rate },
  }
  return null
}

/** The chain and the first line must name the same keys. */
function committed({ keys }: Seen, commitments: readonly string[]): Omit<SamplingKeys, 'rate'> | string {
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
  if (facts.samplingKeys === null) return 'a run that samples nothing has no sampling key'
  const commitments = [...facts.samplingKeys.commitments, read.data.commitment]
  if (read.data.number !== commitments.length)
    return `expected the sampling key ${commitments.length}, got ${read.data.number}`
  const samplingKeys = committed(seen, commitments)
  if (typeof samplingKeys === 'string') return samplingKeys
  seen.facts = { ...facts, samplingKeys: { ...facts.samplingKeys, ...samplingKeys } }
  return null
}

/** A key that is no longer in use must be disclosed, so that every selection can be repeated. */
function keysFault({ facts, keys, isClosed }: Seen): string | null {
  if (facts === null || facts.samplingKeys === null)
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

function takeClosing(seen: Seen, facts: OpenedFacts, body: unknown): string | null {
  seen.isClosed = true
  return closingFault(body, { ...facts, decisions: [...seen.last.values()] })
}

function overridesOf(body: z.infer<typeof resumedSchema>) {
  const { mismatch = null, allowMismatch = false, upFront = null, seen = [] } = body
  return { mismatch, allowMismatch, upFront, seen: new Set(seen) }
}

function takeDecision({ last, selections }: Seen, facts: OpenedFacts, body: unknown): string | null {
  const record = recordFault(body, facts)
  if (typeof record === 'string') return record
  const before = last.get(record.questionId)
  // Only a question that failed is asked and decided again.
  if (before !== undefined && !mayBeAskedAgain(before.reason))
    return `${JSON.stringify(record.questionId)} is decided a second time`
  last.set(record.questionId, record)
  selections[record.selection] += 1
  return null
}

function faultOf(error: z.ZodError, what: string): string {
  return `expected ${what} of a run: ${error.issues[0]?.path.join('.') || 'a field'} is missing or wrong`
}

type ReviewKind = Extract<RunLedgerKind, `review${string}` | 'claim-released'>

/** A decided question is reviewed once, and only a submitted review is undone. */
export function reviewChecks(isDecided: (questionId: string) => boolean): Record<ReviewKind, RowCheck> {
  const reviewed = new Set<string>()

  function changed(body: unknown, kind: 'review' | 'review-undone' | 'review-retracted'): string | null {
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
  }

  function handled(schema: typeof itemSchema, what: string): RowCheck {
    return (body) => {
      const read = schema.safeParse(body)
      if (!read.success) return `expected ${what}`
      const { questionId } = read.data
      return isDecided(questionId) ? null : `expected that ${JSON.stringify(questionId)} is decided before its review`
    }
  }

  return {
    review: (body) => changed(body, 'review'),
    'review-undone': (body) => changed(body, 'review-undone'),
    'review-retracted': (body) => changed(body, 'review-retracted'),
    'review-assigned': handled(assignedSchema, 'the item, who reviews it, until when, and who assigned it'),
    'review-requested': handled(itemSchema, 'the item and the person who requested its review'),
    'claim-released': handled(releasedSchema, 'the claim, its reviewer and who released it'),
  }
}

/** Checks a round of a caller's debate that decided nothing. */
function certifiedFault(body: unknown): string | null {
  const read = certifiedSchema.safeParse(body)
  if (!read.success) return 'expected a certified round: a field is missing or wrong'
  return read.data.debate.id === read.data.questionId ? null : 'it is about another question than its debate'
}
