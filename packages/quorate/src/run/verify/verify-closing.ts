import { z } from 'zod'
import type { RecordFacts } from './verify-record.ts'

/** What the rows of a run say before its closing row. */
export interface ClosedRun {
  readonly kind: 'debate' | 'decide'
  readonly isImported: boolean
  /** Number of questions; 0: the run takes questions as they come. */
  readonly questions: number
  /** The latest decision of each question. */
  readonly decisions: readonly RecordFacts[]
}

const count = z.number().int().min(0)
const statusesSchema = z.object({
  pending: count,
  done: count,
  'agent-failure': count,
  'time-out': count,
  error: count,
})
const closedSchema = z.looseObject({ statuses: statusesSchema, acted: count, deferred: z.record(z.string(), count) })
const importedSchema = z.looseObject({ questions: count })

type Statuses = z.infer<typeof statusesSchema>

/** How the closing row contradicts the rows before it; null if it does not. The decisions must account for all questions. */
export function closingFault(body: unknown, run: ClosedRun): string | null {
  if (run.isImported) {
    const imported = importedSchema.safeParse(body)
    return imported.success ? countFault('questions', imported.data.questions, run.questions) : NO_END
  }
  const closed = closedSchema.safeParse(body)
  if (!closed.success) return NO_END
  const { statuses, acted, deferred } = closed.data
  const { kind, decisions, questions } = run
  return (
    statusesFault(statuses, questions) ??
    countFault('actions', acted, decisions.filter((decision) => decision.kind === 'act').length) ??
    deferralsFault(deferred, decisions) ??
    (kind === 'debate' ? null : outcomesFault(statuses, decisions))
  )
}

/** Whether the question may be asked and decided again: its debate failed, and not because of the spend cap. */
export function mayBeAskedAgain(reason: string | null): boolean {
  return FAILED_STATUSES.some((status) => status === reason)
}

const NO_END = 'expected the end of a run: a count is missing or wrong'
/** Failures that a question has as its status too. A question that the spend cap ended has the status done. */
const FAILED_STATUSES = ['agent-failure', 'time-out'] as const

function statusesFault(statuses: Statuses, questions: number): string | null {
  const all = Object.values(statuses).reduce((sum, each) => sum + each, 0)
  return (
    countFault('pending questions', statuses.pending, 0) ??
    (questions === 0 ? null : countFault('questions', all, questions))
  )
}

function deferralsFault(named: Readonly<Record<string, number>>, decisions: readonly RecordFacts[]): string | null {
  const counts = new Map(Object.keys(named).map((reason) => [reason, 0]))
  for (const { reason } of decisions) if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  for (const [reason, found] of counts) {
    if (mayBeAskedAgain(reason)) continue
    const fault = countFault(`deferrals for ${reason}`, Object.hasOwn(named, reason) ? (named[reason] ?? 0) : 0, found)
    if (fault !== null) return fault
  }
  return null
}

/** A failed question whose text was erased before it was asked again has the status error, but keeps its decision. */
function outcomesFault(statuses: Statuses, decisions: readonly RecordFacts[]): string | null {
  const done = decisions.filter(({ reason }) => !mayBeAskedAgain(reason)).length
  let erased = 0
  for (const failure of FAILED_STATUSES) {
    const found = decisions.filter(({ reason }) => reason === failure).length
    if (statuses[failure] > found) return countFault(`deferrals for ${failure}`, statuses[failure], found)
    erased += found - statuses[failure]
  }
  return countFault('decisions', statuses.done, done) ?? (erased <= statuses.error ? null : 'it leaves out failures')
}

function countFault(what: string, named: number, found: number): string | null {
  return named === found ? null : `it names ${named} ${what}, the chain has ${found}`
}
