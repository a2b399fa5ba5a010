import { z } from 'zod'
import { turnSchema } from '../record/answer.ts'
import { debateStatusSchema } from '../record/debate.ts'
import { decisionSchema, deferReasonSchema } from '../record/decision.ts'
import { labelSchema } from '../record/label.ts'
import { verdictSchema } from './decisions.ts'
import { pageQuerySchema } from './page.ts'

export const debateRowSchema = z.object({
  runId: z.string(),
  questionId: z.string(),
  /** First 200 letters of the question; null once redacted or where it was never known. */
  excerpt: z.string().nullable(),
  group: z.string().nullable(),
  at: z.number(),
  /** Null while hidden. */
  rounds: z.int().nullable(),
  /** Null while hidden. */
  status: debateStatusSchema.nullable(),
  kind: decisionSchema.shape.kind.nullable(),
  answer: z.string().nullable(),
  /** Open answers: the answer itself, of which `answer` is the class; absent for options, while hidden, and once it was erased. */
  answerText: z.string().optional(),
  reason: deferReasonSchema.nullable(),
  /** The bound that acted, else the best of all rounds; null: there is none, or hidden. */
  bound: z.number().nullable(),
  /** The round of that bound. */
  boundRound: z.int().nullable(),
  threshold: z.number().nullable(),
  /**
   * What a round is judged by: the score of profile total, the bound of the others. Of the round that acted, else of the one
   * that came nearest; null: there is none, or hidden.
   */
  score: z.number().nullable(),
  /** What that round needs to act. */
  needs: z.number().nullable(),
  scoreRound: z.int().nullable(),
  /** Null while hidden. */
  isSpotCheck: z.boolean().nullable(),
  /**
   * What each agent said in each round beside the panel's answer, or beside the most frequent last answer where there is
   * none; null while hidden, or where nothing was said.
   */
  votes: z.array(z.array(z.enum(['same', 'other', 'none']))).nullable(),
  /** The right option as far as it is known. */
  gold: z.string().nullable(),
  /** Open answers: the answer of that class; or the right answer in words that came with the question; absent where neither is known, and as `answerText` is. */
  goldText: z.string().optional(),
  /** What a grader says of the panel's last answer, where the debate came with grades; absent while hidden. */
  grade: z.enum(['right', 'wrong', 'cannot-tell']).optional(),
  /** A person had their say. Without a right option they could not tell, which counts as wrong where it was acted on. */
  isLabelled: z.boolean(),
  /** It waits in the review queue; null while hidden. */
  isWaiting: z.boolean().nullable(),
  /** A blind item of the queue is about it: its answers and its decision are shown after the review. */
  isHidden: z.boolean(),
})
export type DebateRow = z.infer<typeof debateRowSchema>

export const turnViewSchema = z.object({
  agent: turnSchema.shape.agent,
  answer: turnSchema.shape.answer,
  beliefs: turnSchema.shape.beliefs.unwrap(),
  confidence: z.number().nullable(),
  /** The sampled answers, where an agent was asked several times; null: no answer. */
  samples: turnSchema.shape.samples.unwrap().unwrap().optional(),
  text: z.string().nullable(),
})

/** What a debate was compared with: labelled debates near it (k-NN), or the counts of its cell. */
export const comparedSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('neighbours'),
    rows: z.array(z.object({ round: z.int(), id: z.string().nullable(), distance: z.number(), correct: z.boolean() })),
  }),
  z.object({
    kind: z.literal('cells'),
    rows: z.array(z.object({ round: z.int(), cell: z.string(), labels: z.int(), successes: z.int() })),
  }),
  z.object({ kind: z.literal('none') }),
])

export const debateViewSchema = debateRowSchema.extend({
  question: z.string().nullable(),
  /** Of open answers the classes that the panel's answers made. */
  options: z.array(z.object({ name: z.string(), text: z.string().nullable() })),
  /** Open answers: the answer that stands for each class; absent for options, and while hidden. */
  openAnswers: z.record(z.string(), z.string()).optional(),
  turns: z.array(z.array(turnViewSchema)),
  verdict: verdictSchema.nullable(),
  /** Author, time and place of the label; null: there is none, it is hidden, or it came with the question. */
  label: labelSchema.pick({ gold: true, source: true, by: true, at: true, text: true }).nullable(),
  certificate: z.string().nullable(),
  compared: comparedSchema,
  claim: z.array(z.string()),
  ledger: z.object({ sequence: z.int(), hash: z.string() }).nullable(),
})
export type DebateView = z.infer<typeof debateViewSchema>

/**
 * GET /v1/debates?decided=&kind=&reason=&group=&status=&run=&id=&sampled=&outcome=&from=&to=&q=: `decided` is about runs that decide,
 * `id` is what the question's id begins with, `q` is searched in the question, its id and what was argued, `from` and `to` are limits of the score minus what its
 * round needs. Hidden ones are found by neither kind, reason, status, sampled, outcome nor score, and by `q` only in their
 * question and its id.
 */
export const debateQuerySchema = pageQuerySchema.extend({
  /** `true`: of runs that decide; `false`: of runs that only debate, as to calibrate on them. */
  decided: z.enum(['true', 'false']).optional(),
  kind: decisionSchema.shape.kind.optional(),
  reason: deferReasonSchema.optional(),
  group: z.string().max(1000).optional(),
  status: debateStatusSchema.optional(),
  run: z.string().max(100).optional(),
  id: z.string().max(1000).optional(),
  sampled: z.enum(['true', 'false']).optional(),
  /** What a label says of a debate that was acted on; `unlabelled` of any debate. */
  outcome: z.enum(['wrong', 'right', 'unlabelled']).optional(),
  q: z.string().max(200).optional(),
  from: z.coerce.number().min(-1).max(1).optional(),
  to: z.coerce.number().min(-1).max(1).optional(),
})
export type DebateQuery = z.infer<typeof debateQuerySchema>

/** GET /v1/debate-summary: counts over the latest debates that a query finds. */
export const debateSummarySchema = z.object({
  /** How many were looked at, and whether there are more. */
  debates: z.int(),
  isCut: z.boolean(),
  acted: z.int(),
  deferred: z.int(),
  /** Acted on, and a label says that it was wrong. */
  wrong: z.int(),
  /** Neither acted nor deferred as far as who asks may know. */
  hidden: z.int(),
  /** Debated without a decision. */
  undecided: z.int(),
  /** Rows that an export of these has, and those of them that wait for a person and have no answer yet. */
  answers: z.object({ rows: z.int(), waiting: z.int() }),
  /** Where `q` finds nothing: like words that do, and how many debates they find. */
  suggestion: z.object({ q: z.string(), debates: z.int() }).nullable(),
  /** Score minus what its round needs, counted in bars of one width. */
  bars: z.array(z.object({ from: z.number(), to: z.number(), acted: z.int(), deferred: z.int(), wrong: z.int() })),
})
export type DebateSummary = z.infer<typeof debateSummarySchema>

export const debateSummaryQuerySchema = debateQuerySchema.omit({ cursor: true, limit: true })
export type DebateSummaryQuery = z.infer<typeof debateSummaryQuerySchema>
