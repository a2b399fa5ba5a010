import { z } from 'zod'
import { closingFault, isFailure } from './verify-closing.ts'
import { type RecordFacts, type RunFacts, recordFault } from './verify-record.ts'
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
}

export function checkRun(): RunCheck {
  const told: Told = { facts: null, last: new Map() }
  const reviews = checkReviews((questionId) => told.last.has(questionId))
  return {
    next({ runId, kind, body }) {
      if (kind === 'run-opened') return takeOpening(told, runId, body)
      if (told.facts === null) return 'expected that the run is opened first'
      if (kind === 'run-resumed') return takeResuming(told, told.facts, body)
      if (kind === 'decision') return takeDecision(told, told.facts, body)
      if (kind === 'run-closed') return closingFault(body, { ...told.facts, decisions: [...told.last.values()] })
      if (kind === 'calls-archived')
        return archivedSchema.safeParse(body).success ? null : 'expected an archive of calls'
      const found = reviews.next(kind, body)
      return found === undefined ? `expected a kind of row that is known, got ${JSON.stringify(kind)}` : found
    },
  }
}

/** Changes with every row. */
interface Told {
  facts: OpenedFacts | null
  /** The latest decision of each question. */
  readonly last: Map<string, RecordFacts>
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

const openedSchema = z.looseObject({
  kind: z.enum(['debate', 'decide']),
  questions: z.number(),
  imported: z.boolean().optional(),
  // An import says none of these.
  isShadow: z.boolean().optional(),
  seed: z.number().optional(),
  spotCheckRate: z.number().optional(),
  ...overrides,
})

const archivedSchema = z.strictObject({ calls: z.int().min(0), digest: z.string() })

const resumedSchema = z.looseObject(overrides)

function takeOpening(told: Told, runId: string, body: unknown): string | null {
  if (told.facts !== null) return 'the run is opened a second time'
  const read = openedSchema.safeParse(body)
  if (!read.success) return faultOf(read.error, 'an opening')
  const { kind, questions, imported: isImported = false, isShadow = null, seed, spotCheckRate } = read.data
  // A run that was opened without questions takes them as they come, under a rate that may change.
  const draw = seed === undefined || spotCheckRate === undefined || questions === 0 ? null : { seed, spotCheckRate }
  told.facts = { kind, questions, isImported, runId, isShadow, draw, ...overridesOf(read.data) }
  return null
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

function takeDecision({ last }: Told, facts: OpenedFacts, body: unknown): string | null {
  const record = recordFault(body, facts)
  if (typeof record === 'string') return record
  const before = last.get(record.questionId)
  // Only a question that failed is asked and decided again.
  if (before !== undefined && !isFailure(before)) return `${JSON.stringify(record.questionId)} is decided a second time`
  last.set(record.questionId, record)
  return null
}

function faultOf(error: z.ZodError, what: string): string {
  return `expected ${what} of a run: ${error.issues[0]?.path.join('.') || 'a field'} is missing or wrong`
}
