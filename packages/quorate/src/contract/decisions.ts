import { z } from 'zod'
import { turnSchema } from '../record/answer.ts'
import { foundSchema } from '../record/decision.ts'
import { LIMITS } from '../record/limits.ts'
import { idSchema, plainNameSchema, textSchema } from '../record/names.ts'
import { fieldsSchema, optionsSchema } from '../record/question.ts'
import { turnCountsSchema } from './figures.ts'

/** What was found about a debate, or about its rounds so far. */
const foundSoFarSchema = foundSchema.extend({
  kind: z.enum([...foundSchema.shape.kind.options, 'continue']),
  bound: foundSchema.shape.bound.describe(
    'The bound of the action. Otherwise, unlike in the record, the lower bound of the last round; null if it has none',
  ),
})

/** The decision of a debate, or of the rounds so far. */
export const verdictSchema = foundSoFarSchema.extend({
  /** The reason in words; null unless it defers. */
  reasonText: z.string().nullable(),
  /** In plain words, who or what caused the reason `uncalibrated` or `agent-failure`, if it is known. */
  detail: z.string().optional(),
  /** The text of an open answer, whose class is `answer`; absent for options, and once erased. */
  answerText: z.string().optional(),
  threshold: z.number(),
})
export type VerdictFigures = z.infer<typeof verdictSchema>

const turnInputSchema = turnSchema
  .omit({ usage: true, served: true })
  .extend({ agent: plainNameSchema, text: textSchema.nullable().optional() })

/** POST /v1/certify: all rounds so far of the caller's debate. */
export const certifyInputSchema = z.object({
  /** Id of the certificate; the active one unless given. */
  certificate: z.string().min(1).max(200).optional(),
  id: idSchema,
  /** Key of the question that is debated, if several debates share one; `id` unless given. */
  question_of: plainNameSchema.nullable().optional(),
  /** Text of the question, for the reviewer. */
  question: textSchema.optional(),
  options: optionsSchema(LIMITS.fewestOptions, textSchema),
  group: plainNameSchema.nullable().optional(),
  fields: fieldsSchema,
  rounds: z.array(z.array(turnInputSchema).min(1).max(LIMITS.agents)).min(1).max(LIMITS.rounds),
})
export type CertifyInput = z.infer<typeof certifyInputSchema>

/** The decision of POST /v1/certify, before anything is hidden. */
export const certifyAnswerSchema = verdictSchema.extend({
  decisionId: z.string(),
  id: z.string(),
  /** The run of all debates that this token posts for this certificate. */
  runId: z.string(),
  certificate: z.string(),
  /** Sampled for a spot check: continue the debate to the last round and post it, whatever the decision is. */
  isSpotCheck: z.boolean(),
  isShadow: z.boolean(),
  isHidden: z.literal(false),
  /**
   * How the question was compared with the calibration questions, about which the certificate promises nothing. `id`: no text
   * was sent, or the certificate has none to compare with. The question is decided and counted either way.
   */
  comparedBy: z.enum(['text', 'id']),
  /** How the turns of all rounds were read. */
  turns: turnCountsSchema,
  claim: z.array(z.string()),
})
export type CertifyAnswer = z.infer<typeof certifyAnswerSchema>

/** What was found, as it is shown while the decision is hidden. */
export const HIDDEN_FIGURES = { ...nullsOf(foundSoFarSchema.shape), reasonText: null, path: [] }

/** POST /v1/certify: the decision on the rounds so far of the caller's debate. While it is hidden, its fields are null. */
export const shownCertifyAnswerSchema = certifyAnswerSchema.extend({
  ...nullable(foundSoFarSchema.shape),
  path: verdictSchema.shape.path,
  isSpotCheck: z.boolean().nullable(),
  /** A blind review item is or may be about it, and the caller is a person: the decision is shown after the review. */
  isHidden: z.boolean(),
})
export type ShownCertifyAnswer = z.infer<typeof shownCertifyAnswerSchema>

type Shape = Readonly<Record<string, z.ZodType>>

function nullable<Own extends Shape>(shape: Own) {
  const fields = Object.entries(shape).map(([name, field]) => [
    name,
    field instanceof z.ZodNullable ? field : field.nullable(),
  ])
  return Object.fromEntries(fields) as { [Name in keyof Own]: z.ZodNullable<Own[Name]> } // the names of the shape
}

function nullsOf<Own extends Shape>(shape: Own) {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, null])) as { [Name in keyof Own]: null } // its names
}

/** POST /v1/decisions/known: the given ids that a run has decided, without their decisions. */
export const knownIdsSchema = z.object({ ids: z.array(z.string().min(1).max(1000)).max(1000) })

/** POST /v1/decisions: a question for the server's own panel. */
export const questionInputSchema = z.object({
  id: idSchema.optional(),
  question: textSchema.min(1),
  options: optionsSchema(LIMITS.fewestOptions, textSchema)
    .optional()
    .describe('Left out if the config of the server has answers for all questions'),
  group: plainNameSchema.nullable().optional(),
  fields: fieldsSchema,
})
export type QuestionInput = z.infer<typeof questionInputSchema>

/** The answer to POST /v1/decisions and GET /v1/decisions/{id}. */
export const decisionViewSchema = z.object({
  id: z.string(),
  runId: z.string(),
  questionId: z.string(),
  status: z.enum(['pending', 'running', 'decided', 'failed']),
  createdAt: z.number(),
  /** Rounds debated so far; null while hidden. */
  rounds: z.int().nullable(),
  /** Null before the decision, and while hidden. */
  decision: verdictSchema.nullable(),
  certificate: z.string().nullable(),
  /** The latest review item about it; null: there is none, or it is hidden. */
  reviewId: z.string().nullable(),
  /** A blind review item is about it, and the caller is a person: the decision is shown after the review. */
  isHidden: z.boolean(),
})
export type DecisionView = z.infer<typeof decisionViewSchema>

/** The fields that say nothing about the decision, so they are shown while it is hidden. */
type AskedField = 'id' | 'runId' | 'questionId' | 'status' | 'createdAt' | 'certificate'

/** All other fields while the decision is hidden. A new field does not compile until one of the two has it. */
export const HIDDEN_VIEW: Required<Omit<DecisionView, AskedField>> = {
  rounds: null,
  decision: null,
  reviewId: null,
  isHidden: true,
}

/** GET /v1/decisions/{id}/events (server-sent events): a `round` for each round, then `decided`; if hidden, only `decided`. */
export const roundEventSchema = z.object({ round: z.int(), verdict: verdictSchema })
export type RoundEvent = z.infer<typeof roundEventSchema>
