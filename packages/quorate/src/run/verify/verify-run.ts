import { z } from 'zod'
import { commitmentOf } from '../take-in.ts'
import { closingFault, isFailure } from './verify-closing.ts'
import { type CoinFacts, type RecordFacts, type RunFacts, recordFault } from './verify-record.ts'
import { checkReviews } from './verify-review.ts'

/** A row of the chain, as far as it says what happened. */
export interface ToldRow {
  readonly runId: string
  readonly kind: string
  readonly body: unknown
}

/** Whether the rows of a chain, in order, tell one run. A chain can be whole and say what no run would. */
export interface RunCheck {
  /** What no run would have written here; null for a row that follows from the ones before it. */
  next(row: ToldRow): string | null
  /** What is wrong with the whole; null: nothing. */
  end(): string | null
  /** Coins of decisions that were tossed again, and those whose key is not disclosed yet. */
  coins(): { readonly tossed: number; readonly sealed: number }
}

/** A sampling key as the first line of a bundle has it. */
export interface DisclosedKey {
  readonly commitment: string
  /** Null: not disclosed yet. */
  readonly key: string | null
}

export function checkRun(keys: readonly DisclosedKey[]): RunCheck {
  const told: Told = { facts: null, last: new Map(), isClosed: false, coins: { tossed: 0, sealed: 0 }, keys }
  const reviews = checkReviews((questionId) => told.last.has(questionId))
  return {
    next({ runId, kind, body }) {
      if (kind === 'run-opened') return takeOpening(told, runId, body)
      if (told.facts === null) return 'expected that the run is opened first'
      if (kind === 'run-resumed') return takeResuming(told, told.facts, body)
      if (kind === 'decision') return takeDecision(told, told.facts, body)
      if (kind === 'sampling-key') return takeKey(told, told.facts, body)
      if (kind === 'run-closed') {
        told.isClosed = true
        return closingFault(body, { ...told.facts, decisions: [...told.last.values()] })
      }
      if (kind === 'calls-archived')
        return archivedSchema.safeParse(body).success ? null : 'expected an archive of calls'
      const found = reviews.next(kind, body)
      return found === undefined ? `expected a kind of row that is known, got ${JSON.stringify(kind)}` : found
    },
    end: () => keysFault(told),
    coins: () => told.coins,
  }
}

/** Changes with every row. */
interface Told {
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
  // An import says none of these.
  isShadow: z.boolean().optional(),
  spotCheckRate: z.number().optional(),
  samplingCommitment: commitment.nullable().optional(),
  ...overrides,
})

const archivedSchema = z.strictObject({ calls: z.int().min(0), digest: z.string() })

const resumedSchema = z.looseObject(overrides)

function takeOpening(told: Told, runId: string, body: unknown): string | null {
  if (told.facts !== null) return 'the run is opened a second time'
  const read = openedSchema.safeParse(body)
  if (!read.success) return faultOf(read.error, 'an opening')
  const { kind, questions, imported: isImported = false, isShadow = null, spotCheckRate = null } = read.data
  const { samplingCommitment = null } = read.data
  if (kind === 'decide' && !isImported && samplingCommitment === null) return 'it does not commit to a sampling key'
  const coins = samplingCommitment === null ? null : committed(told, [samplingCommitment])
  if (typeof coins === 'string') return coins
  // A run that was opened without questions takes them as they come, under a rate that may change.
  const rate = questions === 0 ? null : spotCheckRate
  told.facts = {
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
function committed({ keys }: Told, commitments: readonly string[]): Omit<CoinFacts, 'rate'> | string {
  const last = commitments.length - 1
  const named = keys[last]
  if (named?.commitment !== commitments[last])
    return `line 1 does not name the sampling key ${last + 1} that the chain commits to`
  if (named !== undefined && named.key !== null && commitmentOf(named.key) !== named.commitment)
    return `the sampling key ${last + 1} of line 1 is not the one that the chain commits to`
  return { commitments, keys: keys.slice(0, commitments.length).map(({ key }) => key) }
}

function takeKey(told: Told, facts: OpenedFacts, body: unknown): string | null {
  const read = keySchema.safeParse(body)
  if (!read.success) return faultOf(read.error, 'a sampling key')
  if (facts.coins === null) return 'a run that samples nothing has no sampling key'
  const commitments = [...facts.coins.commitments, read.data.commitment]
  if (read.data.number !== commitments.length)
    return `expected the sampling key ${commitments.length}, got ${read.data.number}`
  const coins = committed(told, commitments)
  if (typeof coins === 'string') return coins
  told.facts = { ...facts, coins: { ...facts.coins, ...coins } }
  return null
}

/** A key that nothing is sampled with any more must be disclosed: else a coin could be kept from being tossed again. */
function keysFault({ facts, keys, isClosed }: Told): string | null {
  if (facts === null || facts.coins === null)
    return keys.length === 0 ? null : 'line 1 names sampling keys of a run that samples nothing'
  const withheld = keys.findIndex(({ key }, index) => key === null && (isClosed || index < keys.length - 1))
  return withheld < 0
    ? null
    : `line 1 withholds the sampling key ${withheld + 1}, though nothing is sampled with it any more`
}

function takeResuming(told: Told, facts: OpenedFacts, body: unknown): string | null {
  const read = resumedSchema.safeParse(body)
  if (!read.success) return faultOf(read.error, 'a resumption')
  told.facts = { ...facts, ...overridesOf(read.data) }
  return null
}

function overridesOf(body: z.infer<typeof resumedSchema>): Pick<RunFacts, keyof typeof overrides> {
  const { mismatch = null, allowMismatch = false, upFront = null, seen = [] } = body
  return { mismatch, allowMismatch, upFront, seen: new Set(seen) }
}

function takeDecision({ last, coins }: Told, facts: OpenedFacts, body: unknown): string | null {
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
