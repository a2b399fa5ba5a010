import { z } from 'zod'
import { reviewOf } from './decision-record.ts'
import { isDrawn } from './take-in.ts'

/** What the rows before a decision say about all decisions of the run. */
export interface RunFacts {
  readonly runId: string
  /** Null: the run does not say. */
  readonly isShadow: boolean | null
  /** What the coin of each question follows from; null: the run does not say. */
  readonly draw: { readonly seed: number; readonly spotCheckRate: number } | null
  /** Fields in which the panel is not the calibrated one; null: the run does not say. */
  readonly mismatch: readonly string[] | null
  readonly allowMismatch: boolean
  /** The reason for which every question is deferred. */
  readonly upFront: string | null
  readonly seen: ReadonlySet<string>
}

const recordSchema = z.looseObject({
  id: z.string(),
  runId: z.string(),
  questionId: z.string(),
  at: z.number(),
  kind: z.enum(['act', 'defer']),
  answer: z.string().nullable(),
  reason: z.string().nullable(),
  round: z.number(),
  bound: z.number().nullable(),
  path: z.array(z.looseObject({ lower: z.number().nullable(), threshold: z.number() })),
  isDrawn: z.boolean(),
  isShadow: z.boolean(),
  isSeen: z.boolean(),
  mismatch: z.array(z.string()),
  debate: z.looseObject({ id: z.string() }),
  review: z.object({ source: z.string(), reason: z.string().nullable() }).nullable(),
})

type Recorded = z.infer<typeof recordSchema>

export type RecordFacts = Pick<Recorded, 'questionId' | 'kind' | 'reason'>

/** What a decision says that contradicts itself or its run, in words; else the decision. Its arithmetic is not looked at. */
export function recordFault(body: unknown, facts: RunFacts): string | RecordFacts {
  const read = recordSchema.safeParse(body)
  if (!read.success) return `expected a decision: ${read.error.issues[0]?.path.join('.')} is missing or wrong`
  const record = read.data
  return (
    placeFault(record, facts) ?? kindFault(record) ?? runFault(record, facts) ?? reviewFault(record) ?? factsOf(record)
  )
}

/** Kept for every question: no more than needed. */
function factsOf({ questionId, kind, reason }: Recorded): RecordFacts {
  return { questionId, kind, reason }
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
  return round === path.length ? null : `it defers in round ${round} after looking at ${path.length}`
}

/** What is found out only while the panel answers. */
const FOUND_LATER = 'served'

function runFault(
  record: Recorded,
  { runId, isShadow, draw, mismatch, allowMismatch, upFront, seen }: RunFacts,
): string | null {
  const { questionId, kind } = record
  if (isShadow !== null && record.isShadow !== isShadow) return 'it is in shadow and its run is not, or the reverse'
  if (draw !== null && record.isDrawn !== isDrawn(questionId, { runId, ...draw }))
    return 'it is not drawn as the id and the seed of its run draw'
  if (seen.has(questionId) && !record.isSeen) return 'its question was calibrated on, and it does not say so'
  if (mismatch !== null) {
    const known = record.mismatch.filter((field) => field !== FOUND_LATER)
    if (known.join('\n') !== mismatch.join('\n')) return 'it names other differences of the panel than its run'
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
  return isSame ? null : 'whether a person reviews it does not follow from it'
}
